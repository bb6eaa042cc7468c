import type { Shape } from './decode.ts'

/** A call: its address, request and response. Client and server decode with the same definition. */
export type Route<Request = unknown, Response = unknown> = {
  method: 'GET' | 'POST'
  path: string
  request: Shape<Request>
  response: Shape<Response>
}

/* @__NO_SIDE_EFFECTS__ */
export const route = <Request, Response>(
  method: Route['method'],
  path: string,
  request: Shape<Request>,
  response: Shape<Response>,
): Route<Request, Response> => ({ method, path, request, response })

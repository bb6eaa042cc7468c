import type { Shape } from './decode.ts'

/** One call: where it is, what it takes and what it answers. Both sides decode with the same line. */
export type Route<Request = unknown, Response = unknown> = {
  method: 'GET' | 'POST'
  path: string
  request: Shape<Request>
  response: Shape<Response>
}

/** Writes one line of the table. */
/* @__NO_SIDE_EFFECTS__ */
export const route = <Request, Response>(
  method: Route['method'],
  path: string,
  request: Shape<Request>,
  response: Shape<Response>,
): Route<Request, Response> => ({ method, path, request, response })

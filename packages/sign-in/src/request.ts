import { decode, errorFromBody, type Shape, type VerifyError, verifyErrorText } from '@gatehouse/wire'

/**
 * Why a call gave nothing:
 * - `unreachable`: no answer, or one that broke off.
 * - `refused`: an answer with an error status.
 * - `malformed`: a success whose body is not what was asked for.
 * - `aborted`: called off by the caller.
 */
export type Failure = {
  is: 'unreachable' | 'refused' | 'malformed' | 'aborted'
  /** A message of §8, or the server's own words. */
  message: string
  /** For support: which call it was and what came of it. Holds nothing of the body that was sent. */
  detail: string
  /** HTTP status, where there was an answer. */
  status?: number
  /** What a `typed-error` body held. */
  typedError?: VerifyError
}

/** What every call resolves to. Calls never reject. */
export type Reply<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/** §8: success is 200 to 208 and 226; the helper that posts JSON and decodes the result takes 200 and 201 only. */
const anySuccess = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226]
const decodedSuccess = [200, 201]

type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; json?: unknown; signal?: AbortSignal | undefined }

/** The generic request layer of §7 on one base URL: asks for JSON, includes credentials, and returns what others throw. */
export const createRequest = (baseUrl: string) => {
  const run = async <T>(call: Call, success: number[], read: (response: Response) => Promise<Reply<T>>): Promise<Reply<T>> => {
    const { method, path, json, signal } = call
    try {
      const response = await fetch(baseUrl + path, {
        method,
        credentials: 'include',
        headers: { accept: 'application/json', ...(json !== undefined && { 'content-type': 'application/json' }) },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(signal && { signal }),
      })
      return await (success.includes(response.status) ? read(response) : readError(call, response))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      return failed({
        is: signal?.aborted ? 'aborted' : 'unreachable',
        message: 'Something went wrong',
        detail: `${method} ${path}: ${why}`,
      })
    }
  }

  return {
    /** POST of a JSON body; the answer is decoded by its shape. */
    postJson: <T>(path: string, json: unknown, shape: Shape<T>, signal?: AbortSignal) => {
      const call: Call = { method: 'POST', path, json, signal }
      return run(call, decodedSuccess, async response => {
        const body = await readJson(response)
        const decoded = body.ok ? decode(shape, body.value) : body
        return decoded.ok ? decoded : failed({ is: 'malformed', message: decoded.error, ...about(call, response, decoded.error) })
      })
    },

    /** POST of a JSON body; whatever comes back with a success is left unread. */
    postJsonVoid: (path: string, json: unknown, signal?: AbortSignal) =>
      run<void>({ method: 'POST', path, json, signal }, anySuccess, async response => {
        await response.body?.cancel()
        return { ok: true, value: undefined }
      }),
  }
}

const failed = (failure: Failure): Reply<never> => ({ ok: false, failure })

const about = (call: Call, { status }: Response, message: string) => ({
  status,
  detail: `${call.method} ${call.path} answered ${status}: ${message}`,
})

/** Says what the body claims to be and never quotes it: it may hold a token. */
const readJson = async (response: Response) => {
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value } as const
  } catch {
    const claims = text ? (response.headers.get('content-type') ?? 'no content type') : 'the body is empty'
    return { ok: false, empty: text === '', error: `Unable to decode response body as JSON: ${claims}` } as const
  }
}

const readError = async (call: Call, response: Response): Promise<Reply<never>> => {
  const body = await readJson(response)
  if (!body.ok) {
    const message = body.empty ? emptyBodyMessage(response.status) : body.error
    return failed({ is: 'refused', message, ...about(call, response, message) })
  }
  const found = errorFromBody(body.value)
  if ('error' in found) return failed({ is: 'refused', message: found.error, ...about(call, response, found.error) })
  const typedError = found['typed-error']
  const message = verifyErrorText(typedError)
  return failed({ is: 'refused', message, ...about(call, response, message), typedError })
}

const emptyBodyMessage = (status: number) => (status === 400 ? '400 - Bad Request' : status === 404 ? '404 - Not Found' : 'Unknown error')

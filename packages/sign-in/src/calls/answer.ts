import type { ErrorCode, VerifyError } from '@gatehouse/wire'

/**
 * Why a call failed. `unreachable`: no reply, or an incomplete one. `refused`: a reply with an error status. `malformed`: a success
 * whose body could not be decoded. `aborted`: the caller aborted the call.
 */
export type Failure = {
  is: 'unreachable' | 'refused' | 'malformed' | 'aborted'
  /** A sentence of §8, or the server's own message. */
  message: string
  /** For support: the call and its result. Contains nothing from the request's body. */
  detail: string
  /** The HTTP status, if there was a reply. */
  status?: number
  /** Seconds until the server accepts the call again, if the reply says so. */
  retryAfter?: number
  /** The code of the error body, where the page must react. */
  code?: ErrorCode
  /** What the code is about: the entry that was refused, or the id of the request. */
  value?: string
  /** The content of a `typed-error` body. */
  typedError?: VerifyError
}

/** The result of every call. Calls never reject. */
export type Reply<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/** Turns the body of a reply into a value, or returns a sentence that says why it cannot. */
export type ReadBody<T> = (body: Blob) => Promise<{ ok: true; value: T } | { ok: false; error: string }>

/** Names a call in messages. Contains nothing from its body. */
export type CallName = { method: string; path: string }

/** Reads the body of a success (§8). A complete body that cannot be decoded is `malformed`. */
export const readSuccess = async <T>(call: CallName, response: Response, readBody: ReadBody<T>): Promise<Reply<T>> => {
  const body = await response.blob()
  const read = await readBody(body).catch(() => ({ ok: false, error: 'Unknown error while trying to decode response' }) as const)
  if (read.ok) return read
  return failed({ is: 'malformed', message: read.error, ...about(call, response, read.error) })
}

export const failed = (failure: Failure): Reply<never> => ({ ok: false, failure })

/** The status and the detail of a failure. */
export const about = (call: CallName, { status, headers }: Response, message: string) => ({
  status,
  ...retryAfterOf(headers),
  detail: `${call.method} ${call.path} answered ${status}: ${message}`,
})

/** Empty if the reply has no Retry-After, or a date in it, which our server never sends. */
const retryAfterOf = (headers: Headers) => {
  const retryAfter = Number(headers.get('retry-after'))
  return retryAfter > 0 ? { retryAfter } : {}
}

/** The error names the content type and never quotes the body, which may contain a token. */
export const parseJson = async (body: Blob) => {
  try {
    const value: unknown = JSON.parse(await body.text())
    return { ok: true, value } as const
  } catch {
    const claims = body.size > 0 ? body.type || 'no content type' : 'the body is empty'
    return { ok: false, error: `Unable to decode response body as JSON: ${claims}` } as const
  }
}

/** The text of the body, whether JSON or not. */
export const rawString: ReadBody<string> = async body => ({ ok: true, value: await body.text() })

/** The bytes of the body. Their `type` is the reply's content type. */
export const bytes: ReadBody<Blob> = async body => ({ ok: true, value: body })

import { decode, type ErrorBody, type ErrorCode, errorFromBody, type Shape, type VerifyError, verifyErrorText } from '@gatehouse/wire'

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
  /** The code of the error body, where the page must react. */
  code?: ErrorCode
  /** What a `typed-error` body held. */
  typedError?: VerifyError
}

/** What every call resolves to. Calls never reject. */
export type Reply<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/** How one helper makes a value of a whole body; `error` is the sentence for what could not be understood. */
export type Understand<T> = (body: Blob) => Promise<{ ok: true; value: T } | { ok: false; error: string }>

/** Which call a sentence is about. It names no part of the body. */
export type CallName = { method: string; path: string }

/** Reads a success (§8). What arrives whole and makes no sense is `malformed`. */
export const readSuccess = async <T>(call: CallName, response: Response, understand: Understand<T>): Promise<Reply<T>> => {
  const body = await response.blob()
  const understood = await understand(body).catch(() => ({ ok: false, error: 'Unknown error while trying to decode response' }) as const)
  if (understood.ok) return understood
  return failed({ is: 'malformed', message: understood.error, ...about(call, response, understood.error) })
}

/** Reads an error status by the error-body rule of §8. `unknown` is what to say of an empty body. */
export const readError = async (call: CallName, response: Response, unknown: string): Promise<Reply<never>> => {
  const body = await response.blob()
  const json = await parseJson(body)
  const found: ErrorBody = json.ok
    ? errorFromBody(json.value)
    : { error: body.size > 0 ? json.error : (emptyBodyMessages[response.status] ?? unknown) }
  if ('error' in found) {
    const { error: message, code } = found
    return failed({ is: 'refused', message, ...about(call, response, message), ...(code && { code }) })
  }
  const typedError = found['typed-error']
  const message = verifyErrorText(typedError)
  return failed({ is: 'refused', message, ...about(call, response, message), typedError })
}

const emptyBodyMessages: Record<number, string> = { 400: '400 - Bad Request', 404: '404 - Not Found' }

export const failed = (failure: Failure): Reply<never> => ({ ok: false, failure })

const about = (call: CallName, { status }: Response, message: string) => ({
  status,
  detail: `${call.method} ${call.path} answered ${status}: ${message}`,
})

/** Says what the body claims to be and never quotes it: it may hold a token. */
const parseJson = async (body: Blob) => {
  try {
    const value: unknown = JSON.parse(await body.text())
    return { ok: true, value } as const
  } catch {
    const claims = body.size > 0 ? body.type || 'no content type' : 'the body is empty'
    return { ok: false, error: `Unable to decode response body as JSON: ${claims}` } as const
  }
}

/** One value of a shape. */
export const one =
  <T>(shape: Shape<T>): Understand<T> =>
  async body => {
    const json = await parseJson(body)
    return json.ok ? decode(shape, json.value) : json
  }

/** A value of a shape, or none: an empty body and `null` are none. */
export const optional =
  <T>(shape: Shape<T>): Understand<T | undefined> =>
  async body => {
    if (body.size === 0) return { ok: true, value: undefined }
    const json = await parseJson(body)
    if (!json.ok) return json
    return json.value === null ? { ok: true, value: undefined } : decode(shape, json.value)
  }

/** A list of values of a shape. The first that cannot be decoded fails the whole list, and its place is named. */
export const array =
  <T>(shape: Shape<T>): Understand<T[]> =>
  async body => {
    const json = await parseJson(body)
    if (!json.ok) return json
    if (!Array.isArray(json.value)) return { ok: false, error: `decode${shape.name}: expected a list` }
    const values: T[] = []
    for (const [index, item] of json.value.entries()) {
      const decoded = decode(shape, item)
      if (!decoded.ok) return { ok: false, error: decoded.error.replace(/^(decode\w+: )/, `$1/${index}: `) }
      values.push(decoded.value)
    }
    return { ok: true, value: values }
  }

/** The body's text as it is, JSON or not. */
export const rawString: Understand<string> = async body => ({ ok: true, value: await body.text() })

/** The body's bytes; its `type` is the content type of the answer. */
export const bytes: Understand<Blob> = async body => ({ ok: true, value: body })

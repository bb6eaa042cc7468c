import { failed, type Reply } from './answer.ts'

/** §8: success is 200 to 208 and 226. */
const anySuccess = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226]
/** §8: a JSON POST with a decoded result accepts 200 and 201. */
export const okOrCreated = [200, 201]
export type Signal = AbortSignal | undefined

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Appended to the base URL unchanged. */
  path: string
  signal: Signal
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a multipart form. The browser sets its content type. */
  form?: FormData
  /** Default: `include`, which §7 requires for all calls of the product. */
  credentials?: 'omit'
  /** Status codes that count as success. Default: all of §8. */
  success?: number[]
  /** Content types to accept in addition to JSON. Errors are always JSON. */
  accept?: string
  /** Message for an error without a body, except 400 and 404. */
  unknown?: string
  /** Whether the call continues when the user leaves the page. */
  keepalive?: boolean
  /** How long to retry the call while the server is too busy, in milliseconds. Default: 0. */
  retryMs?: number
}

/**
 * Sends a call.
 * @param readError reads a reply whose status is not a success. A parameter, because the error decoders are large and the first call
 * of the sign-in page does not need them
 */
export const send = async <T>(
  baseUrl: string,
  call: Call,
  read: (response: Response) => Promise<Reply<T>>,
  readError: (call: Call, response: Response) => Promise<Reply<never>>,
): Promise<Reply<T>> => {
  const { method, path, json, form, credentials = 'include', success = anySuccess } = call
  const { accept, retryMs = 0, keepalive = false, signal } = call
  try {
    const response = await fetchWithRetry(retryMs, signal, () =>
      fetch(baseUrl + path, {
        method,
        credentials,
        headers: {
          accept: `application/json${accept ? `, ${accept}` : ''}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(form && { body: form }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      }),
    )
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

/** Sends the call again after each 503 with a Retry-After in seconds (RFC 9110 §10.2.3), if that wait ends within `retryMs`. */
const fetchWithRetry = async (retryMs: number, signal: Signal, sendOnce: () => Promise<Response>): Promise<Response> => {
  const until = Date.now() + retryMs
  for (;;) {
    const response = await sendOnce()
    const wait = response.status === 503 ? Number(response.headers.get('retry-after')) * 1000 : 0
    // NaN if the header is a date, which our server never sends.
    if (!(wait > 0 && Date.now() + wait <= until)) return response
    await response.body?.cancel()
    await pause(wait, signal)
  }
}

/** Rejects when the signal aborts. */
const pause = (wait: number, signal: Signal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, wait)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

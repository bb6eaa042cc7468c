import type { Shape } from '@gatehouse/wire'
import { array, bytes, failed, one, optional, type Reply, rawString, readError, readSuccess, type Understand } from './answer.ts'

export type { Failure, Reply } from './answer.ts'

/** §8: success is 200 to 208 and 226. */
const anySuccess = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226]
/** §8: a JSON POST with a decoded result takes 200 and 201. */
const okOrCreated = [200, 201]
/** §8: some take 200 only. Here those whose body is taken as it comes: with 206, say, it would be a part of the whole. */
const okOnly = [200]

/** The field of a multipart form that holds the file (§7). */
const fileField = 'f1'

type Signal = AbortSignal | undefined

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Appended to the base URL as it is. */
  path: string
  signal: Signal
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a multipart form, whose content type the browser writes. */
  form?: FormData
  /** Default: `include`, as §7 demands of every call of the product. */
  credentials?: 'omit'
  /** Status codes that count as a success. Default: any of §8. */
  success?: number[]
  /** What is taken as an answer beside JSON, in which errors come. */
  accept?: string
  /** What to say of an error without a body. */
  unknown?: string
  /** Milliseconds during which a call is sent again that the server is too busy for. Default: none. */
  patience?: number
}

/** Sends a call: the only fetch. */
const send = async <T>(baseUrl: string, call: Call, read: (response: Response) => Promise<Reply<T>>): Promise<Reply<T>> => {
  const { method, path, json, form, credentials = 'include', success = anySuccess } = call
  const { accept, unknown = 'Unknown error', patience = 0, signal } = call
  try {
    const response = await fetchAgain(patience, signal, () =>
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
      }),
    )
    return await (success.includes(response.status) ? read(response) : readError(call, response, unknown))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return failed({
      is: signal?.aborted ? 'aborted' : 'unreachable',
      message: 'Something went wrong',
      detail: `${method} ${path}: ${why}`,
    })
  }
}

/** Sends once more after each 503 that names a wait in seconds (RFC 9110 §10.2.3), as long as the wait ends within the patience. */
const fetchAgain = async (patience: number, signal: Signal, sendOnce: () => Promise<Response>): Promise<Response> => {
  const until = Date.now() + patience
  for (;;) {
    const response = await sendOnce()
    const wait = response.status === 503 ? Number(response.headers.get('retry-after')) * 1000 : 0
    // Not a number where the wait is a date, which our server never sends.
    if (!(wait > 0 && Date.now() + wait <= until)) return response
    await response.body?.cancel()
    await pause(wait, signal)
  }
}

/** Rejects when the signal calls it off. */
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

/** For an answer that is read. */
const ask = <T>(baseUrl: string, call: Call, understand: Understand<T>) =>
  send(baseUrl, call, response => readSuccess(call, response, understand))

/** For an answer that is left unread. */
const tell = (baseUrl: string, call: Call) =>
  send<void>(baseUrl, call, async response => {
    await response.body?.cancel()
    return { ok: true, value: undefined }
  })

/** POST of a JSON body; the answer is decoded by its shape. 200 and 201 only. */
export const postJson =
  (baseUrl: string) =>
  <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) =>
    ask(baseUrl, { method: 'POST', path, json, signal, success: okOrCreated }, one(shape))

/** GET without credentials, for an answer that pages of every origin may read. */
export const getOpenJson =
  (baseUrl: string) =>
  <T>(path: string, shape: Shape<T>) =>
    ask(baseUrl, { method: 'GET', path, signal: undefined, credentials: 'omit' }, one(shape))

/**
 * The same for calls that check a password. While more users sign in than the server has time for, it answers 503 with the wait after
 * which to try again; nothing has been checked or counted then. The page goes on for ten seconds before it shows the failure.
 */
export const postJsonPatiently =
  (baseUrl: string) =>
  <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) =>
    ask(baseUrl, { method: 'POST', path, json, signal, success: okOrCreated, patience: 10_000 }, one(shape))

/** POST of a JSON body; whatever comes back with a success is left unread. */
export const postJsonVoid = (baseUrl: string) => (path: string, json: unknown, signal?: Signal) =>
  tell(baseUrl, { method: 'POST', path, json, signal })

/**
 * The generic request layer of §7 on one base URL. Every call asks for JSON, includes credentials, takes a signal that
 * calls it off, and resolves to a {@link Reply}: nothing is thrown.
 *
 * | name       | takes of a success                                    | success                       |
 * | ---------- | ----------------------------------------------------- | ----------------------------- |
 * | …          | one value, decoded by its shape                       | 200 to 208, 226; `postJson` 200, 201 |
 * | …Optional  | one value; `undefined` for an empty body or `null`    | 200 to 208, 226               |
 * | …Array     | a list of values of the shape                         | 200 to 208, 226               |
 * | …Void      | nothing                                               | 200 to 208, 226               |
 * | …String    | its text as it is                                     | 200                           |
 * | …Blob      | its bytes                                             | 200                           |
 */
export const createRequest = (baseUrl: string) => {
  const get = <T>(path: string, signal: Signal, understand: Understand<T>, more?: Partial<Call>) =>
    ask(baseUrl, { method: 'GET', path, signal, ...more }, understand)
  const post = <T>(path: string, json: unknown, signal: Signal, understand: Understand<T>, more?: Partial<Call>) =>
    ask(baseUrl, { method: 'POST', path, json, signal, ...more }, understand)
  const put = <T>(path: string, json: unknown, signal: Signal, understand: Understand<T>, more?: Partial<Call>) =>
    ask(baseUrl, { method: 'PUT', path, json, signal, ...more }, understand)
  const upload = (path: string, file: Blob, signal: Signal): Call => ({
    method: 'POST',
    path,
    form: formOf(file),
    unknown: 'Unknown Error in File Upload',
    signal,
  })
  const asItComes = { success: okOnly, accept: '*/*' }

  return {
    /** GET of one value. */
    getJson: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, one(shape)),
    /** GET of a value that may not be there. */
    getJsonOptional: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, optional(shape)),
    /** GET of a list. */
    getJsonArray: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, array(shape)),
    /** GET of bytes. 200 only. */
    getBlob: (path: string, signal?: Signal) => get(path, signal, bytes, asItComes),

    postJson: postJson(baseUrl),
    postJsonVoid: postJsonVoid(baseUrl),
    /** POST of a JSON body, for a value that may not be there. */
    postJsonOptional: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => post(path, json, signal, optional(shape)),
    /** POST of a JSON body, for a list. */
    postJsonArray: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => post(path, json, signal, array(shape)),
    /** POST of a JSON body, for text as it is. 200 only. */
    postJsonString: (path: string, json: unknown, signal?: Signal) => post(path, json, signal, rawString, asItComes),
    /** POST of a JSON body, for bytes. 200 only. */
    postJsonBlob: (path: string, json: unknown, signal?: Signal) => post(path, json, signal, bytes, asItComes),

    /** PUT of a JSON body; the answer is decoded by its shape. */
    putJson: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, one(shape)),
    /** PUT of a JSON body; whatever comes back with a success is left unread. */
    putJsonVoid: (path: string, json: unknown, signal?: Signal) => tell(baseUrl, { method: 'PUT', path, json, signal }),
    /** PUT of a JSON body, for a value that may not be there. */
    putJsonOptional: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, optional(shape)),
    /** PUT of a JSON body, for a list. */
    putJsonArray: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, array(shape)),
    /** PUT of a JSON body, for text as it is. 200 only. */
    putJsonString: (path: string, json: unknown, signal?: Signal) => put(path, json, signal, rawString, asItComes),

    /** POST of a file as a multipart form under the field `f1`; the answer is decoded by its shape. */
    postFile: <T>(path: string, file: Blob, shape: Shape<T>, signal?: Signal) => ask(baseUrl, upload(path, file, signal), one(shape)),
    /** POST of a file under `f1`, for a list. */
    postFileArray: <T>(path: string, file: Blob, shape: Shape<T>, signal?: Signal) =>
      ask(baseUrl, upload(path, file, signal), array(shape)),
    /** POST of a file under `f1`; whatever comes back with a success is left unread. */
    postFileVoid: (path: string, file: Blob, signal?: Signal) => tell(baseUrl, upload(path, file, signal)),

    /** DELETE; the answer is decoded by its shape. */
    deleteJson: <T>(path: string, shape: Shape<T>, signal?: Signal) => ask(baseUrl, { method: 'DELETE', path, signal }, one(shape)),
    /** DELETE; whatever comes back with a success is left unread. */
    deleteVoid: (path: string, signal?: Signal) => tell(baseUrl, { method: 'DELETE', path, signal }),
  }
}

/** A `File` keeps its name; the browser calls any other blob 'blob'. */
const formOf = (file: Blob) => {
  const form = new FormData()
  form.append(fileField, file)
  return form
}

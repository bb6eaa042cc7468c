import type { Shape } from '@gatehouse/wire'
import { bytes, type ReadBody, rawString, readSuccess } from './answer.ts'
import { array, one, optional } from './decoded-body.ts'
import { readError } from './error-answer.ts'
import { type Call, okOrCreated, type Signal, send } from './send.ts'

export type { Failure, Reply } from './answer.ts'

/** §8: some calls accept 200 only. Here, these are the calls that return the raw body, because the body of a 206 is incomplete. */
const okOnly = [200]

/** The field of a multipart form that holds the file (§7). */
const fileField = 'f1'

/** Sends a call and reads the body of the reply. */
const sendAndRead = <T>(baseUrl: string, call: Call, readBody: ReadBody<T>) =>
  send(baseUrl, call, response => readSuccess(call, response, readBody), readError)

/** Sends a call without reading the body of the reply. */
const sendOnly = (baseUrl: string, call: Call) =>
  send<void>(
    baseUrl,
    call,
    async response => {
      await response.body?.cancel()
      return { ok: true, value: undefined }
    },
    readError,
  )

/** POST of a JSON body; decodes the reply with `shape`. 200 and 201 only. */
export const postJson =
  (baseUrl: string) =>
  <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) =>
    sendAndRead(baseUrl, { method: 'POST', path, json, signal, success: okOrCreated }, one(shape))

/** GET without credentials, for replies that pages of any origin may read. */
export const getPublicJson =
  (baseUrl: string) =>
  <T>(path: string, shape: Shape<T>) =>
    sendAndRead(baseUrl, { method: 'GET', path, signal: undefined, credentials: 'omit' }, one(shape))

/**
 * Posts a call that checks a password. A server that is too busy replies 503 with the time to wait, and has checked and counted nothing.
 * This tries again for ten seconds before it returns the failure.
 */
export const postJsonWithRetry =
  (baseUrl: string) =>
  <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) =>
    sendAndRead(baseUrl, { method: 'POST', path, json, signal, success: okOrCreated, retryMs: 10_000 }, one(shape))

/** Posts a call that outlives the page. */
export const postJsonKeepalive =
  (baseUrl: string) =>
  <T>(path: string, json: unknown, shape: Shape<T>) =>
    sendAndRead(baseUrl, { method: 'POST', path, json, signal: undefined, success: okOrCreated, keepalive: true }, one(shape))

/** POST of a JSON body; does not read the body of a success. */
export const postJsonVoid = (baseUrl: string) => (path: string, json: unknown, signal?: Signal) =>
  sendOnly(baseUrl, { method: 'POST', path, json, signal })

/**
 * The generic request layer of §7 for one base URL. Every call asks for JSON, includes credentials, takes an `AbortSignal`, and
 * resolves to a {@link Reply}. It never throws.
 *
 * | name       | value of a success                                    | success                       |
 * | ---------- | ----------------------------------------------------- | ----------------------------- |
 * | …          | one value, decoded with the shape                     | 200 to 208, 226; `postJson` 200, 201 |
 * | …Optional  | one value; `undefined` for an empty body or `null`    | 200 to 208, 226               |
 * | …Array     | a list of values of the shape                         | 200 to 208, 226               |
 * | …Void      | nothing                                               | 200 to 208, 226               |
 * | …String    | the text                                              | 200                           |
 * | …Blob      | the bytes                                             | 200                           |
 */
export const createRequest = (baseUrl: string) => {
  const get = <T>(path: string, signal: Signal, readBody: ReadBody<T>, more?: Partial<Call>) =>
    sendAndRead(baseUrl, { method: 'GET', path, signal, ...more }, readBody)
  const post = <T>(path: string, json: unknown, signal: Signal, readBody: ReadBody<T>, more?: Partial<Call>) =>
    sendAndRead(baseUrl, { method: 'POST', path, json, signal, ...more }, readBody)
  const put = <T>(path: string, json: unknown, signal: Signal, readBody: ReadBody<T>, more?: Partial<Call>) =>
    sendAndRead(baseUrl, { method: 'PUT', path, json, signal, ...more }, readBody)
  const upload = (path: string, file: Blob, signal: Signal): Call => ({
    method: 'POST',
    path,
    form: formOf(file),
    unknown: 'Unknown Error in File Upload',
    signal,
  })
  const raw = { success: okOnly, accept: '*/*' }

  return {
    /** GET of one value. */
    getJson: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, one(shape)),
    /** GET of an optional value. */
    getJsonOptional: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, optional(shape)),
    /** GET of a list. */
    getJsonArray: <T>(path: string, shape: Shape<T>, signal?: Signal) => get(path, signal, array(shape)),
    /** GET of bytes. 200 only. */
    getBlob: (path: string, signal?: Signal) => get(path, signal, bytes, raw),

    postJson: postJson(baseUrl),
    postJsonVoid: postJsonVoid(baseUrl),
    /** POST of a JSON body, for an optional value. */
    postJsonOptional: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => post(path, json, signal, optional(shape)),
    /** POST of a JSON body, for a list. */
    postJsonArray: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => post(path, json, signal, array(shape)),
    /** POST of a JSON body, for its raw text. 200 only. */
    postJsonString: (path: string, json: unknown, signal?: Signal) => post(path, json, signal, rawString, raw),
    /** POST of a JSON body, for bytes. 200 only. */
    postJsonBlob: (path: string, json: unknown, signal?: Signal) => post(path, json, signal, bytes, raw),

    /** PUT of a JSON body; decodes the reply with `shape`. */
    putJson: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, one(shape)),
    /** PUT of a JSON body; does not read the body of a success. */
    putJsonVoid: (path: string, json: unknown, signal?: Signal) => sendOnly(baseUrl, { method: 'PUT', path, json, signal }),
    /** PUT of a JSON body, for an optional value. */
    putJsonOptional: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, optional(shape)),
    /** PUT of a JSON body, for a list. */
    putJsonArray: <T>(path: string, json: unknown, shape: Shape<T>, signal?: Signal) => put(path, json, signal, array(shape)),
    /** PUT of a JSON body, for its raw text. 200 only. */
    putJsonString: (path: string, json: unknown, signal?: Signal) => put(path, json, signal, rawString, raw),

    /** POST of a file as a multipart form in the field `f1`; decodes the reply with `shape`. */
    postFile: <T>(path: string, file: Blob, shape: Shape<T>, signal?: Signal) =>
      sendAndRead(baseUrl, upload(path, file, signal), one(shape)),
    /** POST of a file in `f1`, for a list. */
    postFileArray: <T>(path: string, file: Blob, shape: Shape<T>, signal?: Signal) =>
      sendAndRead(baseUrl, upload(path, file, signal), array(shape)),
    /** POST of a file in `f1`; does not read the body of a success. */
    postFileVoid: (path: string, file: Blob, signal?: Signal) => sendOnly(baseUrl, upload(path, file, signal)),

    /** DELETE; decodes the reply with `shape`. */
    deleteJson: <T>(path: string, shape: Shape<T>, signal?: Signal) => sendAndRead(baseUrl, { method: 'DELETE', path, signal }, one(shape)),
    /** DELETE; does not read the body of a success. */
    deleteVoid: (path: string, signal?: Signal) => sendOnly(baseUrl, { method: 'DELETE', path, signal }),
  }
}

/** A `File` keeps its name. Browsers name any other blob 'blob'. */
const formOf = (file: Blob) => {
  const form = new FormData()
  form.append(fileField, file)
  return form
}

/// <reference types="node" />
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@gatehouse/wire'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRequest } from './request.ts'
import { watchConsole } from './testing/watch-console.ts'

watchConsole()
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach(close => void close()))

const against = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return createRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`)
}

const answering = (status: number, body: string | undefined, type = 'application/json') =>
  against((_, response) => response.writeHead(status, { 'content-type': type }).end(body))

const read = async (request: IncomingMessage) => {
  let body = ''
  for await (const part of request) body += part
  return body
}

const string = routes.logoutBySelf.response
const failureOf = async (reply: Promise<{ ok: boolean; failure?: unknown }>) => {
  const { ok, failure } = await reply
  expect(ok).toBe(false)
  return failure
}

describe('a POST of JSON', () => {
  it('sends the body as JSON, asks for JSON, and decodes the answer', async () => {
    let seen: unknown
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { postJson } = await against(async (request, response) => {
      const { method, url, headers } = request
      seen = { method, url, accept: headers.accept, type: headers['content-type'], body: await read(request) }
      response.end('"bye"')
    })
    expect(await postJson('/x', { a: 'ü' }, string)).toEqual({ ok: true, value: 'bye' })
    expect(fetched.mock.calls[0]?.[1]?.credentials).toBe('include')
    expect(seen).toEqual({ method: 'POST', url: '/base/x', accept: 'application/json', type: 'application/json', body: '{"a":"ü"}' })
  })

  it.each([200, 201])('takes %i for a success', async status => {
    const { postJson } = await answering(status, '"bye"')
    expect(await postJson('/x', {}, string)).toEqual({ ok: true, value: 'bye' })
  })

  it.each([202, 203, 206, 208, 226, 300, 401])('does not take %i for one', async status => {
    const { postJson } = await answering(status, '"bye"')
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({ is: 'refused', status, message: 'No error types found' })
  })

  it('says what could not be decoded, with the prefix of its shape', async () => {
    const { postJson } = await answering(200, '{"tag":"AuthSomething"}')
    expect(await failureOf(postJson('/x', {}, routes.getAuthTokenWithError.response))).toMatchObject({
      is: 'malformed',
      message: expect.stringMatching(/^decodeAuthOutcome: .*Unknow tag$/),
    })
  })

  it('says what is no JSON, and quotes none of it', async () => {
    const { postJson } = await answering(200, '<p>token-4711</p>', 'text/html')
    const failure = await failureOf(postJson('/x', {}, string))
    expect(failure).toMatchObject({ is: 'malformed', message: 'Unable to decode response body as JSON: text/html' })
    expect(JSON.stringify(failure)).not.toContain('4711')
  })

  it('says that a success came without a body', async () => {
    const { postJson } = await answering(200, undefined)
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'malformed',
      message: 'Unable to decode response body as JSON: the body is empty',
    })
  })
})

describe('a POST whose answer does not matter', () => {
  it.each([200, 201, 202, 203, 204, 205, 206, 207, 208, 226])('takes %i for a success, whatever the body', async status => {
    const { postJsonVoid } = await answering(status, status === 204 || status === 205 ? undefined : 'no JSON')
    expect(await postJsonVoid('/x', {})).toEqual({ ok: true, value: undefined })
  })

  it.each([209, 299, 302, 500])('does not take %i for one', async status => {
    const { postJsonVoid } = await answering(status, undefined)
    expect(await failureOf(postJsonVoid('/x', {}))).toMatchObject({ is: 'refused', status })
  })
})

describe('an error status (§8)', () => {
  it.each([
    [400, undefined, '400 - Bad Request'],
    [404, undefined, '404 - Not Found'],
    [500, undefined, 'Unknown error'],
    [400, '{"error":"name the field"}', 'name the field'],
    [503, '{"error":"busy","typed-error":null}', 'busy'],
    [400, '{}', 'No error types found'],
    [400, '[]', 'No error types found'],
    [400, '7', 'No error types found'],
    [400, '{"error":"a","typed-error":{"tag":"ApiError","contents":"b"}}', 'Both error types found, this should never happen'],
  ])('%i with %s gives ‘%s’', async (status, body, message) => {
    const { postJson } = await answering(status, body)
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'refused',
      status,
      message,
      detail: `POST /x answered ${status}: ${message}`,
    })
  })

  it('hands on a typed error', async () => {
    const typedError = { tag: 'ApiError', contents: 'no route' }
    const { postJson } = await answering(502, JSON.stringify({ 'typed-error': typedError }))
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({ message: 'Unknown error: no route', typedError })
  })

  it('with a proxy’s HTML names what came', async () => {
    const { postJson } = await answering(502, '<h1>Bad gateway</h1>', 'text/html')
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'refused',
      status: 502,
      message: 'Unable to decode response body as JSON: text/html',
    })
  })
})

describe('no whole answer', () => {
  const somethingWentWrong = { is: 'unreachable', message: 'Something went wrong', detail: expect.stringMatching(/^POST \/x: ./) }

  it('when the connection is closed', async () => {
    const { postJson, postJsonVoid } = await against(request => request.socket.destroy())
    expect(await failureOf(postJson('/x', { password: 'hidden' }, string))).toEqual(somethingWentWrong)
    expect(await failureOf(postJsonVoid('/x', {}))).toEqual(somethingWentWrong)
  })

  it('when it breaks off in the middle', async () => {
    const { postJson } = await against((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('"by')
      setTimeout(() => request.socket.destroy(), 20)
    })
    expect(await failureOf(postJson('/x', {}, string))).toEqual(somethingWentWrong)
  })

  it('when the caller calls it off, before or meanwhile', async () => {
    const { postJson } = await against(() => {})
    const controller = new AbortController()
    const reply = postJson('/x', {}, string, controller.signal)
    controller.abort()
    expect(await failureOf(reply)).toMatchObject({ is: 'aborted' })
    expect(await failureOf(postJson('/x', {}, string, controller.signal))).toMatchObject({ is: 'aborted' })
  })
})

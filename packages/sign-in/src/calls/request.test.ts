/// <reference types="node" />
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { routes } from '@gatehouse/wire'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRequest, postJsonWithRetry } from './request.ts'

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

describe('postJson', () => {
  it('sends the body as JSON, asks for JSON, and decodes the reply', async () => {
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

  it.each([200, 201])('accepts %i as a success', async status => {
    const { postJson } = await answering(status, '"bye"')
    expect(await postJson('/x', {}, string)).toEqual({ ok: true, value: 'bye' })
  })

  it.each([202, 203, 206, 208, 226, 300, 401])('does not accept %i as a success', async status => {
    const { postJson } = await answering(status, '"bye"')
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({ is: 'refused', status, message: 'No error types found' })
  })

  it('fails with a message that names the shape when the body cannot be decoded', async () => {
    const { postJson } = await answering(200, '{"tag":"AuthSomething"}')
    expect(await failureOf(postJson('/x', {}, routes.getAuthTokenWithError.response))).toMatchObject({
      is: 'malformed',
      message: expect.stringMatching(/^decodeAuthOutcome: .*Unknow tag$/),
    })
  })

  it('fails without quoting the body when it is not JSON', async () => {
    const { postJson } = await answering(200, '<p>token-4711</p>', 'text/html')
    const failure = await failureOf(postJson('/x', {}, string))
    expect(failure).toMatchObject({ is: 'malformed', message: 'Unable to decode response body as JSON: text/html' })
    expect(JSON.stringify(failure)).not.toContain('4711')
  })

  it('fails when a success has no body', async () => {
    const { postJson } = await answering(200, undefined)
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'malformed',
      message: 'Unable to decode response body as JSON: the body is empty',
    })
  })
})

describe('postJsonVoid', () => {
  it.each([200, 201, 202, 203, 204, 205, 206, 207, 208, 226])('accepts %i as a success, with any body', async status => {
    const { postJsonVoid } = await answering(status, status === 204 || status === 205 ? undefined : 'no JSON')
    expect(await postJsonVoid('/x', {})).toEqual({ ok: true, value: undefined })
  })

  it.each([209, 299, 302, 500])('does not accept %i as a success', async status => {
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
  ])('%i with %s fails with ‘%s’', async (status, body, message) => {
    const { postJson } = await answering(status, body)
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'refused',
      status,
      message,
      detail: `POST /x answered ${status}: ${message}`,
    })
  })

  it('returns the code of a refusal', async () => {
    const { postJson } = await answering(403, '{"error":"sign in again","code":"ReauthenticationRequired"}')
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({ message: 'sign in again', code: 'ReauthenticationRequired' })
    const older = await answering(403, '{"error":"sign in again"}')
    expect(await failureOf(older.postJson('/x', {}, string))).not.toHaveProperty('code')
  })

  it('returns a typed error', async () => {
    const typedError = { tag: 'ApiError', contents: 'no route' }
    const { postJson } = await answering(502, JSON.stringify({ 'typed-error': typedError }))
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({ message: 'Unknown error: no route', typedError })
  })

  it('names the content type of a proxy’s HTML', async () => {
    const { postJson } = await answering(502, '<h1>Bad gateway</h1>', 'text/html')
    expect(await failureOf(postJson('/x', {}, string))).toMatchObject({
      is: 'refused',
      status: 502,
      message: 'Unable to decode response body as JSON: text/html',
    })
  })
})

describe('without a complete reply', () => {
  const somethingWentWrong = { is: 'unreachable', message: 'Something went wrong', detail: expect.stringMatching(/^POST \/x: ./) }

  it('fails when the connection is closed', async () => {
    const { postJson, postJsonVoid } = await against(request => request.socket.destroy())
    expect(await failureOf(postJson('/x', { password: 'hidden' }, string))).toEqual(somethingWentWrong)
    expect(await failureOf(postJsonVoid('/x', {}))).toEqual(somethingWentWrong)
  })

  it('fails when the reply is incomplete', async () => {
    const { postJson } = await against((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('"by')
      setTimeout(() => request.socket.destroy(), 20)
    })
    expect(await failureOf(postJson('/x', {}, string))).toEqual(somethingWentWrong)
  })

  it('fails as aborted when the caller aborts it, before or during the call', async () => {
    const { postJson } = await against(() => {})
    const controller = new AbortController()
    const reply = postJson('/x', {}, string, controller.signal)
    controller.abort()
    expect(await failureOf(reply)).toMatchObject({ is: 'aborted' })
    expect(await failureOf(postJson('/x', {}, string, controller.signal))).toMatchObject({ is: 'aborted' })
  })
})

describe('a busy server', () => {
  const busy = (retryAfter?: string) =>
    new Response('{"error":"busy"}', { status: 503, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

  /** Calls a server that gives these replies and repeats the last one, under a fake clock. */
  const call = (answers: (() => Response)[], signal?: AbortSignal) => {
    vi.useFakeTimers()
    const started = Date.now()
    const tries: { at: number; body: unknown }[] = []
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
      tries.push({ at: Date.now() - started, body: init?.body })
      return (answers[tries.length - 1] ?? answers.at(-1) ?? busy)()
    })
    closing.push(() => {
      fetched.mockRestore()
      vi.useRealTimers()
    })
    return { tries, reply: postJsonWithRetry('http://x')('/sign-in', { a: 1 }, string, signal) }
  }

  it('CC-02, CC-04: receives the same call and body again after the wait that its reply states', async () => {
    const { tries, reply } = call([() => busy('2'), () => busy('2'), () => busy('1'), () => new Response('"in"')])
    await vi.advanceTimersByTimeAsync(5000)
    expect(await reply).toEqual({ ok: true, value: 'in' })
    expect(tries).toEqual([0, 2000, 4000, 5000].map(at => ({ at, body: '{"a":1}' })))
  })

  it('fails the call after ten seconds, with the server’s message', async () => {
    const { tries, reply } = call([() => busy('2')])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await failureOf(reply)).toMatchObject({ is: 'refused', status: 503, message: 'busy' })
    expect(tries.map(({ at }) => at)).toEqual([0, 2000, 4000, 6000, 8000, 10_000])
  })

  it.each([undefined, '0', '11', '-1', 'Fri, 20 Nov 2026 03:00:00 GMT'])(
    'receives no second call if its reply states no wait, or one that is malformed or too long: %s',
    async wait => {
      const { tries, reply } = call([() => busy(wait)])
      expect(await failureOf(reply)).toMatchObject({ status: 503 })
      expect(tries).toHaveLength(1)
    },
  )

  it('gets no further call after an abort', async () => {
    const off = new AbortController()
    const { tries, reply } = call([() => busy('2')], off.signal)
    await vi.advanceTimersByTimeAsync(1000)
    off.abort()
    expect(await failureOf(reply)).toMatchObject({ is: 'aborted' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(tries).toHaveLength(1)
    vi.useRealTimers()
    const late = call([() => busy('2')], AbortSignal.abort())
    expect(await failureOf(late.reply)).toMatchObject({ is: 'aborted' })
  })

  it('gets no second call after a 429, with and without retries', async () => {
    const { post } = { post: createRequest('http://x').postJson }
    const { tries, reply } = call([() => new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': '2' } })])
    expect(await failureOf(reply)).toMatchObject({ status: 429 })
    expect(tries).toHaveLength(1)
    expect(await failureOf(post('/x', {}, string))).toMatchObject({ status: 429 })
    expect(tries).toHaveLength(2)
  })
})

/// <reference types="node" />
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { Email, type Shape } from '@gatehouse/wire'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from './answer.ts'
import { createRequest } from './request.ts'

watchConsole()
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach(close => void close()))

type Request = ReturnType<typeof createRequest>
type Helper = keyof Request

const against = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return createRequest(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`)
}
const answering = (status: number, body: string | Uint8Array | undefined, type = 'application/json') =>
  against((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
const read = async (request: IncomingMessage) => {
  let body = ''
  for await (const part of request) body += part
  return body
}

const file = new File(['line 1\n'], 'report.csv', { type: 'text/csv' })
const json = { a: 'ü' }

/** Every function of the request layer, called in the same way. */
const calls: Record<Helper, (request: Request, signal?: AbortSignal) => Promise<Reply<unknown>>> = {
  getJson: (request, signal) => request.getJson('/x', Email, signal),
  getJsonOptional: (request, signal) => request.getJsonOptional('/x', Email, signal),
  getJsonArray: (request, signal) => request.getJsonArray('/x', Email, signal),
  getBlob: (request, signal) => request.getBlob('/x', signal),
  postJson: (request, signal) => request.postJson('/x', json, Email, signal),
  postJsonVoid: (request, signal) => request.postJsonVoid('/x', json, signal),
  postJsonOptional: (request, signal) => request.postJsonOptional('/x', json, Email, signal),
  postJsonArray: (request, signal) => request.postJsonArray('/x', json, Email, signal),
  postJsonString: (request, signal) => request.postJsonString('/x', json, signal),
  postJsonBlob: (request, signal) => request.postJsonBlob('/x', json, signal),
  putJson: (request, signal) => request.putJson('/x', json, Email, signal),
  putJsonVoid: (request, signal) => request.putJsonVoid('/x', json, signal),
  putJsonOptional: (request, signal) => request.putJsonOptional('/x', json, Email, signal),
  putJsonArray: (request, signal) => request.putJsonArray('/x', json, Email, signal),
  putJsonString: (request, signal) => request.putJsonString('/x', json, signal),
  postFile: (request, signal) => request.postFile('/x', file, Email, signal),
  postFileArray: (request, signal) => request.postFileArray('/x', file, Email, signal),
  postFileVoid: (request, signal) => request.postFileVoid('/x', file, signal),
  deleteJson: (request, signal) => request.deleteJson('/x', Email, signal),
  deleteVoid: (request, signal) => request.deleteVoid('/x', signal),
}
const all = Object.keys(calls) as Helper[]
const endingIn = (end: string) => all.filter(name => name.endsWith(end))
const [optionals, arrays, voids, strings, blobs] = ['Optional', 'Array', 'Void', 'String', 'Blob'].map(endingIn) as [
  Helper[],
  Helper[],
  Helper[],
  Helper[],
  Helper[],
]
const plains = all.filter(name => ![optionals, arrays, voids, strings, blobs].some(list => list.includes(name)))
const decoding = [...plains, ...optionals, ...arrays]
const uploads = all.filter(name => name.startsWith('postFile'))

const ada = { emailEmail: 'ada@example.com' }
const bodyFor = (name: Helper) => JSON.stringify(arrays.includes(name) ? [ada] : ada)
const successOf = async (reply: Promise<Reply<unknown>>) => {
  const settled = await reply
  if (!settled.ok) throw new Error(settled.failure.detail)
  return settled.value
}
const failureOf = async (reply: Promise<Reply<unknown>>) => {
  const settled = await reply
  if (settled.ok) throw new Error('it did not fail')
  return settled.failure
}

describe.each(all)('%s', name => {
  const method = /^(get|post|put|delete)/.exec(name)?.[0].toUpperCase() ?? ''

  it('uses its method, asks for JSON, and includes credentials', async () => {
    let seen: IncomingMessage | undefined
    let body = ''
    const fetched = vi.spyOn(globalThis, 'fetch')
    const request = await against(async (incoming, response) => {
      seen = incoming
      body = await read(incoming)
      response.end(bodyFor(name))
    })
    expect((await calls[name](request)).ok).toBe(true)
    expect([seen?.method, seen?.url]).toEqual([method, '/base/x'])
    expect(seen?.headers.accept).toMatch(/^application\/json(, \*\/\*)?$/)
    expect(fetched.mock.calls[0]?.[1]?.credentials).toBe('include')
    if (uploads.includes(name)) {
      expect(seen?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
      expect(body).toContain('Content-Disposition: form-data; name="f1"; filename="report.csv"\r\nContent-Type: text/csv\r\n\r\nline 1\n')
    } else if (method === 'POST' || method === 'PUT') {
      expect([seen?.headers['content-type'], body]).toEqual(['application/json', '{"a":"ü"}'])
    } else {
      expect([seen?.headers['content-type'], body]).toEqual([undefined, ''])
    }
  })

  const successes =
    name === 'postJson' ? [200, 201] : [...strings, ...blobs].includes(name) ? [200] : [200, 201, 202, 203, 206, 207, 208, 226]
  it(`accepts only ${successes.join(', ')} as a success`, async () => {
    for (const status of [200, 201, 202, 203, 206, 207, 208, 209, 226, 300, 400, 500]) {
      const request = await answering(status, bodyFor(name))
      const reply = await calls[name](request)
      expect([status, reply.ok]).toEqual([status, successes.includes(status)])
      if (!reply.ok) expect(reply.failure).toMatchObject({ is: 'refused', status, message: 'No error types found' })
    }
  })

  it('has a message for an error without a body', async () => {
    const unknown = uploads.includes(name) ? 'Unknown Error in File Upload' : 'Unknown error'
    for (const [status, message] of [
      [400, '400 - Bad Request'],
      [404, '404 - Not Found'],
      [500, unknown],
    ] as const) {
      expect(await failureOf(calls[name](await answering(status, undefined)))).toMatchObject({ is: 'refused', status, message })
    }
  })

  it('returns the error of an error body', async () => {
    expect(await failureOf(calls[name](await answering(422, '{"error":"name the field"}')))).toMatchObject({
      message: 'name the field',
      detail: `${method} /x answered 422: name the field`,
    })
  })

  it('returns ‘Something went wrong’ without a reply, and does not throw', async () => {
    const request = await against(incoming => incoming.socket.destroy())
    expect(await failureOf(calls[name](request))).toMatchObject({ is: 'unreachable', message: 'Something went wrong' })
  })

  it('returns an `aborted` failure when its signal aborts', async () => {
    const controller = new AbortController()
    const reply = calls[name](await against(() => {}), controller.signal)
    controller.abort()
    expect(await failureOf(reply)).toMatchObject({ is: 'aborted' })
  })
})

describe.each(decoding)('the value of %s', name => {
  it('is decoded by the shape', async () => {
    const value = await successOf(calls[name](await answering(200, bodyFor(name))))
    expect(value).toEqual(arrays.includes(name) ? [ada] : ada)
  })

  it('causes a failure that names the shape if it does not match', async () => {
    const wrong = arrays.includes(name) ? '[{"emailEmail":"a@b"},{}]' : '{}'
    expect(await failureOf(calls[name](await answering(200, wrong)))).toMatchObject({
      is: 'malformed',
      message: `decodeEmail: ${arrays.includes(name) ? '/1: ' : ''}/emailEmail: is missing`,
    })
  })

  it('fails to decode if it is not JSON, and the error does not quote it', async () => {
    const failure = await failureOf(calls[name](await answering(200, '<p>token-4711</p>', 'text/html')))
    expect(failure).toMatchObject({ is: 'malformed', message: 'Unable to decode response body as JSON: text/html' })
    expect(JSON.stringify(failure)).not.toContain('4711')
  })

  it('returns a failure when the shape throws', async () => {
    const broken = {
      get name(): string {
        throw new Error('a bug')
      },
      schema: Email.schema,
    } as Shape<Email>
    const request = await answering(200, arrays.includes(name) ? '[{}]' : '{}')
    const call = request[name] as (...args: unknown[]) => Promise<Reply<unknown>>
    const args = uploads.includes(name) ? ['/x', file, broken] : /^p/.test(name) ? ['/x', json, broken] : ['/x', broken]
    expect(await failureOf(call(...args))).toMatchObject({
      is: 'malformed',
      message: 'Unknown error while trying to decode response',
    })
  })
})

describe.each(plains)('%s without a body', name => {
  it('fails because the body is empty', async () => {
    expect(await failureOf(calls[name](await answering(200, undefined)))).toMatchObject({
      is: 'malformed',
      message: 'Unable to decode response body as JSON: the body is empty',
    })
  })
})

describe.each(optionals)('%s', name => {
  it.each([
    [200, 'null'],
    [200, undefined],
    [204, undefined],
  ])('returns undefined for %i with %s', async (status, body) => {
    expect(await calls[name](await answering(status, body))).toEqual({ ok: true, value: undefined })
  })
})

describe.each(arrays)('%s', name => {
  it('accepts an empty list, but not an object', async () => {
    expect(await successOf(calls[name](await answering(200, '[]')))).toEqual([])
    expect(await failureOf(calls[name](await answering(200, '{}')))).toMatchObject({ message: 'decodeEmail: expected a list' })
  })
})

describe.each(voids)('%s', name => {
  it.each([
    [200, 'no JSON'],
    [204, undefined],
    [205, undefined],
  ])('does not read the body of %i', async (status, body) => {
    expect(await calls[name](await answering(status, body))).toEqual({ ok: true, value: undefined })
  })
})

describe.each(strings)('%s', name => {
  it('returns the text unchanged', async () => {
    expect(await successOf(calls[name](await answering(200, ' "bye" ü\n', 'text/plain')))).toBe(' "bye" ü\n')
    expect(await successOf(calls[name](await answering(200, undefined)))).toBe('')
  })
})

describe.each(blobs)('%s', name => {
  it('returns the bytes and their type', async () => {
    const value = await successOf(calls[name](await answering(200, Uint8Array.of(0, 255, 10), 'application/zip')))
    if (!(value instanceof Blob)) throw new Error('no blob')
    expect([...new Uint8Array(await value.arrayBuffer())]).toEqual([0, 255, 10])
    expect(value.type).toBe('application/zip')
  })
})

describe('a file without a name', () => {
  it('is uploaded as ‘blob’', async () => {
    let body = ''
    const request = await against(async (incoming, response) => {
      body = await read(incoming)
      response.end()
    })
    await request.postFileVoid('/x', new Blob(['x']))
    expect(body).toContain('name="f1"; filename="blob"')
  })
})

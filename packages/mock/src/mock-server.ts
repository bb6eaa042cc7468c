import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthOutcome, decode, SocketMessage, socketsPath } from '@gatehouse/wire'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Call, callAt, callNamed, calls } from './calls.ts'
import { afterSignInPage, choicesPage, pageScript, pageStyles, providerPage } from './page.ts'
import { type Choice, createChooser, type Frame, type Scenario, usualScenario } from './scenario.ts'

/** How to start a mock. */
export type MockOptions = {
  /** 0, the default, takes any free port. */
  port?: number
  scenario?: Scenario
  /** Origins that may call the mock, besides those of this machine. */
  origins?: readonly string[]
  /** The address that the token page redirects to. By default, the token page shows a page of the mock. */
  afterSignIn?: string | undefined
  /** Receives a line for each call. */
  say?: (line: string) => void
}

/** A call that the mock has received. */
export type Received = { call: string; body: unknown; outcome: string; status: number }

/** The largest request body, in bytes. */
const largest = 64 * 1024
/** How many calls the page lists. */
const mostReceived = 200
/** Headers of every response. The first says that this is a mock. */
const marks = {
  'x-gatehouse-mock': 'not a server: it signs in everyone',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}
const session = 'gatehouse-mock-session'
/** The session cookie's value is not secret: it gives access to nothing. */
const startOfSession = { 'set-cookie': `${session}=mock; Path=/; HttpOnly; SameSite=Lax` }
const endOfSession = { 'set-cookie': `${session}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0` }
/** The calls that start a session, as the token page does. */
const startsSession: ReadonlySet<string> = new Set(['plowlogin', 'loginWithToken', 'handOver'])

const isThisMachine = (host: string) => /^(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])$/.test(host)

/** Reads the outcome and the delay from a call's query, or from its header `outcome=…; delay=…`. */
const choiceIn = (request: IncomingMessage, query: URLSearchParams): Choice => {
  const header = new URLSearchParams(String(request.headers['x-gatehouse-mock'] ?? '').replace(/\s*;\s*/g, '&'))
  const read = (name: string) => query.get(name) ?? header.get(name) ?? undefined
  const delay = Number(read('delay') ?? Number.NaN)
  return { outcome: read('outcome'), delay: delay >= 0 && delay <= 600_000 ? delay : undefined }
}

const withExpiry = (body: unknown): unknown => {
  const outcome = decode(AuthOutcome, body)
  if (!outcome.ok || outcome.value.tag !== 'AuthSuccessful') return body
  return { ...outcome.value, contents: { ...outcome.value.contents, authTokenExpires: '2999-01-01T00:00:00Z' } }
}

const readBody = async (request: IncomingMessage): Promise<{ text: string; isTooLarge: boolean }> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= largest) parts.push(part)
  }
  return { text: Buffer.concat(parts).toString(), isTooLarge: size > largest }
}

const parse = (text: string): { json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * Starts a mock on 127.0.0.1. It checks requests like a server, but knows no users: the chosen outcome decides. Never use it in front of
 * anything that must be protected.
 */
export const startMock = async ({ port = 0, scenario = usualScenario, origins = [], afterSignIn, say = () => {} }: MockOptions = {}) => {
  const chooser = createChooser(scenario)
  const received: Received[] = []
  const sockets = new Set<WebSocket>()

  const mayCall = (origin: string | undefined) =>
    origin === undefined || origins.includes(origin) || isThisMachine(URL.parse(origin)?.hostname ?? '')

  const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string | string[]> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...marks, ...headers }).end(JSON.stringify(body))
  }
  const sendPage = (response: ServerResponse, text: string, type = 'text/html', headers = {}) =>
    response.writeHead(200, { ...marks, ...headers, 'content-type': `${type}; charset=utf-8` }).end(text)

  const cookiesOf = ({ name }: Call, status: number): Record<string, string> => {
    if (status !== 200) return {}
    if (startsSession.has(name)) return startOfSession
    return name === 'logoutBySelf' ? endOfSession : {}
  }

  const answer = async (call: Call, request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> => {
    const choice = choiceIn(request, query)
    for (const name of ['outcome', 'delay']) query.delete(name)
    const { text, isTooLarge } = await readBody(request)
    const note = (status: number, outcome: string, body?: unknown) => {
      received.push({ call: call.name, body, outcome, status })
      if (received.length > mostReceived) received.shift()
      say(`${call.name} → ${outcome} (${status})`)
    }
    const refuse = (status: number, error: string) => {
      note(status, error)
      send(response, status, { error })
    }
    if (isTooLarge) return refuse(413, 'body: is too large')
    if (call.route.method === 'POST' && !/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      return refuse(415, 'content-type: expected application/json')
    const body = call.route.method === 'GET' ? { json: Object.fromEntries(query) } : parse(text)
    if (!body) return refuse(400, 'body: is not JSON')
    const decoded = decode(call.route.request, body.json)
    if (!decoded.ok) return refuse(400, decoded.error)
    const next = chooser.next(call, choice)
    if (!next)
      return refuse(400, `x-gatehouse-mock: ${call.name} has no outcome ${choice.outcome}; it has ${[...call.outcomes.keys()].join(', ')}`)
    note(next.response.status, next.outcome, body.json)
    if (next.delay > 0) await sleep(next.delay)
    const { status, headers, breaks } = next.response
    if (breaks === 'never') return undefined
    if (breaks === 'at once') return void response.destroy()
    if (breaks === 'midway') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000, ...marks })
      return void response.write('{"tag":"Auth', () => response.destroy())
    }
    const all = { ...cookiesOf(call, status), ...headers }
    if (next.response.raw === undefined) return send(response, status, usualBody(call, request, next), all)
    response.writeHead(status, { 'content-type': 'application/json', ...marks, ...all }).end(next.response.raw)
    return undefined
  }

  /** Four usual responses differ from the golden messages: the token is unexpired, the origin is allowed, and two depend on the request. */
  const usualBody = (
    call: Call,
    request: IncomingMessage,
    { outcome, response: { body } }: { outcome: string; response: { body: unknown } },
  ) => {
    if (outcome !== call.usual) return body
    // The golden token has expired, and a page may check the time.
    if (outcome === 'AuthSuccessful') return withExpiry(body)
    if (call.name === 'originCheck') return { pageOrigin: 'Allowed' }
    if (call.name === 'sessionCheck') return { signedIn: request.headers.cookie?.includes(`${session}=mock`) ?? false }
    return call.name === 'featuresCheck' && request.url?.includes('name=') ? false : body
  }

  /**
   * Answers requests below `/mock/`. With these, tests and the choices page read and choose
   * outcomes.
   */
  const control = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET' && path === '/mock/calls')
      return send(
        response,
        200,
        calls.map(call => {
          const { name, route, usual, outcomes } = call
          return { name, method: route.method, path: route.path, usual, outcomes: [...outcomes.keys()], chosen: chooser.choiceOf(call) }
        }),
      )
    if (request.method === 'GET' && path === '/mock/received') return send(response, 200, received)
    if (request.method !== 'POST' || !request.headers['content-type']?.startsWith('application/json'))
      return send(response, 405, { error: 'expected POST' })
    const body = parse((await readBody(request)).text)?.json as Record<string, unknown> | null | undefined
    if (path === '/mock/reset') {
      chooser.reset()
      received.length = 0
      return send(response, 200, {})
    }
    if (path === '/mock/choose') {
      const call = callNamed(String(body?.call))
      const outcome = body?.outcome === undefined || body.outcome === '' ? undefined : String(body.outcome)
      if (!call || (outcome !== undefined && !call.outcomes.has(outcome)))
        return send(response, 400, { error: 'there is no such call or outcome' })
      chooser.choose(call, { outcome, delay: typeof body?.delay === 'number' ? body.delay : undefined })
      return send(response, 200, {})
    }
    if (path === '/mock/message') {
      const message = decode(SocketMessage, body?.message)
      if (!message.ok) return send(response, 400, { error: message.error })
      for (const socket of sockets) socket.send(JSON.stringify(body?.message))
      return send(response, 200, { sockets: sockets.size })
    }
    return send(response, 404, { error: 'there is no such address' })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
    const { origin, host = '' } = request.headers
    // Attack (DNS rebinding): a page of another site points its own host name at this machine.
    if (!isThisMachine(host.replace(/:\d+$/, ''))) return send(response, 403, { error: 'host: the mock answers to this machine only' })
    const isCrossSite = origin === undefined && request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'POST'
    if (isCrossSite || !mayCall(origin)) return send(response, 403, { error: 'origin: this request comes from another site' })
    if (origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-expose-headers', 'retry-after')
      response.setHeader('vary', 'Origin')
    }
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      const allowed = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'content-type, x-gatehouse-mock' }
      return response.writeHead(204, { ...marks, ...allowed }).end()
    }
    if (path.startsWith('/mock/') && path !== '/mock/page.js' && path !== '/mock/page.css') return control(path, request, response)
    const call = callAt(request.method ?? '', path)
    if (call) return answer(call, request, response, query)
    const allowed = ['GET', 'POST'].filter(method => callAt(method, path))
    if (allowed.length > 0)
      return send(response, 405, { error: `method: this address takes ${allowed[0]} only` }, { allow: allowed.join(', ') })
    return sendDocument(path, response)
  }

  const sendDocument = (path: string, response: ServerResponse) => {
    if (path === '/') return sendPage(response, choicesPage)
    if (path === '/mock/page.js') return sendPage(response, pageScript, 'text/javascript')
    if (path === '/mock/page.css') return sendPage(response, pageStyles, 'text/css')
    if (path === '/auth/page/plow/ssoLogin') return sendPage(response, providerPage)
    if (/^\/auth\/page\/plow\/[^/]+\/[^/]+$/.test(path)) {
      if (afterSignIn === undefined) return sendPage(response, afterSignInPage, 'text/html', startOfSession)
      return response.writeHead(303, { ...marks, ...startOfSession, location: afterSignIn }).end()
    }
    return send(response, 404, { error: 'there is no such address' })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(error => {
      say(`The mock failed: ${error}`)
      if (!response.headersSent) send(response, 500, { error: 'the mock failed' })
    })
  })

  const play = (socket: WebSocket, { after, message, close }: Frame) =>
    setTimeout(() => {
      if (message !== undefined) socket.send(JSON.stringify(message))
      if (close !== undefined) socket.close(close)
    }, after)

  const live = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const isSockets = new URL(request.url ?? '/', 'http://localhost').pathname === socketsPath
    if (!isSockets || !mayCall(request.headers.origin))
      return socket.end(`HTTP/1.1 ${isSockets ? '403 Forbidden' : '404 Not Found'}\r\n\r\n`)
    return live.handleUpgrade(request, socket, head, client => {
      sockets.add(client)
      client.send(JSON.stringify({ tag: 'Nonce', contents: 'bW9jaw' }))
      const timers = scenario.sockets.map(frame => play(client, frame))
      client.on('close', () => {
        sockets.delete(client)
        for (const timer of timers) clearTimeout(timer)
      })
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** The calls received, the oldest first; at most 200. */
    received: received as readonly Received[],
    /** Chooses the outcome of a call from now on, like the page at `/`. */
    choose: (name: string, choice: Choice) => {
      const call = callNamed(name)
      if (!call || (choice.outcome !== undefined && !call.outcomes.has(choice.outcome)))
        throw new Error(`no call ${name} with ${choice.outcome}`)
      chooser.choose(call, choice)
    },
    /** Forgets all choices and received calls. */
    reset: () => {
      chooser.reset()
      received.length = 0
    },
    close: () => {
      for (const socket of sockets) socket.terminate()
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

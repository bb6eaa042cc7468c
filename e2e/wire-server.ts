import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode, type Route, routes } from '@gatehouse/wire'
import { englishFirstLoad } from '../packages/sign-in/src/messages/en-first-load.ts'
import { outcome } from './messages.ts'

/** The names of the JSON calls, as in `routes`. */
export type CallName = keyof typeof routes

/** The reply to a call. Default: 200 and the call's usual success. */
export type Answer = {
  status?: number
  json?: unknown
  /** A body that may not be JSON. */
  body?: string
  type?: string
  /** Seconds until the client may call again. */
  retryAfter?: number
  /** The reply waits for this promise. */
  after?: Promise<unknown>
  /** Closes the connection instead of replying: immediately, or in the middle of the body. */
  drop?: 'at once' | 'midway'
}

const table = new Map<string, { name: CallName; route: Route }>()
for (const [name, route] of Object.entries(routes)) table.set(`${route.method} ${route.path}`, { name: name as CallName, route })

const root = join(import.meta.dirname, '..')
const portal = join(root, 'packages/portal/dist/client')
const folders: Record<string, string> = {
  '/assets/': join(portal, 'assets'),
  '/page/': join(root, 'packages/sign-in/dist/page'),
  '/bootstrap/': dirname(fileURLToPath(import.meta.resolve('bootstrap/dist/css/bootstrap.css'))),
}
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
}

/** The built sign-in page with its first texts. The page's script contains none; our server writes them into the page. */
const signInPage = async () =>
  (await readFile(join(portal, 'index.html'), 'utf8')).replace(
    /(?<=id="gatehouse-props">)null/,
    JSON.stringify({ messages: englishFirstLoad }).replaceAll('<', '\\u003c'),
  )

/** Our server's Content-Security-Policy. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

type Received = { call: CallName; body: unknown; credentials: boolean }

/**
 * A test server for the wire format: it serves the built pages, and replies to each call as the test prescribes. It replies 400 to
 * a request that its route cannot decode, and adds the error to `refused`, which fails the test.
 */
export const startWireServer = async () => {
  const replies = new Map<CallName, Answer[]>()
  const received: Received[] = []
  const refused: string[] = []
  const documents = new Map<string, string>()
  const applications = new Map<string, { folder: string; index: string }>()
  let keepable = false

  const answerCall = async (name: CallName, route: Route, request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body: unknown = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : undefined
    received.push({ call: name, body, credentials: request.headers.cookie?.includes('seen=1') ?? false })
    const decoded = decode(route.request, body)
    if (!decoded.ok) {
      refused.push(decoded.error)
      return send(response, 400, 'application/json', JSON.stringify({ error: decoded.error }))
    }
    const waiting = replies.get(name) ?? []
    const answer = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? { json: usual[name] ?? {} }
    await answer.after
    if (answer.drop === 'at once') return response.destroy()
    const text = answer.body ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
    if (answer.drop === 'midway') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 100 })
      return response.write(text, () => response.destroy())
    }
    if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter)
    send(response, answer.status ?? 200, answer.type ?? 'application/json', text)
  }

  const server = createServer((request, response) => {
    // Chromium repeats a request when a reused connection is lost, but not on a new one.
    response.shouldKeepAlive = false
    if (keepable) response.setHeader('cache-control', 'no-cache')
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const call = table.get(`${request.method} ${pathname}`)
    const [prefix, application] = [...applications].find(([prefix]) => pathname.startsWith(prefix)) ?? []
    if (call) void answerCall(call.name, call.route, request, response)
    else if (prefix && application) void sendFile(join(application.folder, pathname.slice(prefix.length) || application.index), response)
    // Full Chromium requests a favicon for pages without an icon, and reports a 404. The headless shell does not.
    else if (pathname === '/favicon.ico') response.writeHead(204).end()
    else void sendDocument(pathname, documents, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  return {
    url: `http://localhost:${address.port}`,
    /** The calls received, in order. */
    received,
    /** Errors of requests that could not be decoded. */
    refused,
    /** Prescribes the replies to a call, in order. The last one repeats. */
    answer: (call: CallName, ...answers: Answer[]) => void replies.set(call, answers),
    /** Serves a page, script or style sheet of the test. */
    serve: (path: string, text: string) => void documents.set(path, text),
    /** Serves a host application's build, without our policy: such pages have inline scripts. */
    serveApplication: (prefix: string, folder: string, index = 'index.html') => void applications.set(prefix, { folder, index }),
    /** From now on, the back/forward cache may keep pages. It keeps none with `no-store`. */
    allowPageCache: () => {
      keepable = true
    },
    reset: () => {
      keepable = false
      replies.clear()
      documents.clear()
      applications.clear()
      received.length = 0
      refused.length = 0
    },
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

export type WireServer = Awaited<ReturnType<typeof startWireServer>>

const usual: Partial<Record<CallName, unknown>> = {
  getAuthTokenWithError: outcome.success,
  verifyOTP: outcome.success,
  setupOTP: outcome.success,
  resetOTP: outcome.needsReset,
  magiclinkSend: { tag: 'Ok' },
  magiclinkWait: { number: '42' },
  magiclinkCode: outcome.success,
}

const send = (response: ServerResponse, status: number, type: string, body: string | Buffer) => {
  // A cookie on each page shows whether calls include credentials.
  if (type.startsWith('text/html')) response.setHeader('set-cookie', 'seen=1; Path=/; HttpOnly; SameSite=Lax')
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store')
  response.writeHead(status, { 'content-type': type, 'content-security-policy': policy })
  response.end(body)
}

const sendFile = async (file: string, response: ServerResponse) => {
  try {
    const body = await readFile(file)
    const cookie = file.endsWith('.html') ? { 'set-cookie': 'seen=1; Path=/; HttpOnly; SameSite=Lax' } : {}
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', ...cookie }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}

const sendDocument = async (path: string, documents: Map<string, string>, response: ServerResponse) => {
  const own = documents.get(path)
  if (own !== undefined) return send(response, 200, types[extname(path)] ?? 'text/html; charset=utf-8', own)
  if (path === '/') return send(response, 200, 'text/html; charset=utf-8', await signInPage())
  // The target after a sign-in: a token page or a provider.
  if (path.startsWith('/auth/page/plow/'))
    return send(
      response,
      200,
      'text/html; charset=utf-8',
      '<!doctype html><title>Beyond</title><link rel="icon" href="data:,"><h1>Beyond</h1>',
    )
  const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? []
  try {
    if (!prefix || !folder) throw new Error(path)
    const file = join(folder, path.slice(prefix.length))
    send(response, 200, types[extname(file)] ?? 'application/octet-stream', await readFile(file))
  } catch {
    send(response, 404, 'text/plain', '')
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { onTestFinished } from 'vitest'
import { type Answer, ask } from '../../src/doctor/ask.ts'

/** How a proxy answers. `check` asks Gatehouse, as Traefik and Caddy do. */
export type Behavior = (response: ServerResponse, request: IncomingMessage, check: () => Promise<Answer>) => unknown

const page: Behavior = response => response.writeHead(200).end('a dashboard')

const pass = (response: ServerResponse, { status, headers: { location }, body }: Answer) =>
  response.writeHead(status, { ...(location !== undefined && { location }) }).end(body)

/** Caches the check's first answer for each address and sends it to every visitor. */
const cache = (): Behavior => {
  const kept = new Map<string, Answer>()
  return async (response, { url = '' }, check) => {
    const answer = kept.get(url) ?? (await check())
    kept.set(url, answer)
    pass(response, answer)
  }
}

const right: Behavior = async (response, request, check) => {
  const answer = await check()
  if (answer.status === 200) page(response, request, check)
  else pass(response, answer)
}

/** A correct proxy, and typical faults. */
export const behaviors = {
  right,
  noCheck: page,
  missingPage: response => response.writeHead(404).end('no such page'),
  /** The proxy does not check /api/. */
  partly: (response, request, check) => (request.url?.startsWith('/api/') ? page : right)(response, request, check),
  ownSignIn: response => response.writeHead(302, { location: '/login' }).end(),
  fixedRefusal: response => response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
  loop: (response, { url = '' }) => response.writeHead(301, { location: url }).end(),
  elsewhere: response => response.writeHead(302, { location: 'https://elsewhere.example.net/' }).end(),
  reportOnly: async (response, request, check) => {
    const { headers } = await check()
    response.setHeader('gatehouse-probe', headers['gatehouse-probe'] ?? '')
    page(response, request, check)
  },
  /** The proxy does not pass the alarm's probe token on to the check. */
  withoutToken: (response, request, check) => {
    delete request.headers['gatehouse-probe']
    return right(response, request, check)
  },
  silent: () => {},
  broken: response => response.writeHead(502).end(),
  placeholder: response => response.writeHead(503).end('starting'),
} as const satisfies Record<string, Behavior>
export const cached = cache

const hopByHop = ['connection', 'host', 'upgrade', 'keep-alive']

/** A proxy on this machine. `hosts` sets the behavior of a host; all other hosts forward to Gatehouse without a check. */
export const startFront = async ({ gatehouse, port, tls }: { gatehouse: string; port: number; tls?: ServerOptions }) => {
  const hosts = new Map<string, Behavior>()
  const requests: { host: string; url: string; userAgent: string }[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { host = '', 'user-agent': userAgent = '' } = request.headers
    requests.push({ host, url: request.url ?? '', userAgent })
    const headers = () =>
      Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) => (hopByHop.includes(name) ? [] : [[name, String(value ?? '')]])),
      )
    const check = () =>
      ask(`${gatehouse}/auth/forward`, {
        ...headers(),
        'x-forwarded-for': '192.0.2.7',
        'x-forwarded-proto': tls ? 'https' : 'http',
        'x-forwarded-host': host,
        'x-forwarded-uri': request.url ?? '',
        'x-forwarded-method': request.method ?? '',
      })
    const behavior: Behavior =
      hosts.get(host.replace(/:\d+$/, '')) ?? (async () => pass(response, await ask(gatehouse + request.url, headers())))
    await Promise.resolve(behavior(response, request, check)).catch(() => response.writeHead(502).end())
  }
  const make = () => (tls ? createTlsServer(tls, answer) : createServer(answer))
  let server = make()
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const start = async () => {
    server = make()
    await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  await start()
  onTestFinished(stop)
  return { hosts, requests, start, stop }
}

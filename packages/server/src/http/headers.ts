import type { IncomingMessage } from 'node:http'
import fastifyHelmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'

const self = "'self'"
const directives = (styles: readonly string[], formTargets: readonly string[]) => ({
  'default-src': [self],
  'script-src': [self],
  'style-src': [self, ...styles],
  'img-src': [self, 'data:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': [self, ...formTargets],
  'frame-ancestors': ["'none'"],
})

/**
 * Sets the headers that differ on pages whose forms work without a script.
 * @param onward the origins that a sign-in may redirect to: browsers apply form-action to redirects too
 */
export const createFormHeaders =
  (onward: () => readonly string[]) =>
  /** @param styles hashes of the style elements in the page */
  (reply: FastifyReply, styles: readonly string[] = []) => {
    const all = Object.entries(directives(styles, onward())).map(([name, values]) => `${name} ${values.join(' ')}`)
    reply.header('content-security-policy', all.join(';'))
    // Under no-referrer, browsers send forms with `Origin: null` (Fetch Standard, `Origin` header), and the origin check would fail.
    reply.header('referrer-policy', 'same-origin')
    return reply
  }
export type FormHeaders = ReturnType<typeof createFormHeaders>

/** Sends the security headers on every response. Computes them once; the Helmet plugin would compute them for each response. */
export const sendSecurityHeaders = async (app: FastifyInstance, https: boolean) => {
  const fixed = await readSecurityHeaders(https)
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(fixed)
    done()
  })
}

const readSecurityHeaders = async (https: boolean): Promise<Record<string, string>> => {
  const apart = Fastify()
  await apart.register(fastifyHelmet, {
    global: true,
    contentSecurityPolicy: { useDefaults: false, directives: directives([], []) },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Decision 030: this header slows page loads, and other headers already isolate the origin.
    originAgentCluster: false,
  })
  return readFixedHeaders(apart, '/')
}

/** Reads the headers of an ordinary response, without those that differ from response to response. */
export const readFixedHeaders = async (app: FastifyInstance, address: string): Promise<Record<string, string>> => {
  const { headers } = await app.inject(address)
  const own = new Set(['content-type', 'content-length', 'date', 'connection', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])))
}

/** Whether a request accepts an HTML page. */
export const wantsPage = (headers: IncomingMessage['headers']) => headers.accept?.includes('text/html') === true

export const html = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)

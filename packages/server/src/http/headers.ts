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
 * What is different on a page with a form that works without a script.
 * @param onward where a sign-in may lead in the end: to browsers that is a part of where its form goes
 */
export const createFormHeaders =
  (onward: readonly string[]) =>
  /** @param styles hashes of the style elements in the page */
  (reply: FastifyReply, styles: readonly string[] = []) => {
    const all = Object.entries(directives(styles, onward)).map(([name, values]) => `${name} ${values.join(' ')}`)
    reply.header('content-security-policy', all.join(';'))
    // Under no-referrer a browser sends a form with `Origin: null` (Fetch, 3.1), and there would be nothing to know our own pages by.
    reply.header('referrer-policy', 'same-origin')
    return reply
  }
export type FormHeaders = ReturnType<typeof createFormHeaders>

/** What browsers are told to refuse, on every answer. Put together once: the plugin would do so, policy and all, for each of them. */
export const sendSecurityHeaders = async (app: FastifyInstance, https: boolean) => {
  const fixed = await readSecurityHeaders(https)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(fixed)
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
    // Decision 030: it takes a browser longer to get ready, and what it is for others do.
    originAgentCluster: false,
  })
  return readFixedHeaders(apart, '/')
}

/** The headers of an ordinary answer, but for what is another in each. */
export const readFixedHeaders = async (app: FastifyInstance, address: string): Promise<Record<string, string>> => {
  const { headers } = await app.inject(address)
  const own = new Set(['content-type', 'content-length', 'date', 'connection', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])))
}

/** Whether a request is for a page, by a person's navigation. */
export const wantsPage = (headers: IncomingMessage['headers']) => headers.accept?.includes('text/html') === true

export const html = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)

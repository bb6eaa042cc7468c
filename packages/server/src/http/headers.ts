import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What browsers are told to refuse, on every answer. */
export const sendSecurityHeaders = async (app: FastifyInstance, https: boolean) => {
  await app.register(fastifyHelmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
}

/** The headers of an ordinary answer, for those that reach no route and no hook. */
export const readFixedHeaders = async (app: FastifyInstance, path: string): Promise<Record<string, string>> => {
  const { headers } = await app.inject(`${path}/healthz`)
  const own = new Set(['content-type', 'content-length', 'date', 'connection', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])))
}

/** Answers what is no HTTP that Node can read: too large a head, too slow, or nonsense. */
export const refuseConnection = (error: Error & { code?: string }, socket: Socket, headers: Record<string, string>) => {
  if (!socket.writable) return socket.destroy()
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers: are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request: took too long to arrive']
        : ['400 Bad Request', 'request: cannot be read']
  const body = JSON.stringify({ error: message })
  const all = { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': body.length, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Whether a request is for a page, by a person's navigation. */
export const wantsPage = (headers: IncomingMessage['headers']) => headers.accept?.includes('text/html') === true

export const html = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)

import { decode, type ErrorBody, type ErrorCode, encode, type Route, type VerifyError } from '@gatehouse/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import { BadInput } from '../bad-input.ts'
import { isDatabaseFault } from '../database-fault.ts'
import { Busy } from '../passwords/passwords.ts'
import { parseJsonBody } from './json-body.ts'
import { TooMany } from './rate-limits.ts'

/** An error with an HTTP status. The message is for developers; a page that must react reads the code. */
export class Refused extends Error {
  readonly status: 401 | 403 | 404 | 409 | 410
  readonly code: ErrorCode | undefined

  constructor(status: 401 | 403 | 404 | 409 | 410, message: string, code?: ErrorCode) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Thrown when a call names a second factor of the wrong type (§8, typed error). */
export class WrongFactor extends Error {
  readonly error: VerifyError

  constructor(error: VerifyError) {
    super('wrong factor type')
    this.error = error
  }
}

/** The request and reply of a call. */
export type Call = { request: FastifyRequest; reply: FastifyReply }

/** Binds a route of the wire to its handler: decode, run, encode. Refuses every other method on its path. */
export const bind = <Input, Answer>(
  app: FastifyInstance,
  route: Route<Input, Answer>,
  handle: (input: Input, call: Call) => Promise<NoInfer<Answer>>,
) => {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const decoded = decode(route.request, route.method === 'GET' ? request.query : request.body)
      if (!decoded.ok) throw new BadInput(decoded.error)
      const answer = await handle(decoded.value, { request, reply })
      // Fastify would send strings and booleans as plain text.
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(encode(route.response, answer)))
    },
  })
  refuseOtherMethods(app, route.path, [route.method])
}

/**
 * Declares which methods a path has, for `refuseUndeclaredMethods`. A separate route for each of
 * the other methods would add 25 ms to every start of the server.
 */
export const refuseOtherMethods = (app: FastifyInstance, path: string, allowed: string[]) => {
  const url = app.prefix + path
  // Fastify serves the root of a prefix with and without the slash.
  for (const address of new Set(path === '/' ? [url, app.prefix || '/'] : [url]))
    app.declaredMethods.on('GET', address, () => {}, { allowed, address } satisfies DeclaredMethods)
}

/** Options of Fastify's router and ours: path parameters have up to 256 characters. */
export const routerOptions = { maxParamLength: 256 }

/**
 * Answers 405 with Allow to every method that a path does not have. Call after the hooks that refuse requests of other sites, and before
 * any route is added.
 */
export const refuseUndeclaredMethods = (app: FastifyInstance) => {
  const declared = createRouter(routerOptions)
  app.decorate('declaredMethods', declared)
  app.decorateRequest('refusedAddress', undefined)
  // Refuse in onRequest, before the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const [path = ''] = request.url.split('?')
    const found: DeclaredMethods | undefined = declared.find('GET', path)?.store
    if (!found) return done()
    request.refusedAddress = found.address
    reply
      .code(405)
      .header('allow', found.allowed.join(', '))
      .send({ error: `method: this address takes ${found.allowed.join(' or ')} only` })
  })
}

/** The methods of an address, which may be a pattern. */
type DeclaredMethods = { allowed: string[]; address: string }

declare module 'fastify' {
  interface FastifyInstance {
    declaredMethods: ReturnType<typeof createRouter>
  }
  interface FastifyRequest {
    /** The address of a request that got 405. */
    refusedAddress: string | undefined
  }
}

/** The only body parser of calls: JSON in UTF-8. Other types get 415, so that a form on another site cannot make a call. */
export const takeJsonOnly = (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  )
  app.addHook('preParsing', async request => {
    if (request.method === 'POST' && !request.is404 && request.headers['content-type'] === undefined) throw new WrongType()
  })
}
class WrongType extends Error {
  readonly statusCode = 415
}
const wrongType = 'content-type: expected application/json'

/** Answers errors as JSON, unless `showErrorsAsPages` shows a page. Responses tell the caller what to do and reveal nothing internal. */
export const catchErrors = (app: FastifyInstance) => {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BadInput) return reply.code(400).send({ error: error.message, code: error.code, value: error.value })
    if (error instanceof WrongFactor) return reply.code(409).send({ 'typed-error': error.error })
    if (error instanceof Refused) return reply.code(error.status).send({ error: error.message, code: error.code })
    if (error instanceof TooMany)
      return later(reply, 429, error.retryAfter, {
        error: 'Too many requests from this address. Try again later.',
        code: 'TooManyRequests',
      })
    if (error instanceof Busy)
      return later(reply, 503, error.retryAfter, {
        error: 'Too many people are signing in right now. Try again in a moment.',
        code: 'Busy',
      })
    if (isDatabaseFault(error)) {
      request.log.error({ err: error }, 'database error')
      return later(reply, 503, 2000, fault(request))
    }
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status === 415) return reply.code(415).send({ error: wrongType })
    if (status === 413) return reply.code(413).send({ error: 'body: is too large' })
    if (status >= 400 && status < 500) return reply.code(status).send({ error: 'request: cannot be read' })
    request.log.error({ err: error }, 'request failed')
    return reply.code(500).send(fault(request))
  })
}

type Said = Extract<ErrorBody, { error: string }>

const fault = ({ id }: FastifyRequest): Said => ({ error: `Something went wrong (request ${id})`, code: 'Fault', value: id })

const later = (reply: FastifyReply, status: 429 | 503, wait: number, said: Said) =>
  reply
    .code(status)
    .header('retry-after', Math.ceil(wait / 1000))
    .send(said)

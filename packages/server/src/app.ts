import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import type { Config } from './config.ts'
import type { Tables } from './db/schema.ts'
import { catchErrors, takeJsonOnly } from './http/bind.ts'
import type { BuiltPages } from './http/built-pages.ts'
import { createCaller } from './http/caller.ts'
import { addCalls } from './http/calls.ts'
import { readFixedHeaders, refuseConnection, sendSecurityHeaders } from './http/headers.ts'
import { addHealth } from './http/health.ts'
import { addJourneys, answerNothingHere } from './http/journeys.ts'
import { limits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import { createKeys } from './secrets.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'

/** Builds every room by hand and hands it to http: the one place that knows all. */
export const createApp = async (deps: {
  config: Config
  db: Kysely<Tables>
  passwords: Passwords
  pages: BuiltPages
  /** Epoch milliseconds. */
  now: () => number
  logger: FastifyBaseLogger
  /** Whether the server was asked to stop: from then on no connection is kept. */
  isStopping: () => boolean
}): Promise<FastifyInstance> => {
  const { config, db, passwords, now } = deps
  const sessions = createSessions({ db, now, isAdministrator: userIdent => config.admins.has(userIdent) })
  const signIn = createSignIn({ db, passwords, now, keys: createKeys(config.masterKey) })
  const caller = createCaller(config, sessions)

  let fixedHeaders: Record<string, string> = {}
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.logger,
    // One line of our own for each request, see onResponse.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    requestTimeout: limits.arrival,
    // An address that cannot be read reaches no route and no hook.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      reply.code(400).headers(fixedHeaders).send({ error: 'address: cannot be read' }),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, fixedHeaders),
  })
  await app.register(fastifyCookie)
  await sendSecurityHeaders(app, config.publicUrl.https)
  if (config.origins.length > 0) {
    await app.register(fastifyCors, {
      origin: [...config.origins],
      credentials: true,
      methods: ['GET', 'POST'],
      allowedHeaders: ['content-type'],
    })
  }
  takeJsonOnly(app)
  catchErrors(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    if (deps.isStopping()) reply.header('connection', 'close')
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (!safe && !caller.isOwnOrigin(request)) return reply.code(403).send({ error: 'origin: this request comes from another site' })
  })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the address itself: a token may stand in it.
    const route = request.routeOptions.url ?? 'none'
    const isProbe = /\/(assets\/\*|healthz|readyz)$/.test(route)
    const { method, ip: address } = request
    request.log[isProbe ? 'debug' : 'info'](
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), address },
      'answered',
    )
  })

  await app.register(
    async scope => {
      addCalls(scope, { caller, signIn, sessions })
      addJourneys(scope, { config, caller, signIn, pages: deps.pages })
      addHealth(scope, () => accounts.askForAny(db), deps.isStopping)
      await scope.register(fastifyStatic, {
        root: deps.pages.assets,
        prefix: '/assets/',
        // Their names hold a hash of what is in them.
        immutable: true,
        maxAge: '365d',
        cacheControl: true,
        index: false,
      })
    },
    { prefix: config.publicUrl.path },
  )
  answerNothingHere(app, config.publicUrl.path, deps.pages)
  fixedHeaders = await readFixedHeaders(app, config.publicUrl.path)
  return app
}

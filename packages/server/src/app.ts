import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Config } from './config.ts'
import type { Tables } from './db/schema.ts'
import { catchErrors, refuseOtherMethods, takeJsonOnly } from './http/bind.ts'
import type { BuiltPages } from './http/built-pages.ts'
import { createCaller } from './http/caller.ts'
import { addCalls } from './http/calls.ts'
import { addJourneys } from './http/journeys.ts'
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
}): Promise<FastifyInstance> => {
  const { config, db, passwords, now } = deps
  const sessions = createSessions({ db, now, isAdministrator: userIdent => config.admins.has(userIdent) })
  const signIn = createSignIn({ db, passwords, now, keys: createKeys(config.masterKey) })
  const caller = createCaller(config, sessions)

  const app: FastifyInstance = Fastify({
    loggerInstance: deps.logger,
    // One line of our own for each request, see onResponse.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    // An address that cannot be read reaches no route and no hook.
    frameworkErrors: (_error, _request, reply: FastifyReply) => reply.code(400).send({ error: 'address: cannot be read' }),
  })
  await app.register(fastifyCookie)
  await app.register(fastifyHelmet, securityHeaders(config.publicUrl.https))
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
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (!safe && !caller.isOwnOrigin(request)) return reply.code(403).send({ error: 'origin: this request comes from another site' })
  })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the address itself: a token may stand in it.
    const route = request.routeOptions.url ?? 'none'
    if (route.endsWith('/assets/*')) return
    const { method, ip: address } = request
    request.log.info({ method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), address }, 'answered')
  })

  await app.register(
    async scope => {
      addCalls(scope, { caller, signIn, sessions })
      addJourneys(scope, { config, caller, signIn, pages: deps.pages })
      addHealth(scope, db)
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
  return app
}

/** Whether the process lives, and whether it can do its work. */
const addHealth = (app: FastifyInstance, db: Kysely<Tables>) => {
  app.get('/healthz', async () => 'ok')
  app.get('/readyz', async (request, reply) => {
    try {
      await sql`select 1`.execute(db)
      return 'ready'
    } catch (err) {
      request.log.error({ err }, 'the database failed')
      return reply.code(503).header('retry-after', 2).send('the database does not answer')
    }
  })
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

/** What browsers are told to refuse, on every answer. */
const securityHeaders = (https: boolean) => ({
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
  referrerPolicy: { policy: 'no-referrer' as const },
  xFrameOptions: { action: 'deny' as const },
})

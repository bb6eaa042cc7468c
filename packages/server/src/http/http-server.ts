import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Config } from '../config/config.ts'
import { limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import { catchErrors, Refused, takeJsonOnly } from './bind.ts'
import type { Caller } from './caller.ts'
import { arrivalOptions, type ConnectionLimits, closeUnreadConnections, refuseConnection } from './connections.ts'
import { readFixedHeaders, sendSecurityHeaders } from './headers.ts'
import { warnOfUntrustedPeers } from './peers.ts'
import { isSocketsPath } from './sockets.ts'

/** The HTTP server before there is a route: what it takes, what every answer bears, and what is noted of each request. */
export const createHttpServer = async (deps: {
  config: Config
  caller: Caller
  metrics: Metrics
  logger: FastifyBaseLogger
  /** Whether the server was asked to stop: from then on no connection is kept. */
  isStopping: () => boolean
  /** Those of `limits`, unless a test sets shorter ones. */
  connections?: ConnectionLimits | undefined
}) => {
  const { config, caller, metrics, logger, isStopping, connections } = deps
  const arrival = arrivalOptions(connections)
  // Those of answers that reach no route and no hook.
  let fixedHeaders: Record<string, string> = {}
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // One line of our own for each request, see onResponse.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    http: {
      ...arrival.http,
      maxHeaderSize: limits.headBytes,
      // A proxy's check brings along that a WebSocket is wanted. To agree to it would be to stand in for the dashboard.
      shouldUpgradeCallback: ({ url }) => isSocketsPath(url, config.publicUrl.path),
    },
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
    requestTimeout: arrival.requestTimeout,
    // The wire's schemas decode; without this the compilers of Fastify's own are loaded, for no route.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // An address that cannot be read reaches no route and no hook.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      reply.code(400).headers(fixedHeaders).send({ error: 'address: cannot be read' }),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, fixedHeaders, connections),
  })
  closeUnreadConnections(app.server, connections)
  await app.register(fastifyCookie)
  // The types do not know closeTimeout yet: a client may never answer our close frame.
  const webSockets = { maxPayload: limits.sockets.bytes, closeTimeout: (connections ?? limits.connections).linger }
  await app.register(fastifyWebsocket, { options: webSockets })
  await sendSecurityHeaders(app, config.publicUrl.https)
  if (config.origins.length > 0) {
    await app.register(fastifyCors, {
      origin: [...config.origins],
      credentials: true,
      methods: ['GET', 'POST'],
      allowedHeaders: ['content-type'],
      // The widget waits that long before it tries again.
      exposedHeaders: ['retry-after'],
    })
  }
  takeJsonOnly(app)
  catchErrors(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    if (isStopping()) reply.header('connection', 'close')
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (!safe && !caller.isOwnOrigin(request)) throw new Refused(403, 'origin: this request comes from another site')
  })
  warnOfUntrustedPeers(app, logger)
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the address itself: a token may stand in it.
    const route = request.routeOptions.url ?? 'none'
    const isProbe = /\/(assets\/\*|healthz|readyz|auth\/forward|auth\/request)$/.test(route)
    const { method, ip: address } = request
    request.log[isProbe ? 'debug' : 'info'](
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), address },
      'answered',
    )
    metrics.request(method, route, reply.statusCode, reply.elapsedTime)
  })

  /** For when all routes are there: what answers bear that reach none of them is read from an answer. */
  const finish = async () => {
    fixedHeaders = await readFixedHeaders(app, `${config.publicUrl.path}/healthz`)
  }
  return { app, finish }
}

const noSchemas = () => {
  throw new Error('routes have no schemas of Fastify’s')
}

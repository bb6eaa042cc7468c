import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Config } from '../config/config.ts'
import { limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import { catchErrors, Refused, refuseUndeclaredMethods, routerOptions, takeJsonOnly } from './bind.ts'
import type { Caller } from './caller.ts'
import { arrivalOptions, type ConnectionLimits, closeUnreadConnections, refuseConnection } from './connections.ts'
import { readFixedHeaders, sendSecurityHeaders } from './headers.ts'
import { warnOfUntrustedPeers } from './peers.ts'
import { isSocketsPath } from './sockets.ts'

/** Creates the HTTP server without routes: what it accepts, the headers of every response, and the log of each request. */
export const createHttpServer = async (deps: {
  config: Config
  caller: Caller
  metrics: Metrics
  logger: FastifyBaseLogger
  /** Whether the server is stopping. From then on every response closes its connection. */
  isStopping: () => boolean
  /** Defaults to `limits.connections`. Tests set shorter ones. */
  connections?: ConnectionLimits | undefined
}) => {
  const { config, caller, metrics, logger, isStopping, connections } = deps
  const arrival = arrivalOptions(connections)
  // The headers of responses to requests that reach no route and no hook.
  let fixedHeaders: Record<string, string> = {}
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // onResponse logs one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    http: {
      ...arrival.http,
      maxHeaderSize: limits.headBytes,
      // A proxy's check copies the Upgrade header of a WebSocket request. Accepting it would answer in place of the protected
      // application.
      shouldUpgradeCallback: ({ url }) => isSocketsPath(url, config.publicUrl.path),
    },
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
    routerOptions,
    requestTimeout: arrival.requestTimeout,
    // The wire's schemas decode requests. Without this line Fastify loads its schema compilers for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Requests with a malformed address reach no route and no hook.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      reply.code(400).headers(fixedHeaders).send({ error: 'address: cannot be read' }),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, fixedHeaders, connections),
  })
  closeUnreadConnections(app.server, connections)
  app.decorateRequest('foundSession', undefined)
  await app.register(fastifyCookie)
  // Set `closeTimeout`, because a client may never answer our close frame. The plugin's types lack it, and TypeScript
  // would reject it in an object literal, so keep the options in a constant.
  const webSockets = { maxPayload: limits.sockets.bytes, closeTimeout: (connections ?? limits.connections).linger }
  await app.register(fastifyWebsocket, { options: webSockets })
  await sendSecurityHeaders(app, config.publicUrl.https)
  if (config.origins.length > 0) {
    await app.register(fastifyCors, {
      origin: [...config.origins],
      credentials: true,
      methods: ['GET', 'POST'],
      allowedHeaders: ['content-type'],
      // The widget reads from this header how long to wait before it retries.
      exposedHeaders: ['retry-after'],
    })
  }
  takeJsonOnly(app)
  catchErrors(app)

  // Use callback hooks: a promise per hook would slow down every check.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    if (isStopping()) reply.header('connection', 'close')
    const safe = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    if (safe || caller.isOwnOrigin(request)) done()
    else done(new Refused(403, 'origin: this request comes from another site', 'OtherSite'))
  })
  refuseUndeclaredMethods(app)
  warnOfUntrustedPeers(app, logger)
  app.addHook('onResponse', (request, reply, done) => {
    // Log the route's pattern, never the URL: URLs can contain tokens.
    const route = request.routeOptions.url ?? request.refusedAddress ?? 'none'
    const { method, ip: address } = request
    request.log[isProbe.test(route) ? 'debug' : 'info'](
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), address },
      'answered',
    )
    metrics.request(method, route, reply.statusCode, reply.elapsedTime)
    done()
  })

  /** Call after all routes are added. Reads the headers for responses that reach no route. */
  const finish = async () => {
    fixedHeaders = await readFixedHeaders(app, `${config.publicUrl.path}/healthz`)
  }
  return { app, finish }
}

/** Routes that proxies, monitors and pages request all the time. */
const isProbe = /\/(assets\/\*|healthz|readyz|auth\/request|auth\/forward(\/omit-empty)?)$/

const noSchemas = () => {
  throw new Error('routes have no schemas of Fastify’s')
}

import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { refuseOtherMethods } from './bind.ts'
import type { Caller } from './caller.ts'
import { arrivalOptions, type ConnectionLimits, closeUnreadConnections, refuseConnection } from './connections.ts'

const send = async (reply: FastifyReply, metrics: Metrics) => reply.type(metrics.contentType).send(await metrics.render())

/** Serves `/metrics` on the main listener, to this machine only. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics, caller: Caller) => {
  app.get('/metrics', (request, reply) => (caller.isOfThisMachine(request) ? send(reply, metrics) : reply.callNotFound()))
  refuseOtherMethods(app, '/metrics', ['GET', 'HEAD'])
}

/** Creates a listener that serves only metrics, for a private network. */
export const createMetricsListener = (metrics: Metrics, connections?: ConnectionLimits): FastifyInstance => {
  const app = Fastify({
    ...arrivalOptions(connections),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, {}, connections),
  })
  closeUnreadConnections(app.server, connections)
  app.get('/metrics', (_, reply) => send(reply, metrics))
  return app
}

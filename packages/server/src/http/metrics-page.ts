import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { refuseOtherMethods } from './bind.ts'
import type { Caller } from './caller.ts'

const send = async (reply: FastifyReply, metrics: Metrics) => {
  try {
    return reply.type(metrics.contentType).send(await metrics.render())
  } catch (err) {
    reply.log.error({ err }, 'the database failed')
    return reply.code(503).header('retry-after', 2).send('the database does not answer')
  }
}

/** `/metrics` beside everything else, for this machine alone. */
export const addMetrics = (app: FastifyInstance, metrics: Metrics, caller: Caller) => {
  app.get('/metrics', (request, reply) => (caller.isOfThisMachine(request) ? send(reply, metrics) : reply.callNotFound()))
  refuseOtherMethods(app, '/metrics', ['GET', 'HEAD'])
}

/** A listener that serves metrics and nothing else, for a network of one's own. */
export const createMetricsListener = (metrics: Metrics): FastifyInstance => {
  const app = Fastify()
  app.get('/metrics', (_, reply) => send(reply, metrics))
  return app
}

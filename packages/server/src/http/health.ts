import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from './bind.ts'

/**
 * `/healthz`: the process lives. `/readyz`: it can do its work, and is not about to stop.
 * @param askDatabase reads from the tables; throws when it can't
 */
export const addHealth = (app: FastifyInstance, askDatabase: () => Promise<void>, isStopping: () => boolean) => {
  app.get('/healthz', async () => 'ok')
  app.get('/readyz', async (request, reply) => {
    if (isStopping()) return reply.code(503).header('retry-after', 2).send('stopping')
    try {
      await askDatabase()
      return 'ready'
    } catch (err) {
      request.log.error({ err }, 'the database failed')
      return reply.code(503).header('retry-after', 2).send('the database does not answer')
    }
  })
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

import type { FastifyInstance } from 'fastify'
import type { Readiness } from '../readiness.ts'
import { refuseOtherMethods } from './bind.ts'

/** `/healthz`: the process runs. `/readyz`: it can read and write the database, and is not stopping. */
export const addHealth = (app: FastifyInstance, readiness: Readiness, isStopping: () => boolean) => {
  app.get('/healthz', async () => 'ok')
  app.get('/readyz', async (request, reply) => {
    if (isStopping()) return reply.code(503).header('retry-after', 2).send('stopping')
    try {
      await readiness.prove()
      return 'ready'
    } catch (err) {
      request.log.error({ err }, 'database error')
      return reply.code(503).header('retry-after', 2).send('database read or write failed')
    }
  })
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

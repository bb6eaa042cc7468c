import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from './bind.ts'
import { brandPath, type ServedFile } from './pages/branding.ts'

/**
 * A picture has no use for anything but its own styles. An SVG that a browser opens as a page of its own is sandboxed: it runs no script and
 * reads no cookie of ours.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

/** The operator's files. Each name contains a hash of the content, so browsers keep it. */
export const addBrandFiles = (app: FastifyInstance, files: readonly ServedFile[]) => {
  if (files.length === 0) return
  const byName = new Map(files.map(file => [file.name, file]))
  const path = `${brandPath}:name`
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const file = byName.get(String(Object(request.params).name))
      if (!file) return reply.callNotFound()
      reply.header('content-security-policy', policy).header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(file.type).send(file.bytes)
    },
  })
  refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

import type { FastifyInstance } from 'fastify'
import type { BrandFile } from '../brand/brand.ts'
import { refuseOtherMethods } from './bind.ts'
import { brandPath } from './pages/branding.ts'

/**
 * A picture needs only its own styles. If a browser opens an SVG as a page, `sandbox` keeps it from running scripts and reading our
 * cookies.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

/**
 * The operator's files. Each name contains a hash of the content, so browsers can cache the file
 * permanently.
 */
export const addBrandFiles = (app: FastifyInstance, files: ReadonlyMap<string, BrandFile>) => {
  if (files.size === 0) return
  const path = `${brandPath}:name`
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const file = files.get(String(Object(request.params).name))
      if (!file) return reply.callNotFound()
      reply.header('content-security-policy', policy).header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(file.type).send(file.bytes)
    },
  })
  refuseOtherMethods(app, path, ['GET', 'HEAD'])
}

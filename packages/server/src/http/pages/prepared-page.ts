import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../headers.ts'

/** A page that is the same for all visitors, compressed once and cached by its ETag. */
export type PreparedPage = ReturnType<typeof preparePage>

export const preparePage = (text: string) => {
  const bytes = Buffer.from(text)
  return {
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    text,
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    gzip: gzipSync(bytes, { level: 9 }),
  }
}

/** Sends the page, or 304 if the browser has it. Browsers ask each time, because signed-in users are redirected. */
export const sendPrepared = (request: FastifyRequest, reply: FastifyReply, page: PreparedPage) => {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  const etag = `"${page.hash}${encoding ? `-${encoding}` : ''}"`
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ')
  reply.header('cache-control', 'private, no-cache').header('vary', vary).header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (!encoding) return html(reply, page.text)
  return reply.type('text/html; charset=utf-8').header('content-encoding', encoding).send(page[encoding])
}

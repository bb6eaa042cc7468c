// The server process of page-server.ts. It serves each site on its own port, over HTTP/2 and TLS: a folder, compressed in advance, or another server, as a proxy.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type OutgoingHttpHeaders } from 'node:http2'
import { extname, join, normalize, sep } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Serving, Site } from './page-server.ts'

type Answer = { status: number; headers: OutgoingHttpHeaders; body: Buffer }
type Asked = { method: string; url: URL; headers: Http2ServerRequest['headers']; body: Buffer }
type Answering = (asked: Asked) => Promise<Answer>

/** The reply to a peer's call. */
type CallAnswer = { status?: number; type?: string; body?: unknown; text?: string } | false | undefined

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
}
const compressible = new Set(['.html', '.js', '.mjs', '.css', '.json', '.svg'])

/** A file with the headers of a good static server: brotli at level 11, and cacheable forever except for HTML. */
const prepare = (file: string): Answer => {
  const extension = extname(file)
  const raw = readFileSync(file)
  const br =
    compressible.has(extension) &&
    brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length } })
  const headers = {
    'content-type': types[extension] ?? 'application/octet-stream',
    'cache-control': extension === '.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  }
  if (!br || br.length >= raw.length) return { status: 200, headers, body: raw }
  return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: br }
}

const none: Answer = { status: 404, headers: {}, body: Buffer.alloc(0) }

/** Serves a folder. Paths without an extension get index.html, because scripts may route them. */
const serveFolder = async (folder: string, calls: string | undefined): Promise<Answering> => {
  const { answer }: { answer?: (method: string, url: URL) => CallAnswer } = calls ? await import(calls) : {}
  const files = new Map<string, Answer>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (statSync(file).isFile() && extname(file) !== '.map') files.set(`/${name.split(sep).join('/')}`, prepare(file))
  }
  return async ({ method, url }) => {
    const said = answer?.(method, url)
    if (said) {
      const headers = { 'content-type': said.type ?? 'application/json', 'cache-control': 'no-store' }
      return { status: said.status ?? 200, headers, body: Buffer.from(said.text ?? JSON.stringify(said.body)) }
    }
    const path = normalize(decodeURIComponent(url.pathname))
    return files.get(path) ?? (extname(path) ? none : files.get('/index.html')) ?? none
  }
}

/** Hop-by-hop headers, which a proxy must not forward. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])

/** A proxy that keeps the other server's bytes and headers. It caches GET responses. */
const serveOrigin = (origin: string): Answering => {
  const kept = new Map<string, Promise<Answer>>()
  const ask = ({ method, url, headers, body }: Asked) =>
    new Promise<Answer>((resolve, reject) => {
      const own = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopHeaders.has(name))
      const asking = request(new URL(url.pathname + url.search, origin), {
        method,
        headers: { ...Object.fromEntries(own), host: url.host },
      })
      asking.once('error', reject)
      asking.once('response', async response => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const answered = Object.entries(response.headers).filter(([name]) => !hopHeaders.has(name))
        resolve({ status: response.statusCode ?? 500, headers: Object.fromEntries(answered), body: Buffer.concat(chunks) })
      })
      asking.end(body)
    })
  return async asked => {
    if (asked.method !== 'GET') return ask(asked)
    const before = kept.get(asked.url.pathname)
    if (before) return before
    const answer = await ask(asked)
    if (answer.status === 200 && !answer.headers['set-cookie']) kept.set(asked.url.pathname, Promise.resolve(answer))
    return answer
  }
}

/**
 * Resolves when the browser has read the headers. When Chromium throttles the network, it delays the headers for the bytes that it has
 * received by then, and the body for its own bytes. If the body came together with the headers, its time would count twice.
 */
const headersRead = ({ stream }: Http2ServerRequest) =>
  new Promise<void>(resolve => {
    const isAsked = stream.session?.ping(() => resolve())
    if (!isAsked) resolve()
  })

const serve = async (site: Site, tls: { key: string; cert: string }) => {
  const answering = 'origin' in site ? serveOrigin(site.origin) : await serveFolder(site.folder, site.calls)
  const server = createSecureServer({ ...tls, allowHTTP1: true, maxOutstandingPings: 1000 }, async (asked, reply) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of asked) chunks.push(chunk)
      const url = new URL(asked.url, `https://localhost:${site.port}`)
      const { status, headers, body } = await answering({ method: asked.method, url, headers: asked.headers, body: Buffer.concat(chunks) })
      reply.writeHead(status, { ...('folder' in site && site.headers), ...headers, 'content-length': body.length })
      if (asked.httpVersionMajor === 2) await headersRead(asked)
      reply.end(body)
    } catch (error) {
      process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
      reply.stream?.destroy()
    }
  })
  server.on('sessionError', () => {})
  await new Promise<void>(resolve => server.listen(site.port, '127.0.0.1', resolve))
}

process.once('message', async ({ sites, key, cert }: Serving) => {
  for (const site of sites) {
    if ('folder' in site && !existsSync(join(site.folder, 'index.html'))) throw new Error(`${site.folder} has no page`)
    await serve(site, { key, cert })
  }
  process.send?.('ready')
})
process.once('disconnect', () => process.exit(0))

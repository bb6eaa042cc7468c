import { basename, dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { type HtmlFile, writeSourceHtml } from './html-file.ts'

/**
 * Serves and builds HTML files as if they were on disk.
 * @param files by name, without `.html`
 */
export const htmlFiles = (files: Readonly<Record<string, HtmlFile>>): Plugin => {
  let root = ''
  const find = (id: string) => {
    const file = id.endsWith('.html') && dirname(id) === root ? files[basename(id, '.html')] : undefined
    return file && writeSourceHtml(file)
  }
  return {
    name: 'html-files',
    enforce: 'pre',
    config: ({ root = '' }) => ({ build: { rolldownOptions: { input: Object.keys(files).map(name => resolve(root, `${name}.html`)) } } }),
    configResolved: config => {
      root = resolve(config.root)
    },
    resolveId: id => (find(id) === undefined ? null : id),
    load: find,
    configureServer: server => {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const html = find(resolve(root, `.${pathname.replace(/\/$/, '/index.html')}`))
        if (html === undefined) return next()
        server
          .transformIndexHtml(pathname, html)
          .then(text => response.setHeader('content-type', 'text/html').end(text))
          .catch(next)
      })
    },
  }
}

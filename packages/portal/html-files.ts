import { basename, dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'

/** An HTML file to build. Its paths are relative to the root folder. */
export type HtmlFile = {
  title: string
  viewport?: string
  /** Elements of the head beside title, viewport and script. */
  head: readonly string[]
  /** The script, which also names its style sheets. */
  script: string
  /** Whether the built file names the style sheets alone. */
  isScriptless?: boolean
  /** Elements of the body. */
  body: readonly string[]
}

/** The text of the file. */
export const writeHtml = ({ title, viewport, head, script, body }: HtmlFile) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <meta name="viewport" content="${['width=device-width, initial-scale=1', viewport].filter(Boolean).join(', ')}">
    <meta name="color-scheme" content="light dark">
${head.map(element => `    ${element}\n`).join('')}    <script type="module" src="${script}"></script>
  </head>
  <body>
${body.map(element => `    ${element}\n`).join('')}  </body>
</html>
`

/**
 * Serves and builds HTML files that are not on disk.
 * @param files by name, without `.html`
 */
export const htmlFiles = (files: Readonly<Record<string, HtmlFile>>): Plugin => {
  let root = ''
  const fileOf = (id: string) => (id.endsWith('.html') && dirname(id) === root ? files[basename(id, '.html')] : undefined)
  const find = (id: string) => {
    const file = fileOf(id)
    return file && writeHtml(file)
  }
  return {
    name: 'html-files',
    enforce: 'pre',
    config: ({ root = '' }) => ({
      build: { rolldownOptions: { input: Object.fromEntries(Object.keys(files).map(name => [name, resolve(root, `${name}.html`)])) } },
    }),
    configResolved: config => {
      root = resolve(config.root)
    },
    resolveId: id => (find(id) === undefined ? null : id),
    load: find,
    transformIndexHtml: {
      order: 'post',
      handler: (html, { filename, bundle }) =>
        bundle && fileOf(filename)?.isScriptless
          ? html.replace(/\s*<script type="module"[^>]*><\/script>/g, '').replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
          : html,
    },
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

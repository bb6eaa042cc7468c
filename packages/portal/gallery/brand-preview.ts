import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The file that the server's `brand-preview.ts` writes. */
type Written = { name: string; head: string; notice: string; footer: string; styles: string }

const types: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
  woff2: 'font/woff2',
}

/** Turns the dark theme's media query into a selector: the gallery forces a theme with an attribute, which the server's pages never do. */
const themed = (styles: string) => {
  const [dark, rules] = /@media \(prefers-color-scheme:dark\)\{(\.brand-logo\{[^}]*\})\}/.exec(styles) ?? []
  return dark && rules ? styles.replace(dark, `[data-gatehouse-theme=dark] ${rules}`) : styles
}

/**
 * Shows the scenes in a brand (`npm run brand -- preview`).
 * @param folder the folder that the server's `brand-preview.ts` wrote
 */
export const brandPreview = (folder: string): Plugin => {
  const { name, head, notice, footer, styles }: Written = JSON.parse(readFileSync(join(folder, 'page.json'), 'utf8'))
  return {
    name: 'brand-preview',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => {
        if (!path.startsWith('/frame.html')) return html.replaceAll('Gatehouse', () => name)
        return (
          html
            .replace('<html', '<html data-gatehouse-loaded')
            .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:,">')
            .replace('</head>', () => `${head}<meta name="gallery-mail"></head>`)
            .replace('<div id="root"', start => notice + start)
            .replace('</main>', end => end + footer)
            // Must come after the styles that Vite adds with the scripts.
            .replace('</body>', () => `<style>${themed(styles)}</style></body>`)
        )
      },
    },
    configureServer: server => {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const send = (file: string, type: string) =>
          readFile(join(folder, file)).then(bytes => response.setHeader('content-type', type).end(bytes), next)
        if (/^\/assets\/brand\/[\w.-]+$/.test(pathname)) void send(pathname, types[pathname.split('.').pop() ?? ''] ?? '')
        else if (/^\/mail\/[^/]+\/html$/.test(pathname)) void send('mail.html', 'text/html; charset=utf-8')
        else next()
      })
    },
  }
}

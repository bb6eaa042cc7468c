import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, transformWithOxc, type ViteDevServer } from 'vite'
import { type HtmlFile, writeSourceHtml } from '../build/html-file.ts'

/**
 * Writes what the server loads in place of the built pages:
 * - the HTML files, with Vite's client and the sources as scripts;
 * - a render function that leaves a mark for the front, which renders each page from the current sources;
 * - the other functions that the server shares with the pages, and the service worker.
 */
export const writePages = async (vite: ViteDevServer, folder: string) => {
  const { root } = vite.config
  const client = join(folder, 'client')
  await mkdir(join(client, 'assets'), { recursive: true })
  // Load through Vite, to use the current source.
  const { pageShells } = await vite.ssrLoadModule('/build/page-shells.ts')
  const writeShell = async ([name, file]: [string, HtmlFile]) => {
    // Vite adds the base to absolute addresses. The server adds it to the remaining relative
    // addresses.
    const source = writeSourceHtml(file).replaceAll('="./src/', '="/src/')
    const html = await vite.transformIndexHtml(`/${name}.html`, source)
    const hidden = `<style nonce="${vite.config.html?.cspNonce}">${untilStyled}</style></head>`
    await writeFile(join(client, `${name}.html`), withoutNonce(html).replace('</head>', hidden))
  }
  await Promise.all([...Object.entries<HtmlFile>(pageShells).map(writeShell), buildShared(root, folder), writeWorker(root, client)])
  await writeFile(join(folder, 'render.js'), renderModule)
}

/**
 * In development, scripts add the styles. Hides the page until the first style arrives, unless
 * scripts are off.
 */
const untilStyled = '@media (scripting: enabled) { html:not(:has(style[data-vite-dev-id])) body { visibility: hidden } }'

/**
 * The server finds the props element by the end of its tag, where Vite adds a nonce. Data needs no
 * nonce.
 */
const withoutNonce = (html: string) => html.replace(/(<script [^>]*id="gatehouse-props") nonce="[^"]*"/, '$1')

const renderModule = `import * as shared from './shared/render.js'
const pagesIn = tag => ({
  ...shared.rendering.in(tag),
  renderPage: (page, props, logo) =>
    '<!--gatehouse-render ' + Buffer.from(JSON.stringify({ tag, page, props, logo })).toString('base64') + '-->',
})
export const rendering = { ...shared.rendering, in: pagesIn }
`

/** Building is the slowest step of a start, so skip it if the sources have not changed. */
const buildShared = async (root: string, folder: string) => {
  const outDir = join(folder, 'shared')
  const built = await modifiedAt(join(outDir, 'render.js'))
  const sources = ['src', '../sign-in/src', '../ui/src', '../wire/src', '../language', 'vite.config.ts', 'build', 'dev'].map(source =>
    join(root, source),
  )
  if (built > (await newest(sources))) return
  await build({
    configFile: join(root, 'vite.config.ts'),
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { ssr: 'src/render.tsx', outDir, emptyOutDir: false },
  })
}

const modifiedAt = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/** The latest modification of these files and folders and their contents. Removing a file modifies its folder. */
const newest = async (paths: string[]): Promise<number> => {
  const inside = await Promise.all(paths.map(path => readdir(path, { recursive: true }).catch(() => [])))
  const all = paths.flatMap((path, index) => [path, ...(inside[index] ?? []).map(name => join(path, name))])
  return Math.max(...(await Promise.all(all.map(modifiedAt))))
}

const writeWorker = async (root: string, client: string) => {
  const source = join(root, 'src/approver/approve-worker.ts')
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source)
  // The browser registers it as a classic script, in which an export is a syntax error.
  await writeFile(join(client, 'approve-worker.js'), code.replace(/^export \{\};?$/m, ''))
}

/** Replaces the mark that the server left, if any, with the rendered page. */
export const renderMarked = async (vite: ViteDevServer, html: string): Promise<string> => {
  const [mark, encoded] = /<!--gatehouse-render ([\w+/=]+)-->/.exec(html) ?? []
  if (!mark || !encoded) return html
  const { tag, page, props, logo } = JSON.parse(Buffer.from(encoded, 'base64').toString())
  const { rendering } = await vite.ssrLoadModule('/src/render.tsx')
  return html.replace(mark, () => rendering.in(tag).renderPage(page, props, logo))
}

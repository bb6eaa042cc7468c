import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { type HtmlFile, writeHtml } from './html-file.ts'

/**
 * Builds the scripts of the pages, and writes an HTML file for each page. Vite's own HTML loads the script in the head. Here, the script
 * is last and `async`. It runs as soon as it arrives, in its own task, separate from the browser's work at the end of parsing.
 * @param files by name, without `.html`
 */
export const pageFiles = (files: Readonly<Record<string, HtmlFile>>): Plugin => {
  let root = ''
  return {
    name: 'page-files',
    apply: 'build',
    // Runs after Vite's own plugins, which record the style sheets of each chunk.
    enforce: 'post',
    config: ({ root = '' }) => {
      const scripts = new Map(Object.entries(files).map(([name, { script }]) => [resolve(root, script), name]))
      return { build: { rolldownOptions: { input: Object.fromEntries([...scripts].map(([script, name]) => [name, script])) } } }
    },
    configResolved: config => {
      root = config.root
    },
    generateBundle(_, bundle) {
      const chunks = new Map<string, Rolldown.OutputChunk>()
      for (const output of Object.values(bundle)) if (output.type === 'chunk') chunks.set(output.fileName, output)
      const urlOf = (source: string) => {
        const asset = this.emitFile({ type: 'asset', name: basename(source), source: readFileSync(resolve(root, source)) })
        return `./${this.getFileName(asset)}`
      }
      for (const [name, file] of Object.entries(files)) {
        const entry = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === resolve(root, file.script))
        if (!entry) throw new Error(`${file.script} was not built`)
        const all = withImports(entry, chunks)
        // The bundler drops CSS modules that no script uses. A page without a script still uses
        // them in its markup, so add the styles of the shared chunk `parts`.
        const shared = file.isScriptless ? [...chunks.values()].filter(({ name }) => name === 'parts') : []
        const styles = [...new Set([...all, ...shared].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))]
        // A chunk that only imports another one needs no request.
        const [script = entry] = entry.moduleIds.length === 0 ? all : []
        if (file.isScriptless || script !== entry) delete bundle[entry.fileName]
        const preloads = file.isScriptless ? [] : all.filter(chunk => chunk !== script && chunk !== entry)
        const html = writeHtml(file, {
          urlOf,
          inHead: [
            ...preloads.map(({ fileName }) => `<link rel="modulepreload" href="./${fileName}">`),
            ...styles.map(style => `<link rel="stylesheet" href="./${style}">`),
          ],
          inBody: file.isScriptless ? [] : [`<script async type="module" src="./${script.fileName}"></script>`],
        })
        this.emitFile({ type: 'asset', fileName: `${name}.html`, source: html })
      }
    },
  }
}

/** All chunks that a chunk imports, then the chunk itself: each once, in the order in which the browser runs them. */
const withImports = (
  chunk: Rolldown.OutputChunk,
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
  seen = new Set<string>(),
): Rolldown.OutputChunk[] => {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const imported = chunk.imports.flatMap(name => {
    const other = chunks.get(name)
    return other ? withImports(other, chunks, seen) : []
  })
  return [...imported, chunk]
}

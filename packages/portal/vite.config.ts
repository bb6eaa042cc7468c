import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite'
import { scopedName, stylesOfOwnPages } from '../sign-in/own-styles.ts'
import { htmlFiles } from './html-files.ts'
import { pageShells } from './page-shells.ts'

/**
 * The script is run when it has come, in a task of its own. As one that waits for its turn, which a module in the head is, it would run in
 * one task with all that a browser does when a page has been parsed, and keep the page from answering for as long as both take. It
 * stands last, so that the page is there when it runs; a browser looks ahead, and asks for it as early as it would in the head.
 */
const scriptLast: Plugin = {
  name: 'script-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: html => {
      const [script] = /^ *<script type="module"[^>]*><\/script>\n/m.exec(html) ?? []
      return script ? html.replace(script, '').replace(/^ *<\/body>/m, end => script.replace('<script ', '<script async ') + end) : html
    },
  },
}

/**
 * Brings a part that is loaded later, together with its styles. Vite's own helper does more than our pages need and is three times
 * as long, in the first load of all places.
 * The styles of the first load are there, and would come anew after what is said later.
 */
const shortPreload: Plugin = {
  name: 'short-preload',
  apply: 'build',
  enforce: 'pre',
  load: id =>
    id === '\0vite/preload-helper.js'
      ? `const styles = {}
const bring = href => styles[href] ??= new Promise((done, failed) => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  link.onload = done
  link.onerror = () => { delete styles[href]; link.remove(); failed(new Error('no ' + href)) }
  document.head.append(link)
})
export const __vitePreload = (load, files = [], from) =>
  Promise.all([load(), ...files.filter(file => /(?<!\\/main-[^/]*)\\.css$/.test(file)).map(file => bring(new URL(file, from).href))]).then(([part]) => part)`
      : undefined,
}

/**
 * The first script with what its bundler needs at run time in it, a few hundred bytes that others fetch as a file of their own: each
 * request more delays the first paint on a slow phone.
 */
const oneScript: Plugin = {
  name: 'one-script',
  apply: 'build',
  generateBundle: {
    order: 'pre',
    handler: (_, bundle) => {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      const [main, runtime] = ['main', 'rolldown-runtime'].map(name => chunks.find(chunk => chunk.name === name))
      const [imported, taken = ''] = /^import\{([^}]*)\}from"\.\/rolldown-runtime-[^"]*";/m.exec(main?.code ?? '') ?? []
      const [exported, given = ''] = /export\{([^}]*)\};?\s*$/.exec(runtime?.code ?? '') ?? []
      if (!main || !runtime || !imported || !exported) throw new Error('the first script and its runtime are not where they were')
      // `export { its as name }` becomes `return { name: its }`, and `import { name as ours }` `const { name: ours }`.
      const [out, into] = [given.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1'), taken.replaceAll(/([\w$]+) as ([\w$]+)/g, '$1:$2')]
      const code = runtime.code.replace(exported, '').trim()
      main.code = main.code.replace(imported, () => `const{${into}}=(()=>{${code}return{${out}}})();`)
      main.imports = main.imports.filter(name => name !== runtime.fileName)
    },
  },
}

/**
 * React makes the values that it throws to itself when it is brought, as errors. Where a browser is looked at (DevTools, Lighthouse, every
 * tool that drives it) each error takes its stack, and for that V8 parses the whole script anew, while the page waits. Nobody reads
 * these stacks: the values are told apart by what they are.
 */
const thrownWithoutStack: Plugin = {
  name: 'thrown-without-stack',
  apply: 'build',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler: code => {
      const made = /(?<=^(?:var)? +\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/gm
      if (code.match(made)?.length !== 5) throw new Error('React makes other errors when it is brought than it did')
      return code.replace(made, 'Object.create(Error.prototype, { message: { value: $1 } })')
    },
  },
}

/** Our pages come with the React they need and speak English: they carry no check of React's version, and nothing to put other words in. */
const withoutHost: Plugin = {
  name: 'without-host',
  apply: 'build',
  transform: {
    filter: { id: /sign-in[\\/]src[\\/](react-version|messages[\\/]with-english)\.ts$/ },
    handler: (_, id) =>
      id.endsWith('react-version.ts') ? 'export const reactVersionError = undefined' : 'export const withEnglish = english => english',
  },
}

/** Compresses what is served as it is, once: no server has to do it again, and brotli has the time it takes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets')
    for (const name of await readdir(assets)) {
      const bytes = await readFile(join(assets, name))
      await writeFile(join(assets, `${name}.br`), brotliCompressSync(bytes))
      await writeFile(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

// Within the workspace the widget is its source, not what was last built of it.
const source = 'gatehouse-source'

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  logLevel: 'warn',
  // Built pages say `="./assets/…"`; the server puts its base path there.
  base: './',
  plugins: [
    react(),
    ...(isSsrBuild ? [] : [htmlFiles(pageShells), scriptLast, thrownWithoutStack, withoutHost, shortPreload, oneScript, compressed]),
  ],
  resolve: { conditions: [source, ...defaultClientConditions] },
  css: { modules: { generateScopedName: scopedName }, postcss: stylesOfOwnPages },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  // A build has its dependencies inside; in development Node loads them as they are.
  ssr: { noExternal: isSsrBuild ? true : [], resolve: { conditions: [source, ...defaultServerConditions] } },
  build: isSsrBuild
    ? {
        outDir: 'dist',
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: { input: resolve(import.meta.dirname, 'src/render.tsx'), output: { codeSplitting: false } },
      }
    : {
        outDir: 'dist/client',
        target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
        modulePreload: {
          polyfill: false,
          // What is loaded later brings its scripts by itself: their names would only be weight in the first load.
          resolveDependencies: (_, files, { hostType }) => (hostType === 'js' ? files.filter(file => file.endsWith('.css')) : files),
        },
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: {
            'approve-worker': resolve(import.meta.dirname, 'src/approver/approve-worker.ts'),
          },
          output: {
            // A service worker goes by its address, and answers for what is below it: no hash, and no folder.
            entryFileNames: ({ name }) => (name === 'approve-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
            codeSplitting: {
              groups: [
                // What the first load and the parts that come later share stays in the one file of the first load.
                { name: 'main', test: /portal[\\/]src[\\/]sign-in-area[\\/]main\.tsx$|rolldown[\\/]runtime/, priority: 2 },
                // What is called and what is answered: the sign-in page has no need of it before somebody has typed.
                {
                  name: 'calls',
                  test: /[\\/](valibot|wire[\\/]src)[\\/]|sign-in[\\/]src[\\/]calls[\\/](api|answer|page-origin|request)\.ts$|portal[\\/]src[\\/]calls[\\/]/,
                  minShareCount: 2,
                  priority: 1.5,
                },
                // What only the others share is one file, not one for each set of pages that happens to share it.
                {
                  name: 'parts',
                  test: /[\\/](sign-in|ui|wire)[\\/]src[\\/]|portal[\\/]src[\\/]messages[\\/]/,
                  minShareCount: 2,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
}))

import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite'

const page = (name: string) => resolve(import.meta.dirname, `${name}.html`)

/** The notice page is plain HTML: it names the script for the styles that come with it, and the script is left out. */
const noticeWithoutScripts: Plugin = {
  name: 'notice-without-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { filename }) =>
      filename.endsWith('notice.html')
        ? html.replace(/\s*<script type="module"[^>]*><\/script>/g, '').replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
        : html,
  },
}

// Within the workspace the widget is its source, not what was last built of it.
const source = 'gatehouse-source'

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  logLevel: 'warn',
  // Built pages say `="./assets/…"`; the server puts its base path there.
  base: './',
  plugins: [react(), noticeWithoutScripts],
  resolve: { conditions: [source, ...defaultClientConditions] },
  css: { modules: { generateScopedName: 'gatehouse-[local]-[hash:base64:4]' } },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  ssr: { noExternal: true, resolve: { conditions: [source, ...defaultServerConditions] } },
  build: isSsrBuild
    ? {
        outDir: 'dist',
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: { input: resolve(import.meta.dirname, 'src/render.tsx') },
      }
    : {
        outDir: 'dist/client',
        target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { input: { index: page('index'), account: page('account'), notice: page('notice') } },
      },
}))

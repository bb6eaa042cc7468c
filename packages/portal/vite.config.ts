import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite'
import { licenses } from '../sign-in/licenses.ts'
import { withoutEnglish, withoutParts } from '../sign-in/own-pages.ts'
import { scopedName, stylesOfOwnPages } from '../sign-in/own-styles.ts'
import { compressed } from './build/compressed.ts'
import { oneScript } from './build/one-script.ts'
import { pageFiles } from './build/page-files.ts'
import { pageShells } from './build/page-shells.ts'
import { shortPreload } from './build/short-preload.ts'
import { pageTexts, textChunk } from './build/texts.ts'

// In the workspace, use the widget's sources, not its last build.
const source = 'gatehouse-source'

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  logLevel: 'warn',
  // Built pages contain `="./assets/…"`. The server inserts its base path.
  base: './',
  plugins: [
    withoutParts,
    withoutEnglish,
    pageTexts,
    react(),
    licenses(resolve(import.meta.dirname, isSsrBuild ? 'dist/licenses-server.json' : 'dist/licenses-client.json')),
    ...(isSsrBuild ? [] : [shortPreload, oneScript, pageFiles(pageShells), compressed]),
  ],
  resolve: { conditions: [source, ...defaultClientConditions] },
  css: { modules: { generateScopedName: scopedName }, postcss: stylesOfOwnPages },
  define: { 'import.meta.env.GATEHOUSE_OWN_PAGES': 'true', ...(isSsrBuild && { 'process.env.NODE_ENV': '"production"' }) },
  // The build bundles its dependencies. In development, Node loads them.
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
          // Chunks import their scripts themselves, and every page has the first script's style sheet. Preload only the other style sheets.
          resolveDependencies: (_, files) => files.filter(file => file.endsWith('.css') && !file.startsWith('assets/main-')),
        },
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: {
            'approve-worker': resolve(import.meta.dirname, 'src/approver/approve-worker.ts'),
          },
          output: {
            // A service worker controls paths below its own, so it is in no folder. Browsers find updates by its address, so it has no
            // hash.
            entryFileNames: ({ name }) => (name === 'approve-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
            chunkFileNames: ({ facadeModuleId }) => textChunk(facadeModuleId) ?? 'assets/[name]-[hash].js',
            codeSplitting: {
              groups: [
                // Code that the first load shares with later chunks stays in the first load's file.
                { name: 'main', test: /portal[\\/]src[\\/]sign-in-area[\\/]main\.tsx$/, priority: 2 },
                // The sign-in page loads this code half a second after its first frame, to offer
                // passkeys in the autofill. It contains no decoders: those of all calls would take
                // half a megabyte of memory.
                {
                  name: 'offer',
                  test: /sign-in[\\/]src[\\/](calls[\\/](answer|passkey-offer-api|send)|passkeys[\\/]passkey-ceremony)\.ts$/,
                  minShareCount: 2,
                  priority: 1.6,
                },
                // Calls and their decoders, which the sign-in page needs only after the user has typed.
                {
                  name: 'calls',
                  test: /[\\/](valibot|wire[\\/]src)[\\/]|sign-in[\\/]src[\\/](next|calls[\\/](api|decoded-body|error-answer|page-origin|request))\.ts$|portal[\\/]src[\\/]calls[\\/]/,
                  minShareCount: 2,
                  priority: 1.5,
                },
                // The calls for passkeys, which the sign-in page needs when the user has chosen one.
                {
                  name: 'passkeys',
                  test: /sign-in[\\/]src[\\/](passkeys[\\/]|calls[\\/]passkey-api\.ts$)/,
                  minShareCount: 2,
                  priority: 1.2,
                },
                // Code that only later chunks share goes into one file, instead of one for each combination of pages.
                {
                  name: 'parts',
                  test: /[\\/](sign-in|ui|wire|language)[\\/]src[\\/]|portal[\\/]src[\\/]messages[\\/](current|load-texts)\.ts$/,
                  minShareCount: 2,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
}))

import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite'
import { scopedName, stylesOfOwnPages } from '../sign-in/own-styles.ts'
import { compressed } from './build/compressed.ts'
import { oneScript } from './build/one-script.ts'
import { pageFiles } from './build/page-files.ts'
import { pageShells } from './build/page-shells.ts'
import { shortPreload } from './build/short-preload.ts'

// Within the workspace, the widget is its source and not the last build of it.
const source = 'gatehouse-source'

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  logLevel: 'warn',
  // Built pages say `="./assets/…"`; the server puts its base path there.
  base: './',
  plugins: [react(), ...(isSsrBuild ? [] : [shortPreload, oneScript, pageFiles(pageShells), compressed])],
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
          // Parts import their scripts themselves, and every page has the style sheet of the first script: only other style sheets remain.
          resolveDependencies: (_, files) => files.filter(file => file.endsWith('.css') && !file.startsWith('assets/main-')),
        },
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: {
            'approve-worker': resolve(import.meta.dirname, 'src/approver/approve-worker.ts'),
          },
          output: {
            // A service worker controls addresses below its own: no folder. Browsers find updates by its address: no hash.
            entryFileNames: ({ name }) => (name === 'approve-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
            codeSplitting: {
              groups: [
                // What the first load shares with later parts stays in the one file of the first load.
                { name: 'main', test: /portal[\\/]src[\\/]sign-in-area[\\/]main\.tsx$/, priority: 2 },
                // Calls and their decoders: the sign-in page needs none before the user has typed.
                {
                  name: 'calls',
                  test: /[\\/](valibot|wire[\\/]src)[\\/]|sign-in[\\/]src[\\/]calls[\\/](api|answer|page-origin|request)\.ts$|portal[\\/]src[\\/]calls[\\/]/,
                  minShareCount: 2,
                  priority: 1.5,
                },
                // What only later parts share is one file, instead of one for each set of pages that shares something.
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

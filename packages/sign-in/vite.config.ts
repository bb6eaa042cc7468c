import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { languageTags, packageLanguages } from './build/package-languages.ts'
import { licenses, licensesText } from './licenses.ts'
import { ownStyles, scopedName } from './own-styles.ts'
import { packageEntries } from './package-entries.ts'
import { themeStyles } from './theme-styles.ts'

const here = import.meta.dirname

/** Some dependencies start with `use client`, which Rolldown drops. The first line of the entry replaces it. */
const checks = { moduleLevelDirective: false }

/**
 * For React applications: a module that uses the host's React, with rarely needed code in separate files. The texts have an entry
 * without `use client`, for server components.
 */
const module = {
  outDir: resolve(here, 'dist'),
  lib: {
    entry: { ...packageEntries, ...Object.fromEntries(languageTags.map(tag => [`languages/${tag}`, `gatehouse:language/${tag}`])) },
    formats: ['es' as const],
    fileName: (_: string, name: string) => `${name}.js`,
    cssFileName: 'styles',
  },
  rolldownOptions: {
    checks,
    external: [/^react(-dom)?($|\/)/],
    output: {
      chunkFileNames: 'parts/[name]-[hash].js',
      banner: ({ isEntry, name }: { isEntry: boolean; name: string }) => (isEntry && name === 'index' ? '"use client";' : ''),
    },
  },
}

/** For pages without a bundler: one script that includes all dependencies and defines one global, `Gatehouse`. */
const pageScript = {
  outDir: resolve(here, 'dist/page'),
  lib: {
    entry: resolve(here, 'page-script.ts'),
    formats: ['iife' as const],
    name: 'Gatehouse',
    fileName: () => 'gatehouse-sign-in.js',
    cssFileName: 'gatehouse-sign-in',
  },
  rolldownOptions: { checks, output: { codeSplitting: false } },
}

export default defineConfig(({ mode }) => ({
  root: here,
  css: { modules: { generateScopedName: scopedName }, postcss: { plugins: [themeStyles, ...ownStyles.plugins] } },
  define: {
    'import.meta.env.GATEHOUSE_OWN_PAGES': 'false',
    ...(mode === 'page-script' && { 'process.env.NODE_ENV': '"production"' }),
  },
  plugins: [
    packageLanguages(mode === 'page-script'),
    ...(mode === 'page-script' ? [licenses(resolve(here, 'dist/LICENSES.txt'), licensesText)] : []),
  ],
  build: {
    ...(mode === 'page-script' ? pageScript : module),
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    emptyOutDir: true,
    sourcemap: true,
  },
}))

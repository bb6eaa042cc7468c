import { resolve } from 'node:path'
import { defineConfig } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { packageEntries } from './package-entries.ts'

const here = import.meta.dirname

/** The package's types, including those of the wire format. Only React stays an import. */
export default defineConfig({
  input: packageEntries,
  external: [/^react(-dom)?($|\/)/],
  plugins: [
    dts({ emitDtsOnly: true, tsconfig: resolve(here, '../../tsconfig.declarations.json'), logger: { ...console, warn: () => {} } }),
  ],
  output: { dir: resolve(here, 'dist'), chunkFileNames: 'parts/[name]-[hash].js', cleanDir: false },
})

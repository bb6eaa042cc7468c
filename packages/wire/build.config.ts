import { resolve } from 'node:path'
import { defineConfig } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const here = import.meta.dirname
const input = resolve(here, 'src/index.ts')
const dir = resolve(here, 'dist')
const external = ['valibot']

/**
 * Builds one file per module, so that bundlers drop what a page does not use, and the type declarations with their comments. Valibot
 * stays a dependency, so that a host application contains it once.
 */
export default defineConfig([
  { input, external, output: { dir, cleanDir: true, preserveModules: true, entryFileNames: '[name].js', sourcemap: true } },
  {
    input,
    external,
    plugins: [dts({ emitDtsOnly: true, tsconfig: resolve(here, 'tsconfig.json'), logger: { ...console, warn: () => {} } })],
    output: { dir, cleanDir: false },
  },
])

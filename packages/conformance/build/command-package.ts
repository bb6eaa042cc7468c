import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin, RolldownOptions } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { licenses, licensesText } from '../../sign-in/licenses.ts'

/** Optional dependencies of `ws`, which works without them. */
const absent = ['bufferutil', 'utf-8-validate']

/** Turns the list of licenses into the package's `LICENSES.txt`. */
const licensesFile = (dist: string): Plugin => ({
  name: 'licenses-file',
  writeBundle: () => {
    const list = join(dist, 'licenses.json')
    writeFileSync(join(dist, 'LICENSES.txt'), licensesText(JSON.parse(readFileSync(list, 'utf8'))))
    rmSync(list)
  },
})

/**
 * Builds a test package: its module, its types and all libraries, so that it has no dependencies.
 */
export const testPackage = (here: string, plugins: Plugin[] = [], scripts: Record<string, string> = {}): RolldownOptions[] => {
  const dist = resolve(here, 'dist')
  const index = resolve(here, 'src/index.ts')
  return [
    {
      input: { ...scripts, index },
      platform: 'node',
      external: absent,
      plugins: [licenses(join(dist, 'licenses.json')), licensesFile(dist), ...plugins],
      output: { dir: dist, cleanDir: true, chunkFileNames: '[name].js', sourcemap: true },
    },
    {
      input: { index },
      // The package's declarations use no type of a library, so the package has no dependencies.
      external: [/^@gatehouse\/wire/, 'valibot', 'ws'],
      treeshake: { moduleSideEffects: false },
      // This tsconfig includes only the entry. Otherwise, the compiler would write the declarations
      // of sources outside `src` next to them.
      plugins: [dts({ emitDtsOnly: true, tsconfig: resolve(here, 'tsconfig.declarations.json'), logger: { ...console, warn: () => {} } })],
      output: { dir: dist, cleanDir: false },
    },
  ]
}

/** The build of a test package that also has a command. */
export const commandPackage = (here: string, plugins: Plugin[] = []): RolldownOptions[] =>
  testPackage(here, plugins, { cli: resolve(here, 'src/cli.ts') })

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/** The license of one bundled library. */
export type Notice = { library: string; text: string }

/** The folder of the library that a module belongs to, if it is not ours. */
const libraryOf = (module: string): string | undefined => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0]

const noticeOf = (folder: string): Notice => {
  const { name, version, license }: Record<string, unknown> = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry))
  return { library: `${name} ${version}`, text: file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}` }
}

/** The text of a package's `LICENSES.txt`. A library that several builds name appears once. */
export const licensesText = (notices: readonly Notice[]): string => {
  const byLibrary = new Map(notices.map(({ library, text }) => [library, text]))
  const texts = [...byLibrary].sort(([a], [b]) => (a < b ? -1 : 1)).map(([library, text]) => `${library}\n\n${text}\n`)
  return `Licenses of the libraries in this package\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/**
 * Writes the licenses of the bundled libraries into a file: most of these libraries require that copies include their license.
 * @param write turns the notices into the content of the file
 */
export const licenses = (file: string, write: (notices: readonly Notice[]) => string = JSON.stringify): Plugin => ({
  name: 'licenses',
  generateBundle: (_, bundle) => {
    const modules = Object.values(bundle).flatMap(output => (output.type === 'chunk' ? output.moduleIds : []))
    const folders = [...new Set(modules.flatMap(module => libraryOf(module) ?? []))].sort()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, write(folders.map(noticeOf)))
  },
})

// package.json leads to the sources here, because our server runs them as they are. In the packed package it leads to what is built.
//   node packed-manifest.mjs write | restore
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = join(dirname(fileURLToPath(import.meta.url)), 'package.json')
const original = `${manifest}.original`

if (process.argv[2] === 'restore') {
  renameSync(original, manifest)
} else {
  // After a pack that was interrupted the original is still there.
  const text = readFileSync(existsSync(original) ? original : manifest, 'utf8')
  writeFileSync(original, text)
  const { scripts, devDependencies, exports: sources, ...rest } = JSON.parse(text)
  // The props of our own pages are no part of the wire format.
  const { './page-props': _, ...published } = sources
  const exports = { ...published, '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  writeFileSync(`${manifest}.new`, `${JSON.stringify({ ...rest, exports }, null, 2)}\n`)
  // In one step: servers of this workspace may read it at any moment.
  renameSync(`${manifest}.new`, manifest)
}

// In the workspace, package.json exports the sources, because the server runs them directly. The packed package exports the build.
//   node packed-manifest.mjs write | restore
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = join(dirname(fileURLToPath(import.meta.url)), 'package.json')
const original = `${manifest}.original`

if (process.argv[2] === 'restore') {
  renameSync(original, manifest)
} else {
  // After an interrupted pack, the original file is still there.
  const text = readFileSync(existsSync(original) ? original : manifest, 'utf8')
  writeFileSync(original, text)
  const { scripts, devDependencies, exports: sources, ...rest } = JSON.parse(text)
  // The other entries stay, because a server of this workspace may start while this manifest is in place. Their files are not packed.
  const exports = { ...sources, '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  writeFileSync(`${manifest}.new`, `${JSON.stringify({ ...rest, exports }, null, 2)}\n`)
  // Rename in one step, because servers of this workspace may read the file at any moment.
  renameSync(`${manifest}.new`, manifest)
}

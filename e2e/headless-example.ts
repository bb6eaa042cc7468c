import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Builds the page of examples/headless. */
export const buildHeadless = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-headless-'))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', join(root, 'examples/headless'), '--base', './', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  await promisify(execFile)(process.execPath, [vite, ...args], { cwd: root })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

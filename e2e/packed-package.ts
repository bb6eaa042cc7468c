import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Packs packages into a folder, as `npm run pack` does. @returns the tarballs, in the same order */
export const packInto = async (folder: string, ...names: string[]): Promise<string[]> => {
  const env = { ...process.env, INIT_CWD: folder }
  await promisify(execFile)(process.execPath, ['scripts/setup.mjs', 'pack', ...names], { cwd: root, env })
  const tarballs = await readdir(folder)
  return names.map(name => join(folder, tarballs.find(file => file.startsWith(`gatehouse-${name}-`) && file.endsWith('.tgz')) ?? ''))
}

/** Every file below a folder, as a sorted list of paths with slashes. */
export const filesOf = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

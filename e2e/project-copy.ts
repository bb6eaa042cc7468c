import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Copies the project's files to a folder, without installed packages and builds. */
export const copyProject = async (folder: string) => {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 2 ** 26 })
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(root, file), join(folder, file)).catch(() => {})
  }
}

/** Links the installed packages into a copy. Workspace links lead to the copy's own folders. */
export const linkPackages = async (folder: string) => {
  const installed = join(root, 'node_modules')
  await mkdir(join(folder, 'node_modules/@gatehouse'), { recursive: true })
  for (const name of await readdir(installed))
    if (name !== '@gatehouse' && !name.startsWith('.vite')) await symlink(join(installed, name), join(folder, 'node_modules', name))
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(folder, 'node_modules/@gatehouse', name))
    const own = join(root, 'packages', name, 'node_modules')
    const names = (await readdir(own).catch(() => [])).filter(one => !one.startsWith('.'))
    if (names.length > 0) await mkdir(join(folder, 'packages', name, 'node_modules'))
    for (const one of names) await symlink(join(own, one), join(folder, 'packages', name, 'node_modules', one))
  }
  await symlink(join(root, '.tools'), join(folder, '.tools'))
}

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { minutes, seconds } from '../../src/limits.ts'

const run = promisify(execFile)

/** The version from which installations must be able to upgrade. Nothing has been released, so it is a commit. */
const commit = '4be31770'
const root = join(import.meta.dirname, '../../../..')
const tools = join(root, '.tools')
const folder = join(tools, `earlier-${commit}`)

/** The arguments with which Node starts the earlier version's server, and runs one of its commands. */
export type Earlier = { server: string[]; commands: string[] }

/**
 * Takes the earlier version from this repository's history. The first call installs and builds it, which takes about a minute.
 * @returns how to run it, or a message if this copy of the repository lacks that commit
 */
export const earlierVersion = async (): Promise<Earlier | string> => {
  const source = join(folder, 'packages/server/src')
  const found = { server: [join(source, 'main.ts')], commands: [join(source, 'cli.ts')] }
  if (existsSync(folder)) return found
  const history = await run('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).catch(() => undefined)
  if (!history) return `commit ${commit} is missing: this copy of the repository does not have the whole history`
  await inOneProcess(`${folder}.lock`, async () => {
    if (!existsSync(folder)) await install()
  })
  return found
}

const install = async () => {
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  await run('git', ['-C', root, 'archive', '--output', `${part}/source.tar`, commit])
  await run('tar', ['-xf', `${part}/source.tar`, '-C', part])
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const npm = (...args: string[]) => run('npm', args, { cwd: part, env: { ...process.env, PATH, NODE_ENV: '' }, maxBuffer: 2 ** 26 })
  // Skip the install scripts of packages: they only download programs that the earlier version's tests need.
  await npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  await npm('run', '--silent', 'build', '--workspace', 'packages/portal')
  await rename(part, folder)
}

/** Runs the work in one process at a time. A lock that is unchanged for five minutes belongs to a killed process. */
const inOneProcess = async (lock: string, work: () => Promise<void>): Promise<void> => {
  await mkdir(dirname(lock), { recursive: true })
  while (
    !(await mkdir(lock)
      .then(() => true)
      .catch(() => false))
  ) {
    const age = await stat(lock)
      .then(({ mtimeMs }) => Date.now() - mtimeMs)
      .catch(() => 0)
    if (age > minutes(5)) await rm(lock, { recursive: true, force: true })
    await setTimeout(seconds(1))
  }
  const alive = setInterval(() => void writeFile(join(lock, 'alive'), '').catch(() => {}), seconds(30))
  try {
    await work()
  } finally {
    clearInterval(alive)
    await rm(lock, { recursive: true, force: true })
  }
}

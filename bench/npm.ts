import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/**
 * Runs npm under the Node that runs us, because it builds native modules for the Node that runs it. The shell's may be an older one:
 * the set-up brings Node 24 where the shell has another.
 */
export const npm = (args: string[], cwd: string) =>
  spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    timeout: 600_000,
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
  })

import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/**
 * Runs npm with the Node that runs this process, which may be newer than the one in the shell. npm builds native modules for its
 * own Node.
 */
export const npm = (args: string[], cwd: string) =>
  spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    timeout: 600_000,
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
  })

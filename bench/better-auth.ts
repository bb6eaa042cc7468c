import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { killAtExit } from './at-exit.ts'
import { npm } from './npm.ts'

const folder = join(import.meta.dirname, '../.tools/peers/better-auth')
/** Fixed versions, except for better-sqlite3, so that results from different days are comparable. */
const packages = ['better-auth@1.7.5', '@node-rs/argon2@2.2.1', 'better-sqlite3', 'pg@8.23.1']

/** Installs Better Auth outside the project's own packages. Installs it again after Node changes, because it uses native modules. */
const install = () => {
  const stamp = join(folder, '.installed')
  const wanted = `${packages.join(' ')} for modules of version ${process.versions.modules}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const { status, stderr } = npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder)
  if (status !== 0) throw new Error(`Could not install Better Auth: ${stderr}`)
  writeFileSync(stamp, wanted)
}

/** Starts a Better Auth server with twenty users. Returns its port, its process ID and a function that stops it. */
export const startBetterAuth = async (dataDir: string, postgresUrl: string | undefined) => {
  install()
  const program = join(folder, 'better-auth.mjs')
  copyFileSync(join(import.meta.dirname, 'peers/better-auth.mjs'), program)
  const port = await freePort()
  const child = spawn(process.execPath, [program, String(port), dataDir, ...(postgresUrl ? [postgresUrl] : [])], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  killAtExit(child)
  while (!(await fetch(`http://127.0.0.1:${port}/api/auth/ok`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`Better Auth did not start: ${said}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { port, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') }
}

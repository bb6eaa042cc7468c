import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Row } from '@gatehouse/conformance'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { startChecked } from './checked-server.ts'
import { startFaultProxy } from './fault-proxy.ts'

const root = join(import.meta.dirname, '../../../..')
const run = (program: string, args: string[], cwd: string, env = {}) =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 24 }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )

test('the command runs from its packed file, without a registry, and its exit code says whether a row failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-conformance-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  expect(await run(process.execPath, ['scripts/setup.mjs', 'pack', 'conformance'], root, { INIT_CWD: folder })).toMatchObject({ code: 0 })
  const tarball = (await readdir(folder)).find(file => file.endsWith('.tgz')) ?? ''
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  expect(await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder)).toMatchObject({ code: 0 })

  const { server, file, port } = await startChecked('off')
  await writeFile(join(folder, 'accounts.json'), JSON.stringify(file))
  const follow = () => {
    server.clock.at = Date.now()
  }
  const sound = await startFaultProxy(port, {}, follow)
  const faulty = await startFaultProxy(port, { change: ({ headers }) => void delete headers['x-content-type-options'] }, follow)
  const check = (url: string, ...options: string[]) => {
    const command = join(folder, 'node_modules/@gatehouse/conformance/dist/cli.js')
    const args = [command, url, '--accounts', 'accounts.json', '--origin', server.config.publicUrl.origin, ...options]
    return run(process.execPath, args, folder)
  }

  const table = await check(sound)
  expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n\d+ passed, 0 failed, \d+ not checked\n$/) })
  expect(table.stdout).toContain('✓ §7 getAuthTokenWithError')
  expect(table.stdout).toContain('not checked: needs the account `totp`')

  const failed = await check(faulty, '--json', '--only', 'features', '--only', 'nosniff')
  const rows: Row[] = JSON.parse(failed.stdout)
  expect(failed.code).toBe(1)
  expect(rows.filter(({ result }) => result === 'failed').map(({ id, section }) => [id, section])).toEqual([
    ['responses/nosniff', 'wire.md: Responses'],
  ])

  expect(await check(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no server answers (ECONNREFUSED)'),
  })
  expect(await check('nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('expected an address') })
})

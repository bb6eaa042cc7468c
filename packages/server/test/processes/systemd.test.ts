import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/limits.ts'

const unit = join(import.meta.dirname, '../../systemd/gatehouse.service')

/** A copy of the unit whose command exists on this machine. */
const installedUnit = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-unit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'gatehouse.service')
  await writeFile(file, (await readFile(unit, 'utf8')).replace('/usr/local/bin/gatehouse', process.execPath))
  return file
}

const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', ['--no-pager', ...args])

const isMissing = spawnSync('systemd-analyze', ['--version']).status !== 0

test.skipIf(isMissing)('systemd finds no mistake in the unit', async () => {
  expect(await analyze('verify', await installedUnit())).toEqual({ stdout: '', stderr: '' })
})

test.skipIf(isMissing)('systemd rates the exposure of the unit as 2.0 or less', async () => {
  const { stdout } = await analyze('security', '--offline=true', await installedUnit())
  const [, exposure] = /Overall exposure level for gatehouse\.service: ([\d.]+)/.exec(stdout) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2)
  expect(Number(exposure)).toBeGreaterThan(0)
})

test('systemd kills the server only after the default drain time and 10 more seconds to stop', async () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(await readFile(unit, 'utf8')) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThanOrEqual(limits.stop.drain + 10_000)
})

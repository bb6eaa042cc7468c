import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addMasterKey } from '../../src/config/master-key.ts'
import { seconds } from '../../src/limits.ts'
import { commandLine } from '../support/program.ts'
import { addUsers, idOf, idsInUse, keysIn, newKey, openUsersAt, usernames } from './key-rotation-users.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

test('CR-02: an idle server picks up a new key without a restart', async () => {
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required' }
  const file = join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'master.key')
  const url = await startProcess(env).ready
  const [early = '', late = ''] = usernames('user', 2)
  await addUsers(installation, [early, late])
  await openUsersAt(url).enroll(early)
  const [old = ''] = await keysIn(file)
  expect((await idsInUse(installation.inDatabase)).ids).toEqual([idOf(old)])
  addMasterKey(file)
  await setTimeout(seconds(6.5))
  await openUsersAt(url).enroll(late)
  const [added = ''] = await keysIn(file)
  expect(added).not.toBe(old)
  expect((await idsInUse(installation.inDatabase)).ids.sort()).toEqual([idOf(old), idOf(added)].sort())
})

test('CR-02: with one key in the environment, refuses and explains the rotation; with two keys, rotates', async () => {
  const installation = await makeInstallation()
  const [old, fresh] = [newKey(), newKey()]
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required', GATEHOUSE_MASTER_KEY: old }
  const server = startProcess(env)
  const [name = ''] = usernames('user', 1)
  await server.ready
  await addUsers(installation, [name])
  await openUsersAt(await server.ready).enroll(name)
  const alone = await runCli(env, ['rotate-key'])
  expect(alone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('GATEHOUSE_MASTER_KEY contains one key.') })
  expect((await idsInUse(installation.inDatabase)).ids).toEqual([idOf(old)])
  const both = await runCli({ ...env, GATEHOUSE_MASTER_KEY: `${fresh},${old}` }, ['rotate-key'])
  expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is encrypted with an old key at this moment.') })
  // A server that was not restarted may still use the old key. This run cannot know, so it must not call the rotation finished.
  expect(both.stdout).not.toContain('any longer')
  expect(both.stdout).toMatch(new RegExp(`${commandLine} doctor.*remove the old keys`))
  expect((await idsInUse(installation.inDatabase)).ids).toEqual([idOf(fresh)])
  for (const key of [old, fresh]) expect(alone.stderr + both.stdout + both.stderr).not.toContain(key.slice(0, 12))
})

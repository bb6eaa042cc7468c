import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addMasterKey } from '../../src/config/master-key.ts'
import { addUsers, idOf, idsInUse, keysIn, newKey, openUsersAt, usernames } from './key-rotation-users.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

test('CR-02: reports a missing key before it changes anything', async () => {
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required' }
  const file = join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'master.key')
  const [name = ''] = usernames('user', 1)
  const server = startProcess(env)
  await server.ready
  await addUsers(installation, [name])
  await openUsersAt(await server.ready).enroll(name)
  server.child.kill('SIGKILL')
  await server.ended
  const before = await installation.inDatabase(db => db.selectFrom('totp_bindings').selectAll().execute())
  const wrong = `${newKey()}\n`
  await writeFile(file, wrong)
  const { code, stdout, stderr } = await runCli(env, ['rotate-key'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^\d secrets and emails are encrypted with a master key that is not in .*master\.key\. Put that key back.* Nothing was changed\.\n$/,
  )
  expect(await readFile(file, 'utf8')).toBe(wrong)
  expect(await installation.inDatabase(db => db.selectFrom('totp_bindings').selectAll().execute())).toEqual(before)
})

test('CR-02: finishes an interrupted rotation without a third key', async () => {
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required' }
  const file = join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'master.key')
  const server = startProcess(env)
  const [name = ''] = usernames('user', 1)
  await server.ready
  await addUsers(installation, [name])
  await openUsersAt(await server.ready).enroll(name)
  addMasterKey(file)
  const keys = await keysIn(file)
  const { code, stdout } = await runCli(env, ['rotate-key', '--json'])
  expect([code, JSON.parse(stdout)]).toEqual([0, { secrets: 1, mails: expect.any(Number), unreadable: [], finished: true }])
  expect(await keysIn(file)).toEqual(keys)
  expect((await idsInUse(installation.inDatabase)).ids).toEqual([idOf(keys[0] ?? '')])
})

test('CR-02: preserves the mode and symbolic link of a key file, and refuses a second concurrent rotation', async () => {
  const { env } = await makeInstallation()
  const file = join(env.GATEHOUSE_DATA_DIR ?? '', 'real.key')
  const link = join(env.GATEHOUSE_DATA_DIR ?? '', 'link.key')
  const old = newKey()
  await writeFile(file, old)
  await chmod(file, 0o640)
  await symlink(file, link)
  addMasterKey(link)
  expect((await stat(file)).mode & 0o777).toBe(0o640)
  expect(await keysIn(file)).toEqual([expect.any(String), old])
  const before = await readFile(link, 'utf8')
  await writeFile(`${file}.next`, '')
  expect(() => addMasterKey(link)).toThrow(/Another rotation is adding a key/)
  expect(await readFile(link, 'utf8')).toBe(before)
})

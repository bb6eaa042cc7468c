import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createMailbox } from '../../src/mail/mailbox.ts'
import { openClient } from '../credentials/deployment.ts'
import { addUsers, idOf, idsInUse, keysIn, openUsersAt, unreachableSmtp, usernames } from './key-rotation-users.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

test('CR-02: no sign-in with a code fails during a key rotation, and afterwards the server works without the old key', {
  timeout: 120_000,
}, async () => {
  const installation = await makeInstallation()
  // The mail server is unreachable, so mail stays in the outbox.
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required', GATEHOUSE_SMTP_URL: unreachableSmtp }
  const file = join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'master.key')
  const server = startProcess(env)
  const url = await server.ready
  const [old = ''] = await keysIn(file)
  const [before, during, after] = [usernames('before', 20), usernames('during', 30), usernames('after', 3)]
  await addUsers(installation, [...before, ...during, ...after])
  const crowd = openUsersAt(url)
  for (const name of [...before, ...after]) expect(await crowd.enroll(name)).toBe('AuthSuccessful')
  await openClient([url]).post(routes.sendPasswordResetEmail.path, { useremail: after[0] })
  expect((await idsInUse(installation.inDatabase)).ids).toEqual([idOf(old)])

  const tags: string[] = []
  let rotating = true
  const traffic = async () => {
    for (let i = 0; rotating; i++) {
      const tag = await crowd.enter(before[i % before.length] ?? '')
      if (tag) tags.push(tag)
      const newcomer = i % 3 === 0 ? during.pop() : undefined
      if (newcomer) tags.push(await crowd.enroll(newcomer))
      await setTimeout(30)
    }
  }
  const crowded = traffic()
  const rotation = await runCli(env, ['rotate-key'])
  rotating = false
  await crowded
  expect(rotation).toMatchObject({ code: 0, stderr: '' })
  expect(rotation.stdout).toContain(`Added a new master key in front of the others in ${file}.`)
  expect(rotation.stdout).toMatch(/Re-encrypted \d\d authenticator secrets and \d+ emails\.\n/)
  expect(rotation.stdout).toContain('Nothing is encrypted with an old key any longer.')
  expect([...new Set(tags)]).toEqual(['AuthSuccessful'])
  expect(tags.length).toBeGreaterThan(20)

  const keys = await keysIn(file)
  expect(keys).toEqual([expect.any(String), old])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const inUse = await idsInUse(installation.inDatabase)
  expect(inUse.ids).toEqual([idOf(keys[0] ?? '')])
  expect(inUse.count).toBeGreaterThan(before.length + after.length)

  await writeFile(file, `${keys[0]}\n`)
  server.child.kill('SIGTERM')
  await server.ended
  const { GATEHOUSE_SMTP_URL: _, ...toMailbox } = env
  const again = startProcess(toMailbox)
  const urlAgain = await again.ready
  for (const name of after) expect([name, await crowd.enter(name, urlAgain)]).toEqual([name, 'AuthSuccessful'])
  const mailbox = createMailbox(join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'mail'), '')
  await installation.inDatabase(db => db.updateTable('outbox').set({ mailNext: 0 }).execute())
  await expect
    .poll(async () => (await mailbox.list()).map(mail => `${mail.to}: ${mail.subject}`), { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^after0@example\.com: .*[Pp]assword/))
  const said = [rotation, server.output, again.output].map(output => output.stdout + output.stderr).join()
  for (const key of keys) expect(said).not.toContain(key.slice(0, 12))
})

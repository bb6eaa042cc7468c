import { routes } from '@gatehouse/wire'
import { expect, inject, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import * as accounts from '../../src/users/users.store.ts'
import { openClient, signIn, tokenOf } from '../credentials/deployment.ts'
import { admin, askForLink, askForReset, makeInstallationWithSink } from './server-with-sink.ts'

test('RX-6: without its mail server a server starts, signs users in and responds at once; the mail arrives later', async () => {
  const { sink, start, outbox } = await makeInstallationWithSink()
  await sink.stop()
  const server = await start()
  const client = openClient([await server.ready])
  const begun = performance.now()
  for (const ask of [askForReset, askForLink]) expect((await client.post(...ask(admin.username))).status).toBe(200)
  const asked = performance.now()
  // Do not time the sign-in: it waits for a hash thread, which has the lowest priority. If it waited for mail, it would never end.
  const token = tokenOf(await signIn(client, admin))
  const signedIn = performance.now()
  expect((await client.post(routes.plowlogin.path, token)).status).toBe(200)
  expect((await client.get('/account')).status).toBe(200)
  expect(asked - begun + performance.now() - signedIn).toBeLessThan(seconds(2))
  // Start the mail server only after an attempt has failed, so that the mail has to wait for a retry.
  await expect.poll(() => server.output.stderr, { timeout: seconds(10) }).toContain('sending an email failed; it stays in the outbox')
  await sink.start()
  await expect.poll(() => sink.mails.length, { timeout: seconds(20) }).toBe(2)
  await expect.poll(outbox).toEqual([])
  expect(sink.mails).toHaveLength(2)
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(2)
  expect(server.output.stderr).not.toContain(admin.username)
})

test.each(['is-silent', 'swallows'] as const)(
  'RX-6: when a server is killed while its mail server %s, another server sends the same mail after the lease',
  async behavior => {
    const { sink, start, outbox, inDatabase } = await makeInstallationWithSink()
    sink.behavior = behavior
    const first = await start()
    await openClient([await first.ready]).post(...askForReset(admin.username))
    await expect.poll(() => (behavior === 'swallows' ? sink.mails.length : sink.connections), { timeout: seconds(10) }).toBe(1)
    first.child.kill('SIGKILL')
    await first.ended
    const [mail, ...more] = await outbox()
    expect(more).toEqual([])
    expect(mail?.mailAttempts).toBe(1)
    expect(mail?.mailNext).toBeGreaterThan(Date.now() + minutes(1.5))

    const swallowed = sink.mails.map(({ messageId }) => messageId)
    sink.mails.length = 0
    sink.behavior = 'takes'
    const second = await start()
    await second.ready
    await new Promise(resolve => setTimeout(resolve, seconds(1.5)))
    expect(sink.mails).toEqual([])
    await inDatabase(db => db.updateTable('outbox').set({ mailNext: Date.now() }).execute())
    await expect.poll(() => sink.mails.length, { timeout: seconds(10) }).toBe(1)
    await expect.poll(outbox).toEqual([])
    const id = `<${mail?.mailId}@localhost>`
    expect([...swallowed, ...sink.mails.map(({ messageId }) => messageId)]).toEqual(behavior === 'swallows' ? [id, id] : [id])
  },
)

test.runIf(inject('postgres') !== '')('three servers that share an outbox send each mail once', async () => {
  const { sink, start, outbox, inDatabase } = await makeInstallationWithSink()
  const servers = await Promise.all([start(), start(), start()])
  const client = openClient(await Promise.all(servers.map(server => server.ready)))
  const names = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`)
  await inDatabase(async db => {
    for (const userIdent of names)
      await accounts.addAccount(db, { userIdent, userPassword: 'some hash', userTZLabel: 'UTC', now: Date.now() })
  })
  await Promise.all(names.map(name => client.post(...askForReset(name))))
  await expect.poll(() => sink.mails.length, { timeout: seconds(30) }).toBe(60)
  await expect.poll(outbox).toEqual([])
  await new Promise(resolve => setTimeout(resolve, seconds(1.5)))
  expect(sink.mails).toHaveLength(60)
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(60)
})

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabaseRotation } from '../../src/cli/key-rotation.ts'
import { addMasterKey } from '../../src/config/master-key.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { hours } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import { countWaiting } from '../../src/mail/outbox.store.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, startServer } from '../support/harness.ts'
import { password, usernames } from './key-rotation-users.ts'

// `npm test` runs this file on both databases, because other tests run the rotation as a command, in another process.

const rotationOf = (server: Awaited<ReturnType<typeof startServer>>) => {
  const keyring = createKeyring(server.config.masterKeys)
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  return { rotation: createDatabaseRotation({ db: server.db, keyring, now: () => server.clock.at, wait }), waits, keyring }
}

test('CR-02: a corrupted secret does not stop the re-encryption of the others', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  const users = usernames('user', 3)
  const ids: string[] = []
  for (const username of users) {
    ids.push(await server.addUser({ username, password }))
    await enroll(server.openBrowser(), server.clock, { username, password })
  }
  const [broken] = await server.db
    .selectFrom('factors')
    .selectAll()
    .where('factorIdentity', '=', ids[1] ?? '')
    .execute()
  await server.db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingSecret: sql`"factorTOTPBindingSecret" || 'AAAA'` })
    .where('factorTOTPBindingFactorUUID', '=', broken?.factorUUID ?? '')
    .execute()
  addMasterKey(server.config.masterKeyFile ?? '')
  const { rotation, keyring } = rotationOf(server)
  const mails = await server.db.selectFrom('outbox').select('mailId').execute()
  expect(await rotation.tally()).toEqual({ current: 0, old: 4 + mails.length, missing: 0 })
  expect(await rotation.run()).toEqual({ secrets: 2, mails: mails.length, keys: 1, unreadable: [ids[1]], finished: true })
  expect(await rotation.tally()).toEqual({ current: 3 + mails.length, old: 1, missing: 0 })
  const [row] = await server.db.selectFrom('audit').selectAll().where('auditEvent', '=', 'master-key-rotated').execute()
  expect(row).toMatchObject({ auditActor: 'cli', auditResult: 'successful' })
  expect(keyring.prefix()).toHaveLength(9)
})

test('CR-02: mails that no key decrypts do not delay others, and expire', async () => {
  const server = await startServer()
  await server.addUser()
  const mail = createMail({
    keyring: createKeyring(server.config.masterKeys),
    now: () => server.clock.at,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  const lost = createMail({
    keyring: createKeyring(() => [randomBytes(32)]),
    now: () => server.clock.at,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  for (let i = 0; i < 7; i++) await lost.queueRequest(server.db, { request: 'PasswordReset', ident: ada.username })
  server.clock.advance(1)
  await mail.queueRequest(server.db, { request: 'OneTimeLink', ident: ada.username })
  for (let i = 0; i < 3; i++) await server.deliver()
  expect((await server.deliver()).map(one => one.to)).toEqual([ada.username])
  expect(await countWaiting(server.db)).toBe(7)
  server.clock.advance(hours(24))
  for (let i = 0; i < 3; i++) await server.deliver()
  expect(await countWaiting(server.db)).toBe(0)
})

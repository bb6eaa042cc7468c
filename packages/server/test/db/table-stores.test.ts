import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../support/harness.ts'
import { listTables } from '../support/tables.ts'

const root = join(import.meta.dirname, '../../src')

/** Each table and the one module that writes it. */
const stores = {
  users: 'users/users.store.ts',
  emails: 'users/users.store.ts',
  known_browsers: 'sign-in/lockout.store.ts',
  failed_logins: 'sign-in/lockout.store.ts',
  skips: 'sign-in/deferrals.store.ts',
  hand_overs: 'sessions/hand-overs.store.ts',
  sessions: 'sessions/sessions.store.ts',
  doors: 'forward-auth/open-door/doors.store.ts',
  door_rounds: 'forward-auth/open-door/doors.store.ts',
  signing_keys: 'forward-auth/assertions/signing-keys.store.ts',
  tickets: 'sessions/tickets.store.ts',
  push_waits: 'sessions/approval-waits.store.ts',
  factors: 'factors/factors.store.ts',
  challenges: 'factors/challenges.store.ts',
  failed_codes: 'factors/failed-codes.store.ts',
  recovery_codes: 'factors/recovery-codes.store.ts',
  totp_bindings: 'factors/totp/totp.store.ts',
  push_bindings: 'factors/push/push-devices.store.ts',
  push_enrolments: 'factors/push/push-devices.store.ts',
  push_counts: 'factors/push/push-counts.store.ts',
  passkeys: 'factors/passkey/passkeys.store.ts',
  passkey_handles: 'factors/passkey/passkeys.store.ts',
  used_passkey_challenges: 'factors/passkey/used-challenges.store.ts',
  push_keys: 'factors/push/push-keys.store.ts',
  passes: 'passes/passes.store.ts',
  push_nonces: 'factors/push/push-nonces.store.ts',
  push_subscriptions: 'factors/push/push-wakes.store.ts',
  push_wakes: 'factors/push/push-wakes.store.ts',
  mail_links: 'mail-links/mail-links.store.ts',
  outbox: 'mail/outbox.store.ts',
  notices: 'mail/notices.store.ts',
  sso_journeys: 'sso/sso-journeys.store.ts',
  return_addresses: 'forward-auth/return-addresses.store.ts',
  audit: 'audit/audit.store.ts',
  audit_counts: 'audit/audit-counts.store.ts',
  audit_counted: 'audit/audit-counts.store.ts',
  write_probes: 'db/write-probes.store.ts',
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  // No server but that of @gatehouse/testing loads the folder `testing`: see test/processes/test-server.test.ts.
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(db\/migrations|testing)\//.test(file))
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const tables = sources
  .filter(({ file }) => file.startsWith('db/'))
  .flatMap(({ text }) => [...text.matchAll(/^export type \w*Tables = (?:\w+ & )*\{\n([\s\S]*?)^\}/gm)])
  .flatMap(([, body = '']) => [...body.matchAll(/^ {2}(\w+): \{/gm)].map(([, table = '']) => table))

/** Matches statements of the query builder, and statements in `sql`. */
const write =
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*([^)\s]*)|\b(?:insert into|update|delete from)\s+("?\w+"?)/gi

test('each table is written by exactly one store', () => {
  const writers = Object.fromEntries(tables.map(table => [table, new Set<string>()]))
  for (const { file, text } of sources)
    for (const [, name, rawName] of text.matchAll(write)) {
      const table = (name ?? rawName ?? '').replaceAll(/['"]/g, '')
      // A name that the query builder gets from a variable would hide the table from this test.
      if (name !== undefined) expect([file, tables.includes(table), table]).toEqual([file, true, table])
      writers[table]?.add(file)
    }
  expect(Object.fromEntries(Object.entries(writers).map(([table, files]) => [table, [...files].join()]))).toEqual(stores)
})

test('the file name of each module that writes a table ends in .store.ts', () => {
  for (const [table, file] of Object.entries(stores)) expect([table, file]).toEqual([table, expect.stringMatching(/\.store\.ts$/)])
})

test('the migrations create exactly the tables of the schema', async () => {
  const { db } = await startServer()
  expect(await listTables(db)).toEqual(tables.toSorted())
})

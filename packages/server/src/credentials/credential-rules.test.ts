import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rules, unmet } from './credential-rules.ts'

const root = join(import.meta.dirname, '..')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('migrations'))
  .map(file => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }))

/** Every table, by whether its rows are credentials. Add a new table to one of the lists. */
const tables = {
  credentials: ['users', 'factors', 'totp_bindings', 'push_bindings', 'passkeys', 'recovery_codes', 'hand_overs', 'passes'],
  others: [
    ...['emails', 'failed_logins', 'known_browsers', 'sessions', 'challenges', 'push_enrolments', 'push_waits', 'push_counts'],
    ...['push_subscriptions', 'push_wakes', 'push_keys', 'failed_codes', 'skips', 'tickets', 'mail_links', 'outbox', 'sso_journeys'],
    ...['return_addresses', 'doors', 'door_rounds', 'notices', 'audit', 'audit_counts', 'audit_counted', 'write_probes', 'push_nonces'],
    ...['passkey_handles', 'used_passkey_challenges', 'signing_keys'],
  ],
}

/** The functions that may write credential tables without a permit, each with the reason. */
const without: Record<string, string> = {
  'users/users.store.ts addAccount': 'creates an account, which had no credentials',
  'users/users.store.ts updateVerified': 'is the statement of confirmPassword: stores a newer hash of the password that was just right',
  'users/users.store.ts setProviderGroups': 'a group opens protected applications and no account',
  'users/users.store.ts setGroups': 'a group opens protected applications and no account',
  'users/users.store.ts setTimeZone': 'is no credential',
  'users/users.store.ts setLanguage': 'is no credential',
  'users/users.store.ts setLastLanguage': 'is no credential',
  'users/users.store.ts forceReset': 'only removes access: the account stays closed until a new password is set',
  'users/users.store.ts deleteAccount': 'only takes away',
  'factors/factors.store.ts endPending': 'only takes away what was never verified',
  'factors/factors.store.ts endReplacements': 'only takes away what was never verified',
  'factors/factors.store.ts removeUnverified': 'only takes away what was never verified',
  'factors/factors.store.ts prolong': 'extends an unverified factor',
  'factors/factors.store.ts nameUnverified': 'is no credential',
  'factors/factors.store.ts renameFactor': 'is no credential',
  'factors/factors.store.ts countFirstCode': 'counts',
  'factors/factors.store.ts recordUse': 'stores a time',
  'factors/factors.store.ts purge': 'only takes away what was never verified',
  'factors/totp/totp.store.ts useStep': 'uses a code up',
  'factors/totp/totp.store.ts setNearMiss': 'stores by how much a wrong code missed',
  'factors/totp/totp.store.ts resealSecrets': 'encrypts the same secret with another master key',
  'factors/passkey/passkeys.store.ts useCounter': 'counts',
  'factors/recovery-codes.store.ts useRecoveryCode': 'uses a code up',
  'passes/passes.store.ts insert':
    'is the statement of addUserPass, which takes a permit, and of addServicePass, which takes one of administrators',
  'passes/passes.store.ts recordUse': 'stores a time and an address',
  'passes/passes.store.ts endPass': 'only takes away',
  'passes/passes.store.ts endPassesOf': 'only takes away',
  'passes/passes.store.ts takeEnding': 'stores that the owner was told',
  'passes/passes.store.ts purge': 'only takes away',
  'sessions/hand-overs.store.ts insertHandOver': 'is the statement of issueHandOver, which takes a permit',
  'sessions/hand-overs.store.ts claimed': 'uses a hand-over code up',
  'sessions/hand-overs.store.ts endHandOvers': 'only takes away',
  'sessions/hand-overs.store.ts purge': 'only takes away',
  'testing/used-codes.store.ts acceptCodesAgain': 'runs only in the server of @gatehouse/testing; test-server.test.ts proves it',
}

/** Every function that writes one of the credential tables, with its parameters. */
const writers = () =>
  sources.flatMap(({ file, text }) => {
    const found = new Map<string, string>()
    for (const { index, 1: table = '' } of text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)/g)) {
      if (!tables.credentials.includes(table)) continue
      const before = text.slice(0, index)
      const from = Math.max(before.lastIndexOf('\nexport const '), before.lastIndexOf('\nconst '))
      const [, name = ''] = /const (\w+)/.exec(text.slice(from)) ?? []
      found.set(`${file} ${name}`, text.slice(from, index))
    }
    return [...found]
  })

test('MF-12: every function that writes a credential takes a permit, except the listed ones', () => {
  const unexplained = writers().filter(([name, head]) => !/: Permit</.test(head) && !(name in without))
  expect(unexplained.map(([name]) => name)).toEqual([])
  // Every listed function exists and takes no permit.
  for (const name of Object.keys(without)) {
    const writer = writers().find(([one]) => one === name)
    expect([name, writer !== undefined && !/: Permit</.test(writer[1])]).toEqual([name, true])
  }
})

test('MF-12: no raw SQL writes credentials', () => {
  const names = tables.credentials.join('|')
  const written = new RegExp(`(insert into|update|delete from)\\s+"?(${names})\\b`, 'i')
  expect(sources.filter(({ text }) => written.test(text)).map(({ file }) => file)).toEqual([])
})

test('MF-12: lists every table of the schema as one with or without credentials', () => {
  const parts = sources
    .filter(({ file }) => file.startsWith('db/'))
    .flatMap(({ text }) => [...text.matchAll(/^export type \w*Tables = (?:\w+ & )*\{\n([\s\S]*?)^\}/gm)])
  const names = parts.flatMap(([, body = '']) => [...body.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name))
  expect(names.toSorted()).toEqual([...tables.credentials, ...tables.others].toSorted())
})

test('MF-12: only two modules request a permit from the table, and every act is used', () => {
  const asking = sources.filter(({ file, text }) => file !== 'credentials/credential-rules.ts' && /(?<![\w.])permit\(/.test(text))
  expect(asking.map(({ file }) => file).toSorted()).toEqual(['factors/credential-permits.ts', 'sign-in/sign-in.ts'])
  const deciders = sources.filter(({ file, text }) => file !== 'factors/credential-permits.ts' && /credential-permits\.ts'/.test(text))
  for (const act of Object.keys(rules)) {
    const by = deciders.filter(({ text }) => text.includes(`'${act}'`)).map(({ file }) => file)
    expect([act, by.length]).not.toEqual([act, 0])
  }
})

const noVouch = { Google: null, Azure: null, Pak: null }

test('MF-12: a trusted provider’s second factor replaces the account’s own only for the vouched identity', () => {
  const byIdentity = (id: string) => ({ firstFactor: true, trustedProvider: true, identity: { provider: 'Google', id } }) as const
  const facts = { hasPassword: true, isPasswordByMail: false, hasFactor: true, vouched: { ...noVouch, Google: 'one' } }
  expect(unmet('sign-in', byIdentity('one'), facts)).toBeUndefined()
  expect(unmet('sign-in', byIdentity('another'), facts)).toBe('second-factor-if-any')
  expect(unmet('sign-in', { firstFactor: true, identity: { provider: 'Google', id: 'one' } }, facts)).toBe('second-factor-if-any')
  expect(unmet('sign-in', { firstFactor: true, trustedProvider: true }, facts)).toBe('second-factor-if-any')
  expect(unmet('sign-in', byIdentity('one'), { ...facts, vouched: { ...noVouch, Pak: 'one' } })).toBe('second-factor-if-any')
  expect(unmet('sign-in', byIdentity('another'), { ...facts, hasFactor: false })).toBeUndefined()
})

test('MF-12: an optional passkey vouches for nothing while the account has no second factor', () => {
  const proof = { firstFactor: true, password: 'this-sign-in', secondFactor: true, identity: { provider: 'Google', id: 'one' } } as const
  const facts = { hasPassword: true, isPasswordByMail: true, hasFactor: false, vouched: noVouch }
  for (const act of ['vouch-for-password', 'vouch-for-identity'] as const) {
    expect(unmet(act, proof, facts)).toBe('has-factor')
    expect(unmet(act, proof, { ...facts, hasFactor: true })).toBeUndefined()
  }
})

test('MF-10: the table refuses a mailed password at each step of a replacement, regardless of other proof', () => {
  const everything = {
    firstFactor: true,
    password: 'this-request',
    passkey: true,
    secondFactor: true,
    identity: { provider: 'Google', id: 'one' },
    trustedProvider: true,
    mailedLink: true,
    session: { isFresh: true, usedOwnFactor: true, usedFactorRecently: true },
    phone: true,
    administrator: true,
  } as const
  const facts = { hasPassword: true, isPasswordByMail: true, hasFactor: true, vouched: noVouch }
  for (const act of ['start-replacement', 'open-replacement', 'complete-replacement'] as const) {
    expect(unmet(act, everything, facts)).toBe('password-not-by-mail')
    expect(unmet(act, everything, { ...facts, isPasswordByMail: false })).toBeUndefined()
  }
  // Without proof the table permits nothing.
  for (const act of Object.keys(rules) as (keyof typeof rules)[]) expect(unmet(act, {}, facts)).toBeDefined()
})

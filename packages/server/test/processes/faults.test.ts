import { accountRoutes, approverRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { type RawBuilder, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { posts } from '../support/bodies.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { listTables, readTables } from '../support/tables.ts'

type Server = Awaited<ReturnType<typeof startServer>>
type Send = () => ReturnType<Browser['send']>

const kinds = ['insert', 'update', 'delete'] as const

/** The response body for a fault. `error` and `value` contain the request ID. */
const fault = (id: unknown) => ({ error: `Something went wrong (request ${id})`, code: 'Fault', value: id })

/** Adds a trigger that acts after each write of a kind to a table. @returns a function that removes the trigger */
const afterWrite = async ({ db }: Server, write: string, act: RawBuilder<unknown>) => {
  const [table = '', kind = ''] = write.split(' ')
  const name = sql.ref(`test_${table}_${kind}`)
  const on = sql`after ${sql.raw(kind)} on ${sql.ref(table)}`
  if (inject('postgres') === '') {
    await sql`create trigger ${name} ${on} begin ${act}; end`.execute(db)
    return () => sql`drop trigger ${name}`.execute(db)
  }
  await sql`create or replace function ${name}() returns trigger language plpgsql as $$ begin ${act}; return null; end $$`.execute(db)
  await sql`create trigger ${name} ${on} for each row execute function ${name}()`.execute(db)
  return () => sql`drop trigger ${name} on ${sql.ref(table)}`.execute(db)
}
const fail = () => (inject('postgres') === '' ? sql`select raise(abort, 'planted fault')` : sql`raise exception 'planted fault'`)

/** Finds which tables a call writes, and how. */
const writesOf = async (server: Server, send: Send): Promise<string[]> => {
  const tables = await listTables(server.db)
  await sql`create table writes (what text)`.execute(server.db)
  for (const table of tables)
    for (const kind of kinds) await afterWrite(server, `${table} ${kind}`, sql`insert into writes values (${sql.lit(`${table} ${kind}`)})`)
  expect((await send()).statusCode).toBe(200)
  const { rows } = await sql<{ what: string }>`select distinct what from writes order by what`.execute(server.db)
  return rows.map(row => row.what)
}

/** The content of every table, except the counts that the server writes before it checks anything. */
const stateOf = async ({ db }: Server) => {
  const state: Record<string, unknown> = {}
  for (const [table, rows] of await readTables(db)) {
    if (table === 'failed_logins' || table === 'failed_codes') continue
    state[table] = rows.map(row => JSON.stringify({ ...JSON.parse(row), factorWrongCodes: 0 })).sort()
  }
  return state
}
const forgetCounts = async ({ db }: Server) => {
  await db.deleteFrom('failed_logins').execute()
  await db.deleteFrom('failed_codes').execute()
  await db.updateTable('factors').set({ factorWrongCodes: 0 }).execute()
}

const otp = otpOf(ada)
const newPassword = { newpassword: 'a long new password', newpasswordverification: 'a long new password' }
const enrolled = async (server: Server) => {
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  return { browser, secret, otpVerification: await codeAt(secret, server.clock.at) }
}
const linked = async (server: Server, browser: Browser, page: 'new-password' | 'one-time-link') => {
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  return mailedLink(await server.deliver(), page)
}

/** Calls that are ready to succeed, each with the minimum set of writes that it makes. */
const calls: Record<string, { ready: (server: Server) => Promise<{ browser: Browser; path: string; body: unknown }>; writes: string[] }> = {
  'a sign-in that asks for a second factor': {
    ready: async server => {
      const { browser } = await enrolled(server)
      return { browser, path: routes.getAuthTokenWithError.path, body: { ...ada, useragent: '' } }
    },
    writes: ['challenges insert', 'audit insert'],
  },
  'verifyOTP with the right code': {
    ready: async server => {
      const { browser, otpVerification } = await enrolled(server)
      return { browser, path: routes.verifyOTP.path, body: { ...otp, otpVerification } }
    },
    writes: [
      'totp_bindings update',
      'challenges update',
      'hand_overs insert',
      'audit insert',
      'failed_codes delete',
      'failed_logins delete',
    ],
  },
  'setupOTP with the first code': {
    ready: async server => {
      const browser = server.openBrowser()
      const factor = offered(await browser.signIn())
      const otpVerification = await codeAt(secretOf(factor), server.clock.at)
      return { browser, path: routes.setupOTP.path, body: { ...otp, otpVerification, otpFactorUUID: factor.factorUUID } }
    },
    writes: ['factors update', 'totp_bindings update', 'hand_overs insert', 'outbox insert', 'audit insert'],
  },
  'a skip': {
    ready: async server => {
      const browser = server.openBrowser()
      const factor = offered(await browser.signIn())
      return { browser, path: routes.setupOTP.path, body: { ...otp, otpFactorUUID: factor.factorUUID } }
    },
    // MF-02: the token, the audit row and the mail to the administrator.
    writes: ['skips insert', 'factors delete', 'outbox insert', 'hand_overs insert', 'audit insert'],
  },
  'a recovery code': {
    ready: async server => {
      const { browser } = await enrolled(server)
      const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
      return { browser, path: routes.recoveryCode.path, body: { ...otp, otpRecoveryCode: recoveryCodes[0] } }
    },
    writes: ['recovery_codes delete', 'outbox insert', 'hand_overs insert', 'audit insert'],
  },
  'a factor reset': {
    ready: async server => {
      const { browser } = await enrolled(server)
      return { browser, path: routes.resetOTP.path, body: otp }
    },
    writes: ['factors insert', 'mail_links insert', 'outbox insert', 'audit insert'],
  },
  resetPassword: {
    ready: async server => {
      const { browser } = await enrolled(server)
      const { selector, token } = await linked(server, browser, 'new-password')
      return {
        browser,
        path: routes.resetPassword.path,
        body: { username: ada.username, resettoken: `${selector}.${token}`, ...newPassword },
      }
    },
    writes: ['mail_links update', 'users update', 'sessions delete', 'outbox insert', 'audit insert'],
  },
  'a one-time link': {
    ready: async server => {
      const { browser } = await enrolled(server)
      return { browser, path: routes.magiclinkRedeem.path, body: await linked(server, browser, 'one-time-link') }
    },
    writes: ['mail_links update', 'challenges insert', 'tickets insert', 'audit insert'],
  },
  'a new address': {
    ready: async server => {
      const { browser } = await enrolled(server)
      await browser.call(accountRoutes.userEmailChange, { newemail: 'new@example.com', password: ada.password })
      return { browser, path: accountRoutes.userEmailConfirm.path, body: mailedLink(await server.deliver(), 'confirm-email') }
    },
    writes: ['mail_links update', 'emails update', 'emails delete', 'users update', 'sessions delete', 'outbox insert', 'audit insert'],
  },
  'the change of a password': {
    ready: async server => {
      const { browser } = await enrolled(server)
      const body = { useridentity: ada.username, oldpassword: ada.password, newpassword: newPassword.newpassword }
      return { browser, path: accountRoutes.userPasswordReset.path, body }
    },
    writes: ['users update', 'sessions delete', 'sessions insert', 'outbox insert', 'audit insert'],
  },
}

test.each(Object.entries(calls))('CC-03: %s writes everything or nothing, whichever write fails', async (_, { ready, writes }) => {
  const start = async () => {
    const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
    await server.addUser()
    const { browser, path, body } = await ready(server)
    const send = () => browser.send('POST', path, body)
    return { server, browser, send }
  }
  const first = await start()
  const written = await writesOf(first.server, first.send)
  expect(written).toEqual(expect.arrayContaining(writes))

  const { server, browser, send } = await start()
  const before = await stateOf(server)
  const cookies = new Map(browser.jar)
  for (const write of written) {
    await forgetCounts(server)
    const mend = await afterWrite(server, write, fail())
    const response = await send()
    await mend()
    expect([write, response.statusCode, response.headers['set-cookie']]).toEqual([write, 503, undefined])
    expect([write, await stateOf(server)]).toEqual([write, before])
    // LG-03: no internal detail.
    expect(response.json()).toEqual(fault(response.headers['x-request-id']))
  }
  expect(browser.jar).toEqual(cookies)
  // The failures used nothing up: the same request succeeds once the database works.
  await forgetCounts(server)
  expect((await send()).statusCode).toBe(200)
  expect(await stateOf(server)).not.toEqual(before)
})

const withSession = async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser(admin)
  const browser = server.openBrowser()
  await browser.enter(admin)
  browser.jar.set('gatehouse-push', 'some-binding')
  return { server, browser }
}

/** The calls that read no table: the server stores no nonce, no passkey challenge and no number of a waiting browser. */
const tableless: readonly string[] = [approverRoutes.nonce.path, passkeyRoutes.passkeyOptions.path, routes.magiclinkWait.path]
const asking = posts.filter(({ path }) => !tableless.includes(path))

test('LG-03: every call answers 503 without internal detail when the database fails', async () => {
  const { server, browser } = await withSession()
  for (const table of [
    'users',
    'sessions',
    'tickets',
    'mail_links',
    'hand_overs',
    'outbox',
    'return_addresses',
    'push_waits',
    'push_bindings',
    'push_enrolments',
    'passkeys',
  ] as const)
    await server.db.schema.alterTable(table).renameTo(`${table}_gone`).execute()
  for (const { path, body } of asking) {
    const response = await browser.send('POST', path, body)
    const expected = fault(response.headers['x-request-id'])
    expect([path, response.statusCode, response.headers['retry-after'], response.json()]).toEqual([path, 503, '2', expected])
  }
  for (const page of ['/', '/account', '/recovery-codes', '/auth/page/plow/a/b']) {
    const response = await browser.get(page)
    expect([page, response.statusCode, Object.keys(response.json())]).toEqual([page, 503, ['error', 'code', 'value']])
  }
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
})

test('LG-04: every call answers an unexpected error with 500 and a request id, and the process survives', async () => {
  const { server, browser } = await withSession()
  // From now on each statement throws an error that does not come from the database.
  await server.db.destroy()
  for (const { path, body } of asking) {
    const response = await browser.send('POST', path, body)
    const expected = fault(response.headers['x-request-id'])
    expect([path, response.statusCode, response.json()]).toEqual([path, 500, expected])
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  }
  expect((await server.app.inject('/healthz')).body).toBe('ok')
  expect((await server.app.inject('/features/check')).statusCode).toBe(200)
  // The log has an entry for each error.
  expect(server.logged.filter(line => line.includes('"request failed"')).length).toBeGreaterThanOrEqual(asking.length)
})

test('LG-03: reports an unreadable secret without revealing the key or its file', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const { browser, otpVerification } = await enrolled(server)
  await server.db.updateTable('totp_bindings').set({ factorTOTPBindingSecret: 'key.AAAA' }).execute()
  const response = await browser.send('POST', routes.verifyOTP.path, { ...otp, otpVerification })
  const storeError = { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' }
  expect(response.json()).toEqual({ tag: 'AuthFailureFactorError', contents: { tag: 'StoreError', contents: storeError } })
})

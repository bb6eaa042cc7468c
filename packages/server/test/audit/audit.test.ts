import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { enroll } from '../support/authenticator.ts'
import { startServer } from '../support/harness.ts'
import { makeLongJourney } from '../support/long-journey.ts'
import { shortJourneys } from '../support/short-journeys.ts'
import { listTables, readTables } from '../support/tables.ts'

test('EM-14: sends each notice of a long journey to the affected user or the administrators, and none for other steps', async () => {
  const { steps } = await makeLongJourney()
  const [ada, countess, grace, admin] = ['ada', 'countess', 'grace', 'admin'].map(name => `${name}@example.com`)
  expect(steps).toEqual([
    ['wrong password'],
    ['put off', `${admin}: Second factor skipped`],
    ['authenticator', `${ada}: Second factor added`],
    ['recovery codes made', `${ada}: New recovery codes created`],
    ['signed out'],
    ['wrong codes', `${ada}: Sign-in stopped: wrong codes`],
    ['code'],
    ['recovery code', `${ada}: Recovery code used`],
    ['factor reset asked for', `${ada}: Replace your second factor`],
    ['factor reset opened'],
    ['factor replaced', `${ada}: Second factor replaced`, `${admin}: Second factor replaced`],
    ['password changed', `${ada}: Password changed`],
    ['password reset asked for', `${ada}: Reset your password`],
    ['password reset', `${ada}: Password changed`],
    ['one-time link asked for', `${ada}: Your one-time link`],
    ['one-time link'],
    ['code with a ticket'],
    ['new address asked for', `${countess}: Confirm your new address`],
    ['new address', `${ada}: Email address changed`],
    ['locked', `${countess}: Account locked`],
    ['administrator', `${admin}: Second factor added`],
    ['invited', `${grace}: Set up your account`],
    ['invitation taken up', `${grace}: Password changed`],
    ['deleted'],
    ['refused'],
  ])
})

test('DP-01: writes no secret to the log, the audit log, the metrics, or a mail outside its link', async () => {
  const { server, secrets, selectors, mails } = await makeLongJourney()
  expect([secrets.size > 40, selectors.size > 8]).toEqual([true, true])
  const rows = await server.db.selectFrom('audit').selectAll().execute()
  const metrics = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers: { host: 'localhost' } })
  expect(metrics.statusCode).toBe(200)
  // The text has the link on its own line; the HTML has it in the button and below it.
  const link = /#[\w-]{22}\.[\w-]{43}/g
  const mailed = mails.map(({ subject, text, html }) => subject + text.replace(link, '') + html.replace(link, ''))
  expect(mails.some(({ text }) => text.match(link))).toBe(true)
  expect(server.logged.length).toBeGreaterThan(50)
  const masterKey = readFileSync(join(server.folder, 'master.key'), 'utf8').trim()
  for (const [where, text] of [
    ['log', server.logged.join('\n')],
    ['audit', JSON.stringify(rows)],
    ['metrics', metrics.body],
    ['mails', mailed.join('\n')],
  ] as const) {
    for (const secret of [...secrets, ...selectors, masterKey])
      expect([where, secret, text.includes(secret)]).toEqual([where, secret, false])
  }
})

test('EM-01, TP-06: stores only hashed or encrypted secrets in the database', async () => {
  const filled = new Set<string>()
  for (const make of [makeLongJourney, ...shortJourneys]) {
    const { server, secrets } = await make()
    for (const [table, rows] of await readTables(server.db)) {
      if (rows.length > 0) filled.add(table)
      for (const secret of secrets) {
        for (const spelling of [secret, secret.replaceAll('-', '')])
          expect([table, secret, rows.some(row => row.includes(spelling))]).toEqual([table, secret, false])
      }
    }
  }
  // An empty table would pass without proving anything.
  const { db } = await startServer()
  expect([...filled].sort()).toEqual(await listTables(db))
})

test('LG-01: audits every step of a long journey with actor, target, origin and result', async () => {
  const { server, start } = await makeLongJourney()
  const rows = await server.db.selectFrom('audit').selectAll().orderBy('auditAt').execute()
  const seen = new Set(rows.map(row => `${row.auditEvent}: ${row.auditResult}`))
  for (const expected of [
    'sign-in: wrong-password',
    'sign-in: factor-creation-required',
    'factor-skipped: successful',
    'session-started: successful',
    'factor-verified: successful: TOTP',
    'recovery-codes-made: successful',
    'sign-out: successful',
    'sign-in: second-factor-required',
    'second-factor: wrong-code',
    'second-factor: successful: TOTP',
    'second-factor: successful: RecoveryCode',
    'factor-reset-requested: successful',
    'factor-reset-opened: successful',
    'password-changed: successful',
    'mail-requested: PasswordReset',
    'password-reset: successful',
    'mail-requested: OneTimeLink',
    'one-time-link: second-factor-required',
    'email-change-requested: successful',
    'email-changed: successful',
    'sign-in: locked',
    'user-added: successful',
    'user-deleted: successful',
    'hand-over-refused: exchange',
    'hand-over-refused: token-page',
    'one-time-link: refused',
    'sign-out-by-administrator: forbidden',
  ])
    expect(seen).toContain(expected)
  for (const row of rows) {
    expect(row.auditAt).toBeGreaterThanOrEqual(start)
    expect(row.auditAt).toBeLessThanOrEqual(server.clock.at)
    expect(row.auditAddress).toMatch(/^198\.51\.100\.\d+$/)
    expect(row.auditUserAgent).toBe('Test/1.0')
    expect(row.auditRequestId).toMatch(/^[0-9a-f-]{36}$/)
    expect([row.auditEvent, row.auditResult, row.auditTarget ?? row.auditActor]).not.toEqual([row.auditEvent, 'successful', null])
  }
  expect(new Set(rows.map(row => row.auditId)).size).toBe(rows.length)
  // Each log entry is one line, so audited requests can be found in the log.
  expect(server.logged.every(line => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
})

test('LG-02: the database refuses to change or delete audit rows', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().enter()
  const read = () => server.db.selectFrom('audit').selectAll().orderBy('auditId').execute()
  const before = await read()
  expect(before.length).toBeGreaterThan(1)
  await expect(server.db.updateTable('audit').set({ auditResult: 'forged' }).execute()).rejects.toThrow('the audit only grows')
  await expect(
    server.db.updateTable('audit').set({ auditResult: 'forged' }).where('auditEvent', '=', 'sign-in').execute(),
  ).rejects.toThrow()
  await expect(server.db.deleteFrom('audit').execute()).rejects.toThrow('the audit only grows')
  await expect(sql`delete from audit`.execute(server.db)).rejects.toThrow('the audit only grows')
  await expect(
    server.db
      .insertInto('audit')
      .values({ ...(before[0] as (typeof before)[0]), auditResult: 'forged' })
      .onConflict(c => c.column('auditId').doUpdateSet({ auditResult: 'forged' }))
      .execute(),
  ).rejects.toThrow('the audit only grows')
  if (inject('postgres') !== '') {
    for (const statement of ['truncate audit', 'truncate users, audit cascade'])
      await expect(sql.raw(statement).execute(server.db)).rejects.toThrow('the audit only grows')
  }
  // The audit log keeps the rows of deleted users.
  await server.db.deleteFrom('users').execute()
  await server.db.deleteFrom('failed_logins').execute()
  expect(await read()).toEqual(before)
})

test('the database refuses to make a verified factor unverified', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  await enroll(server.openBrowser(), server.clock)
  const set = (to: object) => server.db.updateTable('factors').set(to).execute()
  const unverified = { factorStatus: 'Unverified', factorDateVerified: null, factorExpires: server.clock.at }
  await expect(set(unverified)).rejects.toThrow('a verified factor stays verified')
  // It refuses inconsistent states too.
  for (const odd of [{ factorStatus: 'Lost' }, { factorDateVerified: null }, { factorExpires: 1 }, { factorFactorType: 'SMS' }])
    await expect(set(odd)).rejects.toThrow()
  expect(await server.db.selectFrom('factors').select(['factorStatus', 'factorExpires']).execute()).toEqual([
    { factorStatus: 'Verified', factorExpires: null },
  ])
})

test('the database refuses to decide a challenge twice, and a second open challenge', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const userId = await server.addUser()
  const { factorUUID } = await enroll(server.openBrowser(), server.clock)
  const open = (challengeUUID: string) =>
    server.db
      .insertInto('challenges')
      .values({
        challengeUUID,
        challengeIdentity: userId,
        challengeFactorUUID: factorUUID,
        challengeDateCreated: 1,
        challengeDateUpdated: 1,
        challengeDateResponded: null,
        challengeExpires: 2,
        challengeStatus: 'Pending',
        challengeRespondedReason: 'ReasonNone',
        challengeFactorType: 'TOTP',
      })
      .execute()
  const set = (uuid: string, to: object) => server.db.updateTable('challenges').set(to).where('challengeUUID', '=', uuid).execute()
  const ends = [
    { challengeStatus: 'Approved', challengeDateResponded: 2 },
    { challengeStatus: 'Denied', challengeDateResponded: 2 },
    { challengeStatus: 'Expired', challengeDateResponded: null },
  ]
  for (const end of ends) {
    const uuid = end.challengeStatus
    await open(uuid)
    await expect(open('another')).rejects.toThrow(/unique/i)
    // While a challenge is open, its reason may change: a wrong code leaves it open.
    await set(uuid, { challengeRespondedReason: 'InvalidCode' })
    await set(uuid, end)
    for (const other of [
      ...ends,
      { challengeStatus: 'Pending', challengeDateResponded: null },
      { challengeRespondedReason: 'NotNeeded' },
      { challengeFactorUUID: factorUUID },
    ])
      await expect(set(uuid, other)).rejects.toThrow('a challenge that was decided stays as it is')
  }
  for (const odd of [{ challengeStatus: 'Maybe' }, { challengeRespondedReason: 'Because' }, { challengeDateResponded: 5 }]) {
    await open('odd')
    await expect(set('odd', odd)).rejects.toThrow(/constraint/i)
    await server.db.deleteFrom('challenges').where('challengeUUID', '=', 'odd').execute()
  }
})

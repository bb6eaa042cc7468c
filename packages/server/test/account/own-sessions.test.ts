import { accountRoutes, administrationRoutes, routes } from '@gatehouse/wire'
import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely'
import { expect, inject, test } from 'vitest'
import { listActivity } from '../../src/audit/audit.store.ts'
import { hours, minutes } from '../../src/limits.ts'
import { linkIdentity, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
const show = (browser: Browser) => browser.call(accountRoutes.userAccount, {})
const end = async (browser: Browser, sessionId: string) => {
  const { statusCode, json } = await browser.send('POST', accountRoutes.userSessionEnd.path, { sessionId })
  return [statusCode, json()]
}
const others = async (browser: Browser) => (await show(browser)).sessions.filter(session => !session.own)

/** Ada signs in on two devices, the second a minute after the first. */
const startTwice = async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const desktop = server.openBrowser({ address: '192.168.1.20' })
  const send = desktop.send
  desktop.send = (method, url, body, headers) => send(method, url, body, { 'user-agent': firefox, ...headers })
  await desktop.send('POST', routes.plowlogin.path, {})
  const outcome = await desktop.signIn()
  await desktop.send('POST', routes.plowlogin.path, 'contents' in outcome ? outcome.contents : {})
  server.clock.advance(minutes(1))
  const laptop = server.openBrowser({ address: '203.0.113.7' })
  await laptop.enter()
  return { server, userId, desktop, laptop }
}

test('SE-06: lists each session with device, address, first and last use, and no secret', async () => {
  const { server, desktop, laptop } = await startTwice()
  const start = server.clock.at - minutes(1)
  const iso = (at: number) => new Date(at).toISOString()
  const { sessions } = await show(laptop)
  expect(sessions).toEqual([
    {
      sessionId: expect.any(String),
      own: true,
      sessionCreated: iso(start + minutes(1)),
      sessionSeen: iso(start + minutes(1)),
      from: { address: '203.0.113.7', place: 'Here' },
    },
    {
      sessionId: expect.any(String),
      own: false,
      sessionCreated: iso(start),
      sessionSeen: iso(start),
      from: { address: '192.168.1.20', place: 'Inside', browser: 'Firefox', system: 'Linux' },
    },
  ])
  const page = (await laptop.get('/account')).body
  for (const browser of [desktop, laptop]) {
    const [selector = '?', validator = '?'] = (browser.jar.get('gatehouse-session') ?? '').split('.')
    for (const half of [selector, validator]) expect([page.includes(half), JSON.stringify(sessions).includes(half)]).toEqual([false, false])
  }
})

test('SE-06: refuses an ended session at its next request and audits every end', async () => {
  const { server, userId, desktop, laptop } = await startTwice()
  const [session] = await others(laptop)
  expect(await end(laptop, session?.sessionId ?? '')).toEqual([200, {}])
  expect((await desktop.send('POST', accountRoutes.userAccount.path, {})).statusCode).toBe(401)
  expect([await isSignedIn(laptop), await others(laptop)]).toEqual([true, []])
  expect(await end(laptop, session?.sessionId ?? '')).toEqual([404, { error: 'sessionId: there is no such session' }])
  // Ending the current session is a sign-out.
  const own = (await show(laptop)).sessions[0]?.sessionId ?? ''
  expect(await end(laptop, own)).toEqual([200, {}])
  expect(laptop.jar.has('gatehouse-session')).toBe(false)
  const rows = await server.db
    .selectFrom('audit')
    .selectAll()
    .where('auditEvent', 'in', ['session-ended', 'sign-out'])
    .orderBy('auditAt')
    .execute()
  expect(rows.map(row => [row.auditEvent, row.auditActor, row.auditTarget, row.auditAddress])).toEqual(
    expect.arrayContaining([
      ['session-ended', userId, userId, '203.0.113.7'],
      ['sign-out', userId, userId, '203.0.113.7'],
    ]),
  )
})

test('SE-06: ends all other sessions, including one about to start, but none of another user', async () => {
  const { server, desktop, laptop } = await startTwice()
  await server.addUser(grace)
  const hers = server.openBrowser()
  await hers.enter(grace)
  const half = server.openBrowser()
  const outcome = await half.signIn()
  expect(await end(laptop, (await show(hers)).sessions[0]?.sessionId ?? '')).toEqual([404, expect.anything()])
  await laptop.call(accountRoutes.userSessionEndOthers, {})
  expect((await half.send('POST', routes.plowlogin.path, 'contents' in outcome ? outcome.contents : {})).statusCode).toBe(401)
  expect([await isSignedIn(desktop), await isSignedIn(laptop), await isSignedIn(hers)]).toEqual([false, true, true])
  const anonymous = server.openBrowser()
  expect((await anonymous.send('POST', accountRoutes.userSessionEndOthers.path, {})).statusCode).toBe(401)
  // A session idle for an hour is invalid and not listed.
  await desktop.enter()
  server.clock.advance(minutes(50))
  await show(laptop)
  server.clock.advance(hours(1) - minutes(50))
  expect(await others(laptop)).toEqual([])
})

test('shows the user’s own recent activity, newest first, without data of other users', async () => {
  const { server, userId, laptop } = await startTwice()
  await server.addUser(grace)
  const visitor = server.openBrowser({ address: '198.51.100.66' })
  for (let i = 0; i < 45; i++) {
    server.clock.advance(minutes(1))
    await server.db
      .insertInto('audit')
      .values({
        auditId: `row-${String(i).padStart(3, '0')}`,
        // Two rows per instant: paging must neither lose nor repeat a row.
        auditAt: server.clock.at - (i % 2) * minutes(1),
        auditEvent: i === 44 ? 'user-unlocked' : i === 43 ? 'user-deleted' : 'session-started',
        auditActor: i === 44 ? 'some-administrator' : userId,
        auditTarget: i === 43 ? 'somebody-else' : userId,
        auditResult: 'successful',
        auditAddress: '192.0.2.1',
        auditUserAgent: firefox,
        auditRequestId: null,
      })
      .execute()
  }
  server.clock.advance(1)
  await visitor.signIn({ ...ada, password: 'wrong password wrong' })
  await visitor.signIn({ ...grace, password: 'wrong password wrong' })
  const { activity } = await show(laptop)
  expect(activity.rows.slice(0, 3)).toEqual([
    { kind: 'PasswordWrong', at: expect.any(String), from: { address: '198.51.100.66', place: 'Elsewhere' } },
    // Shows neither the administrator's location nor the target of the user's own administrative acts.
    { kind: 'AccountUnlocked', at: expect.any(String) },
    {
      kind: 'Administered',
      at: expect.any(String),
      from: { address: '192.0.2.1', place: 'Elsewhere', browser: 'Firefox', system: 'Linux' },
    },
  ])
  expect(JSON.stringify(activity)).not.toMatch(/somebody-else|some-administrator/)
  const pages = [activity]
  for (let more = activity.more; more; more = pages.at(-1)?.more) pages.push(await laptop.call(accountRoutes.userActivity, { more }))
  expect(pages.map(page => page.rows.length)).toEqual([20, 20, expect.any(Number)])
  const all = pages.flatMap(page => page.rows)
  // 45 rows, the visitor's failed attempt and the two sign-ins.
  expect(all).toHaveLength(48)
  expect(all.map(row => row.at)).toEqual(
    all
      .map(row => row.at)
      .toSorted()
      .reverse(),
  )
  for (const more of ['', 'x', '1.', '1', `1.${'x'.repeat(65)}`, "1.a' or 1=1"]) {
    const { statusCode } = await laptop.send('POST', accountRoutes.userActivity.path, { more })
    expect([more, statusCode]).toEqual([more, 400])
  }
})

test('lists a sign-in with a provider and a second factor as one entry, and a refused one with its reason', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(1)
  await linkIdentity(browser, idp)
  server.clock.advance(minutes(1))
  const visitor = server.openBrowser()
  await signInAtProvider(visitor, idp)
  server.clock.advance(1)
  expect((await visitor.call(routes.continueSignIn, {})).tag).toBe('AuthRequires2FA')
  server.clock.advance(1)
  const otpVerification = await codeAt(secret, server.clock.at)
  const outcome = await visitor.call(routes.verifyOTP, { otpUsername: '', otpPassword: '', otpVerification })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  server.clock.advance(1)
  await visitor.call(routes.plowlogin, outcome.contents)
  const kinds = async () => (await show(visitor)).activity.rows.map(row => row.kind)
  expect((await kinds()).slice(0, 2)).toEqual(['SignedIn', 'ProviderLinked'])
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  server.clock.advance(1)
  await signInAtProvider(server.openBrowser(), idp)
  expect((await kinds())[0]).toBe('ResetAsked')
})

test('leaves refused administrative acts out of the activity of both the requester and the target', async () => {
  const { server, laptop } = await startTwice()
  const adminId = await server.addUser(admin)
  const boss = server.openBrowser()
  await boss.enter(admin)
  server.clock.advance(1)
  for (const [route, body] of [
    [administrationRoutes.overview, {}],
    [administrationRoutes.forceReset, { userId: adminId }],
    [administrationRoutes.endSessions, { userId: adminId }],
  ] as const)
    expect((await laptop.send('POST', route.path, body)).statusCode).toBe(403)
  const forbidden = await server.db.selectFrom('audit').select('auditEvent').where('auditResult', '=', 'forbidden').execute()
  expect(forbidden).toHaveLength(3)
  for (const browser of [laptop, boss]) expect((await show(browser)).activity.rows.map(row => row.kind)).not.toContain('Administered')
  expect((await show(boss)).activity.rows.map(row => row.kind)).toEqual(['SignedIn'])
})

test.skipIf(inject('postgres') !== '')('reads the recent activity by an index, whatever the size of the audit log', async () => {
  const server = await startServer()
  const asked: RootOperationNode[] = []
  const watched = server.db.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await listActivity(watched, 'some-user', { auditAt: server.clock.at, auditId: 'some-row' }, 21)
  const plans: string[] = []
  for (const node of asked) {
    const { sql, parameters } = server.db.getExecutor().compileQuery(node, createQueryId())
    const plan = await server.db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
    plans.push(...plan.rows.map(row => row.detail))
  }
  expect(plans).toEqual([
    expect.stringContaining('USING INDEX audit_target (auditTarget=? AND auditAt<?)'),
    expect.stringContaining('LAST TERM OF ORDER BY'),
    expect.stringContaining('USING INDEX audit_acts_on_others (auditActor=? AND auditAt<?)'),
    expect.stringContaining('LAST TERM OF ORDER BY'),
  ])
})

test('sets the user’s own time zone and refuses an unknown one', async () => {
  const { server, desktop, laptop } = await startTwice()
  await laptop.call(accountRoutes.userTimeZone, { userTZLabel: 'America/St_Johns' })
  expect((await show(desktop)).userTZLabel).toBe('America/St_Johns')
  for (const userTZLabel of ['', 'Mars/Olympus', '+02:00', '../etc/passwd'])
    expect((await laptop.send('POST', accountRoutes.userTimeZone.path, { userTZLabel })).statusCode).toBe(400)
  expect((await server.openBrowser().send('POST', accountRoutes.userTimeZone.path, { userTZLabel: 'UTC' })).statusCode).toBe(401)
})

test('sets and clears the user’s own language, and refuses an unknown language', async () => {
  const { server, desktop, laptop } = await startTwice()
  expect((await show(desktop)).userLanguage).toBeUndefined()
  await laptop.call(accountRoutes.userLanguage, { userLanguage: 'en' })
  expect((await show(desktop)).userLanguage).toBe('en')
  for (const userLanguage of ['', 'tlh', 'EN', '../en', 'en.json', 'x'.repeat(36)]) {
    const refusal = await laptop.send('POST', accountRoutes.userLanguage.path, { userLanguage })
    expect([userLanguage, refusal.statusCode, refusal.json().error]).toEqual([userLanguage, 400, expect.stringContaining('userLanguage: ')])
  }
  expect((await server.openBrowser().send('POST', accountRoutes.userLanguage.path, { userLanguage: 'en' })).statusCode).toBe(401)
  await laptop.call(accountRoutes.userLanguage, { userLanguage: null })
  const { userLanguage, activity } = await show(desktop)
  expect([userLanguage, activity.rows.filter(({ kind }) => kind === 'LanguageChanged').length]).toEqual([undefined, 2])
})

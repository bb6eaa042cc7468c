import { accountRoutes, administrationRoutes as calls, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { requestApproval, signInByApproval } from '../factors/device.ts'
import { startWithDevice } from '../factors/enrolled-phone.ts'
import { linkIdentity, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { start } from './administrator.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** The user's rows in the audit log by sign-in, oldest first, each as `event result`. Rows outside of sign-ins are not listed. */
const signInsOf = async ({ db }: Pick<Server, 'db'>, userId: string) => {
  const rows = await db.selectFrom('audit').selectAll().where('auditTarget', '=', userId).orderBy('auditAt').execute()
  const groups = new Map<string, string[]>()
  for (const { auditSignIn, auditEvent, auditResult } of rows)
    if (auditSignIn) groups.set(auditSignIn, [...(groups.get(auditSignIn) ?? []), `${auditEvent} ${auditResult}`])
  return [...groups.values()]
}

test('audits the steps of one sign-in under one id, and two browsers at the same address under different ids', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const userId = await server.addUser()
  const { secret } = await enroll(server.openBrowser(), server.clock)
  const address = '203.0.113.7'
  const [own, stranger] = [server.openBrowser({ address }), server.openBrowser({ address })]
  const tick = () => server.clock.advance(seconds(1))
  server.clock.advance(seconds(60))
  const enter = async (browser: Browser) => {
    const outcome = await browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    tick()
    await browser.call(routes.plowlogin, outcome.contents)
  }
  for (const password of ['a wrong long password', ada.password])
    for (const browser of [own, stranger]) {
      tick()
      await browser.signIn({ ...ada, password })
    }
  tick()
  await own.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: 0 })
  tick()
  await enter(own)
  const [enrolled, first, second] = await signInsOf(server, userId)
  expect(enrolled).toEqual(['sign-in factor-creation-required', 'factor-verified successful: TOTP', 'session-started successful'])
  const begun = ['sign-in wrong-password', 'sign-in second-factor-required']
  expect(first).toEqual([...begun, 'second-factor wrong-code', 'second-factor successful: TOTP', 'session-started successful'])
  expect(second).toEqual(begun)
  // The browser's next sign-in gets another id.
  expect(own.jar.has('gatehouse-sign-in')).toBe(false)
  await own.call(routes.logoutBySelf, {})
  tick()
  await own.signIn()
  expect((await signInsOf(server, userId))[3]).toEqual(['sign-in second-factor-required'])
  // The audit log does not contain the cookie's value.
  const id = own.jar.get('gatehouse-sign-in')
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(JSON.stringify(await server.db.selectFrom('audit').selectAll().execute())).not.toContain(id)
})

test('audits the steps of a sign-in without JavaScript under one id', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.submit('/', { username: ada.username, password: 'a wrong long password' })
  server.clock.advance(seconds(1))
  const { headers } = await browser.submit('/', ada)
  server.clock.advance(seconds(1))
  await browser.get(String(headers.location))
  expect(await signInsOf(server, userId)).toEqual([['sign-in wrong-password', 'sign-in successful', 'session-started successful']])
})

test('audits the phone’s answer under the id of the sign-in that requested the approval', async () => {
  const { server, phone } = await startWithDevice()
  const [{ userId } = { userId: '' }] = await server.db.selectFrom('users').select('userId').execute()
  const before = await signInsOf(server, userId)
  const [one, other] = [server.openBrowser(), server.openBrowser()]
  await other.signIn()
  await one.signIn()
  server.clock.advance(seconds(1))
  const asked = await requestApproval(one)
  server.clock.advance(seconds(1))
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  server.clock.advance(seconds(1))
  expect((await signInByApproval(one)).tag).toBe('AuthSuccessful')
  const added = (await signInsOf(server, userId)).slice(before.length).toSorted((a, b) => a.length - b.length)
  expect(added).toEqual([
    ['sign-in second-factor-required'],
    ['sign-in second-factor-required', 'push-requested successful', 'push-answered approved', 'second-factor successful: Push'],
  ])
})

test('audits a sign-in with a provider, the second factor after it and the session under one id', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  await linkIdentity(browser, idp)
  const before = (await signInsOf(server, userId)).length
  server.clock.advance(seconds(60))
  const visitor = server.openBrowser()
  await signInAtProvider(visitor, idp)
  server.clock.advance(seconds(1))
  const otpVerification = await codeAt(secret, server.clock.at)
  const outcome = await visitor.call(routes.verifyOTP, { otpUsername: '', otpPassword: '', otpVerification })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  server.clock.advance(seconds(1))
  await visitor.call(routes.plowlogin, outcome.contents)
  expect((await signInsOf(server, userId)).slice(before)).toEqual([
    ['sso google: second-factor-required', 'second-factor successful: TOTP', 'session-started successful'],
  ])
})

test('a user’s activity names browsers, lists every step of a sign-in, and leaves out views by administrators', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'off' })
  const { browser, adaId, clock } = server
  const owner = server.openBrowser({ address: '203.0.113.7' })
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
  const tryPassword = (password: string) =>
    owner.send('POST', routes.getAuthTokenWithError.path, { ...ada, password, useragent: '' }, agent)
  await tryPassword('a wrong long password')
  clock.advance(seconds(1))
  const signedIn = (await tryPassword(ada.password)).json()
  clock.advance(seconds(1))
  await owner.send('POST', routes.plowlogin.path, signedIn.contents, agent)
  for (let i = 0; i < 70; i++) {
    clock.advance(seconds(1))
    await browser.call(calls.user, { userId: adaId })
  }
  const { activity, sessions } = await browser.call(calls.user, { userId: adaId })
  const from = { address: '203.0.113.7', place: 'Elsewhere', browser: 'Firefox', system: 'Linux' }
  expect(activity).toMatchObject([
    { auditEvent: 'session-started', from },
    { auditEvent: 'sign-in', auditResult: 'successful', from },
    { auditEvent: 'sign-in', auditResult: 'wrong-password', from },
  ])
  expect(new Set(activity.map(row => row.signIn)).size).toBe(1)
  expect(activity[0]?.signIn).toMatch(/^[\w-]{22}$/)
  expect(sessions).toMatchObject([{ own: false, from }])
  // Every view is recorded; neither list of activity shows one.
  const views = await server.db.selectFrom('audit').select('auditId').where('auditEvent', '=', 'user-looked-up').execute()
  expect(views).toHaveLength(71)
  const { activity: own } = await browser.call(accountRoutes.userAccount, {})
  expect(own.rows.map(row => row.kind)).toEqual(['SignedIn'])

  // The list exceeds its limit to include every step of its oldest sign-in.
  clock.advance(limits.signInId.lifetime)
  const stranger = server.openBrowser()
  for (let i = 0; i < 4; i++) {
    clock.advance(seconds(1))
    await stranger.signIn({ ...ada, password: 'a wrong long password' })
  }
  const { db } = server
  const row = await db.selectFrom('audit').selectAll().where('auditEvent', '=', 'session-started').executeTakeFirstOrThrow()
  const later = Array.from({ length: limits.lists.activity.most - 2 }, (_, i) => ({
    ...row,
    auditId: `later-${i}`,
    auditAt: clock.at + i,
    auditTarget: adaId,
    auditSignIn: null,
  }))
  await db.insertInto('audit').values(later).execute()
  const listed = await browser.call(calls.user, { userId: adaId })
  expect(listed.activity).toHaveLength(limits.lists.activity.most + 2)
  expect(listed.activity.filter(one => one.auditResult === 'wrong-password')).toHaveLength(4)
  expect(listed.activity.some(one => one.from?.address === '203.0.113.7' && one.signIn)).toBe(false)
})

test('lists the steps that a bar of the sign-in board counts, newest first, and each once across pages', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'off' })
  const { browser, clock, adaId } = server
  await server.openBrowser().enter()
  for (let i = 0; i < 9; i++) {
    clock.advance(seconds(1))
    await server.openBrowser().signIn({ ...ada, password: 'a wrong long password' })
  }
  for (let i = 0; i < 55; i++) {
    clock.advance(seconds(1))
    await server.openBrowser().signIn({ username: `nobody-${i}@example.com`, password: 'a wrong long password' })
  }
  const board = await browser.call(calls.board, { range: 'Day' })
  const span = { from: board.slots[0] ?? '', until: new Date(clock.at + 1).toISOString() }
  const wrong = { ...span, ways: ['Password'], outcomes: ['WrongPassword'] } as const
  const bar = board.series.find(one => one.way === 'Password' && one.outcome === 'WrongPassword')
  const first = await browser.call(calls.attempts, wrong)
  expect(first.attempts).toHaveLength(limits.lists.attempts.most)
  const second = await browser.call(calls.attempts, { ...wrong, after: first.after })
  expect(second.after).toBeUndefined()
  const all = [...first.attempts, ...second.attempts]
  expect(all).toHaveLength(bar?.counts.reduce((sum, one) => sum + one, 0) ?? 0)
  expect(all).toHaveLength(64)
  expect(all.map(row => row.auditAt)).toEqual(
    all
      .map(row => row.auditAt)
      .toSorted()
      .toReversed(),
  )
  // The list shows an email address only if it belongs to a user.
  expect(all.filter(row => row.user)).toHaveLength(9)
  expect(all.at(-1)).toMatchObject({ way: 'Password', outcome: 'WrongPassword', user: { userId: adaId, userIdent: ada.username } })
  expect(JSON.stringify(all)).not.toContain('nobody-')

  const signedIn = await browser.call(calls.attempts, { ...span, ways: ['Password'], outcomes: ['SignedIn'] })
  expect(signedIn.attempts.map(row => row.user?.userIdent)).toEqual(expect.arrayContaining([ada.username, admin.username]))
  expect(await browser.call(calls.attempts, { ...span, ways: ['Pak'], outcomes: ['SignedIn'] })).toEqual({ attempts: [] })
  expect((await browser.send('POST', calls.attempts.path, { ...span, ways: [], outcomes: ['SignedIn'] })).statusCode).toBe(400)
  expect(await server.refusal(calls.attempts, { ...wrong, after: 'nowhere' })).toEqual([400, 'after: is not a place in this list'])
})

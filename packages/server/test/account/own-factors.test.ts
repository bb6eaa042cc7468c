import { setTimeout } from 'node:timers/promises'
import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>
const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

const add = (browser: Browser, name: string, user = ada) =>
  browser.send('POST', accountRoutes.userFactorAdd.path, {
    factorCreationRequestIdentity: user.username,
    factorCreationRequestFriendlyName: name,
    factorCreationRequestFactorType: 'TOTP',
  })
const verify = (browser: Browser, factorUUID: string, code: number) =>
  browser.send('POST', accountRoutes.userFactorVerify.path, {
    verifyTOTPFactorRequestFactorUUID: factorUUID,
    verifyTOTPFactorRequestCode: code,
  })
const remove = (browser: Browser, factorUUID: string) => browser.send('POST', accountRoutes.userFactorRemove.path, { factorUUID })
const show = (browser: Browser) => browser.call(accountRoutes.userAccount, {})
const names = async (browser: Browser) => (await show(browser)).factors.map(factor => factor.factorFriendlyName)

/** Adds and verifies an authenticator, then advances the clock to its next code. */
const addVerified = async (server: Server, browser: Browser, name: string, user = ada) => {
  const factor = (await add(browser, name, user)).json()
  const secret = secretOf(factor)
  const { statusCode } = await verify(browser, factor.factorUUID, await codeAt(secret, server.clock.at))
  server.clock.advance(seconds(30))
  return { statusCode, secret, factorUUID: String(factor.factorUUID) }
}

const startEnrolled = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const browser = server.openBrowser()
  const first = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  return { server, browser, first }
}

/** The outcome of a sign-in with a code, in a new browser. */
const tagOf = async (server: Server, code: number) =>
  (await server.openBrowser().call(routes.verifyOTP, { ...otpOf(ada), otpVerification: code })).tag

test('MF-06: adds a second authenticator and removes the first, whose code is refused at once', async () => {
  const { server, browser, first } = await startEnrolled()
  const other = server.openBrowser()
  await other.signIn()
  const before = browser.jar.get('gatehouse-session')
  const second = await addVerified(server, browser, '  New   phone ')
  expect([second.statusCode, await names(browser)]).toEqual([200, ['Authenticator app', 'New phone']])
  // SE-02: adding a factor changes the session's value.
  expect(browser.jar.get('gatehouse-session')).not.toBe(before)
  expect(await tagOf(server, await codeAt(first.secret, server.clock.at))).toBe('AuthSuccessful')
  expect((await remove(browser, first.factorUUID)).statusCode).toBe(200)
  server.clock.advance(seconds(30))
  expect(await tagOf(server, await codeAt(first.secret, server.clock.at))).toBe('AuthFailureFactorError')
  expect(await tagOf(server, await codeAt(second.secret, server.clock.at))).toBe('AuthSuccessful')
  expect((await remove(browser, first.factorUUID)).statusCode).toBe(404)
  const rows = await server.db.selectFrom('audit').selectAll().where('auditEvent', 'like', 'factor-%').orderBy('auditAt').execute()
  expect(rows.map(row => [row.auditEvent, row.auditResult, row.auditActor === row.auditTarget])).toEqual([
    ['factor-verified', 'successful: TOTP', true],
    ['factor-started', 'successful', true],
    ['factor-added', 'successful', true],
    ['factor-removed', 'by its owner', true],
  ])
})

test('EM-10, EM-14, A26, A27: ends other sessions, tickets, links and hand-over codes when a factor is added or removed, and sends one mail each', async () => {
  const { server, browser } = await startEnrolled()
  const change = async (act: () => Promise<unknown>) => {
    const open = server.openBrowser()
    await server.db
      .insertInto('sessions')
      .values(await cloneOfSession(server))
      .execute()
    await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
    const link = mailedLink(await server.deliver(), 'one-time-link')
    const ticket = server.openBrowser()
    await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
    await ticket.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
    await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
    const reset = mailedLink(await server.deliver(), 'new-password')
    const seen = (await server.deliver()).length
    server.clock.advance(1)
    await act()
    expect(await server.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
    expect(await server.db.selectFrom('hand_overs').selectAll().execute()).toEqual([])
    expect(await server.db.selectFrom('tickets').selectAll().execute()).toEqual([])
    expect((await open.call(routes.mailLinkLook, { kind: 'PasswordReset', ...reset })).state).toBe('Expired')
    expect((await open.call(routes.mailLinkLook, { kind: 'OneTimeLink', ...link })).state).not.toBe('Good')
    expect(await isSignedIn(browser)).toBe(true)
    const mails = await server.deliver()
    return mails.slice(0, mails.length - seen).map(mail => [mail.to, mail.subject])
  }
  let added = ''
  expect(
    await change(async () => {
      added = (await addVerified(server, browser, 'Phone')).factorUUID
    }),
  ).toEqual([[ada.username, 'Second factor added · Gatehouse']])
  expect(await change(() => remove(browser, added))).toEqual([[ada.username, 'Second factor removed · Gatehouse']])
})

/** Another session of the same user. */
const cloneOfSession = async (server: Server) => {
  const session = await server.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  return { ...session, sessionSelector: `x${server.clock.at}`, sessionHash: 'x', sessionCheckSelector: null }
}

test('MF-01: accepts a new factor’s first code only on the account page, and meanwhile refuses set-up and skip at sign-in', async () => {
  const { server, browser } = await startEnrolled()
  const factor = (await add(browser, 'Phone')).json()
  const code = await codeAt(secretOf(factor), server.clock.at)
  const atSignIn = server.openBrowser()
  for (const otpVerification of [code, null]) {
    const outcome = await atSignIn.call(routes.setupOTP, { ...otpOf(ada), otpVerification, otpFactorUUID: factor.factorUUID })
    expect(outcome.tag).toBe('AuthFailureFactorError')
  }
  expect(await tagOf(server, code)).toBe('AuthFailureFactorError')
  // Another user cannot verify it.
  await server.addUser(grace)
  const hers = server.openBrowser()
  await enroll(hers, server.clock, grace)
  expect((await verify(hers, factor.factorUUID, code)).statusCode).toBe(410)
  expect((await verify(browser, factor.factorUUID, code)).statusCode).toBe(200)
  // The account page does not verify a factor that a reset created.
  server.clock.advance(seconds(30))
  const reset = await server.openBrowser().call(routes.resetOTP, otpOf(ada))
  if (reset.tag !== 'AuthRequiresFactorReset') throw new Error(reset.tag)
  const opened = await server.openBrowser().call(routes.newFactor, mailedLink(await server.deliver(), 'new-factor'))
  expect((await verify(browser, reset.contents, await codeAt(secretOf(offered(opened)), server.clock.at))).statusCode).toBe(410)
  expect(await names(browser)).toEqual(['Authenticator app', 'Phone'])
})

test('ends an unverified factor after five wrong codes or ten minutes', async () => {
  const { server, browser } = await startEnrolled()
  const wrong = async (factor: ReturnType<typeof offered>) => ((await codeAt(secretOf(factor), server.clock.at)) + 1) % 1_000_000
  const once = (await add(browser, 'Phone')).json()
  for (let i = 0; i < 5; i++) expect((await verify(browser, once.factorUUID, await wrong(once))).statusCode).toBe(403)
  expect((await verify(browser, once.factorUUID, await codeAt(secretOf(once), server.clock.at))).statusCode).toBe(410)
  const late = (await add(browser, 'Phone')).json()
  server.clock.advance(minutes(10))
  expect((await verify(browser, late.factorUUID, await codeAt(secretOf(late), server.clock.at))).statusCode).toBe(410)
  expect(await names(browser)).toEqual(['Authenticator app'])
})

test('requires factor names to be one line and unique, and allows five factors', async () => {
  const { server, browser, first } = await startEnrolled()
  for (const name of ['', '   ', 'a\nb', 'a\u202eb', 'x'.repeat(65)])
    expect([name, (await add(browser, name)).statusCode]).toEqual([name, 400])
  expect((await add(browser, 'AUTHENTICATOR app')).statusCode).toBe(409)
  for (const name of ['Phone', 'Tablet', '🔑'.repeat(64), 'Safe']) expect((await addVerified(server, browser, name)).statusCode).toBe(200)
  expect((await add(browser, 'Sixth')).statusCode).toBe(409)
  const rename = async (factorUUID: string, factorFriendlyName: string) =>
    (await browser.send('POST', accountRoutes.userFactorRename.path, { factorUUID, factorFriendlyName })).statusCode
  expect([await rename(first.factorUUID, 'phone'), await rename(first.factorUUID, ''), await rename(first.factorUUID, 'Old one')]).toEqual([
    409, 400, 200,
  ])
  // A new name may differ from the factor's current name only in case.
  expect([await rename(first.factorUUID, 'OLD one'), (await names(browser))[0]]).toEqual([200, 'OLD one'])
  await server.addUser(grace)
  const hers = server.openBrowser()
  const { factorUUID } = await enroll(hers, server.clock, grace)
  expect([await rename(factorUUID, 'Mine'), (await remove(browser, factorUUID)).statusCode]).toEqual([404, 404])
  expect((await add(browser, 'Hers', grace)).statusCode).toBe(403)
  const anonymous = server.openBrowser()
  expect([(await add(anonymous, 'x')).statusCode, (await remove(anonymous, first.factorUUID)).statusCode]).toEqual([401, 401])
})

test('SE-02: the first factor raises the session’s level and ends other sessions; then only sessions with that factor change factors', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'off' } })
  await server.addUser()
  const [browser, other] = [server.openBrowser(), server.openBrowser()]
  await browser.enter()
  await other.enter()
  const { statusCode, factorUUID } = await addVerified(server, browser, 'Phone')
  expect([statusCode, await isSignedIn(browser), await isSignedIn(other)]).toEqual([200, true, false])
  const factorOf = () => server.db.selectFrom('sessions').select('sessionFactor').executeTakeFirstOrThrow()
  expect(await factorOf()).toEqual({ sessionFactor: 'TOTP' })
  for (const sessionFactor of [null, 'Provider'] as const) {
    await server.db.updateTable('sessions').set({ sessionFactor }).execute()
    expect((await show(browser)).mayChangeFactors).toBe(false)
    const answers = [
      await add(browser, 'x'),
      await remove(browser, factorUUID),
      await browser.send('POST', accountRoutes.userRecoveryCodesAnew.path, {}),
    ]
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { error: 'factor: sign in with your second factor first', code: 'SecondFactorRequired' },
      ])
  }
})

test('keeps the last factor where one is required and for administrators; otherwise removes the recovery codes with it', async () => {
  const { server, browser, first } = await startEnrolled()
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  expect([recoveryCodes.length, (await show(browser)).recoveryCodesLeft]).toEqual([10, 10])
  expect((await remove(browser, first.factorUUID)).statusCode).toBe(200)
  expect(await show(browser)).toMatchObject({ factors: [], recoveryCodesLeft: 0, mayBeWithout: true })
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthRequiresFactorCreation' })
  const administrator = server.openBrowser()
  await server.addUser(admin)
  const hers = await enroll(administrator, server.clock, admin)
  expect([(await remove(administrator, hers.factorUUID)).statusCode, (await show(administrator)).mayBeWithout]).toEqual([409, false])
  const strict = await startEnrolled({ GATEHOUSE_SECOND_FACTOR: 'required' })
  expect([(await remove(strict.browser, strict.first.factorUUID)).statusCode, await names(strict.browser)]).toEqual([
    409,
    ['Authenticator app'],
  ])
})

test('MF-05: replaces all recovery codes, notifies by mail, and requires a second factor', async () => {
  const { server, browser } = await startEnrolled()
  const { recoveryCodes: old } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const { recoveryCodes: fresh } = await browser.call(accountRoutes.userRecoveryCodesAnew, {})
  expect(new Set([...old, ...fresh]).size).toBe(20)
  const use = async (otpRecoveryCode = '') => (await server.openBrowser().call(routes.recoveryCode, { ...otpOf(ada), otpRecoveryCode })).tag
  expect([await use(old[0]), await use(fresh[0])]).toEqual(['AuthFailureFactorError', 'AuthSuccessful'])
  expect((await server.deliver()).map(mail => mail.subject)).toContain('New recovery codes created · Gatehouse')
  await server.addUser(grace)
  const hers = server.openBrowser()
  const skipped = offered(await hers.signIn(grace))
  const outcome = await hers.call(routes.setupOTP, { ...otpOf(grace), otpVerification: null, otpFactorUUID: skipped.factorUUID })
  await hers.call(routes.plowlogin, 'contents' in outcome ? outcome.contents : {})
  expect((await hers.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})).statusCode).toBe(409)
  expect(await show(hers)).toMatchObject({ skipsUsed: 1, mayChangeFactors: true, factors: [] })
  expect((await addVerified(server, hers, 'Phone', grace)).statusCode).toBe(200)
})

test('checks a factor’s name again when its first code arrives', async () => {
  const { server, browser, first } = await startEnrolled()
  const waiting = (await add(browser, 'Phone')).json()
  const rename = (factorFriendlyName: string) =>
    browser.call(accountRoutes.userFactorRename, { factorUUID: first.factorUUID, factorFriendlyName })
  await rename('PHONE')
  const code = await codeAt(secretOf(waiting), server.clock.at)
  expect((await verify(browser, waiting.factorUUID, code)).statusCode).toBe(409)
  await rename('Old phone')
  expect((await verify(browser, waiting.factorUUID, code)).statusCode).toBe(200)
  expect(await names(browser)).toEqual(['Old phone', 'Phone'])
})

/** Ends every session while `begin` waits for a lock. */
const endMeanwhile = <T>(server: Server, held: 'users' | 'totp_bindings', begin: () => Promise<T>): Promise<T> =>
  server.db
    .transaction()
    .execute(async tx => {
      if (held === 'users') await tx.updateTable('users').set({ userTZLabel: 'UTC' }).execute()
      else await tx.updateTable('totp_bindings').set({ factorTOTPBindingLastStep: 0 }).execute()
      const begun = begin()
      await setTimeout(300)
      await tx.deleteFrom('sessions').execute()
      return { begun }
    })
    .then(({ begun }) => begun)

test('SE-02: does not verify a factor or create recovery codes for a session that ends meanwhile', async () => {
  const { server, browser } = await startEnrolled()
  const waiting = (await add(browser, 'Phone')).json()
  const code = await codeAt(secretOf(waiting), server.clock.at)
  const session = await server.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  const verified = await endMeanwhile(server, 'totp_bindings', () => verify(browser, waiting.factorUUID, code))
  expect([verified.statusCode, verified.json()]).toEqual([401, { error: 'Sign in first' }])
  await server.db.insertInto('sessions').values(session).execute()
  expect(await names(browser)).toEqual(['Authenticator app'])
  const made = await endMeanwhile(server, 'users', () => browser.send('POST', accountRoutes.userRecoveryCodes.path, {}))
  expect(made.statusCode).toBe(403)
  expect(await server.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
})

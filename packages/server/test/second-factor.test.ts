import { randomUUID } from 'node:crypto'
import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../src/limits.ts'
import { codeAt, enrol, offered, otpOf, secretOf } from './authenticator.ts'
import { ada, admin, isSignedIn, startServer } from './harness.ts'

const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }
const otp = otpOf(ada)

const invalidCode = (status: 'Pending' | 'Denied') => ({
  tag: 'AuthFailureFactorError',
  contents: { tag: 'TOTPError', contents: { status, reason: { tag: 'InvalidCode' } } },
})
const databaseError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents: { tag: 'DatabaseError', contents } })
const failed = { tag: 'AuthFailureFailedLogin' }

const startWithAda = async (options: Parameters<typeof startServer>[0] = skippable) => {
  const server = await startServer(options)
  const userId = await server.addUser()
  return { server, userId }
}

/** Ada has an authenticator, and the clock has moved on to its next code. */
const startEnrolled = async (options?: Parameters<typeof startServer>[0]) => {
  const { server, userId } = await startWithAda(options)
  const browser = server.openBrowser()
  const { secret, factorUUID } = await enrol(browser, server.clock)
  server.clock.advance(seconds(30))
  const code = () => codeAt(secret, server.clock.at)
  const wrongCode = async () => {
    const near = await Promise.all([-1, 0, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
    return [111_111, 222_222, 333_333, 444_444].find(n => !near.includes(n)) ?? 555_555
  }
  const verify = (otpVerification: number, who = browser) => who.call(routes.verifyOTP, { ...otp, otpVerification })
  return { server, userId, browser, secret, factorUUID, code, wrongCode, verify }
}

test('a first sign-in offers a factor; its first code signs in, and from then on a code is asked for', async () => {
  const { server, userId } = await startWithAda()
  const browser = server.openBrowser()
  const factor = offered(await browser.signIn())
  expect(factor).toMatchObject({ factorIdentity: userId, factorStatus: 'Unverified', factorFactorType: 'TOTP' })
  const secret = secretOf(factor)
  const uri = factor.factorBinding?.tag === 'TOTPBinding' ? factor.factorBinding.contents.factorTOTPBindingURI : ''
  expect(uri).toBe(`otpauth://totp/Gatehouse:ada%40example.com?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
  const set = { ...otp, otpVerification: await codeAt(secret, server.clock.at), otpFactorUUID: factor.factorUUID }
  const outcome = await browser.call(routes.setupOTP, set)
  expect(outcome).toMatchObject({ tag: 'AuthSuccessful', contents: { authTokenUser: userId } })
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
  expect(await isSignedIn(browser)).toBe(true)

  server.clock.advance(seconds(30))
  const other = server.openBrowser()
  expect(await other.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect(other.jar.size).toBe(0)
  const second = await other.call(routes.verifyOTP, { ...otp, otpVerification: await codeAt(secret, server.clock.at) })
  expect(second.tag).toBe('AuthSuccessful')
  const [mail] = await server.deliver()
  expect(mail).toMatchObject({ to: ada.username })
  expect(mail?.text).not.toContain(secret)
})

test('TP-01: secrets have 160 bits and are never the same twice', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const secrets = new Set<string>()
  for (let i = 0; i < 20; i++) secrets.add(secretOf(offered(await browser.signIn())))
  expect(secrets.size).toBe(20)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
})

test('TP-02: codes of the step before and after are taken, of two steps away not', async () => {
  const { server, secret, verify } = await startEnrolled()
  server.clock.advance(minutes(10))
  const codeOf = (step: number) => codeAt(secret, server.clock.at + step * seconds(30))
  expect(await verify(await codeOf(-2))).toEqual(invalidCode('Pending'))
  expect(await verify(await codeOf(2))).toEqual(invalidCode('Pending'))
  expect((await verify(await codeOf(-1))).tag).toBe('AuthSuccessful')
  expect((await verify(await codeOf(1))).tag).toBe('AuthSuccessful')
})

test('TP-03, A25: a step is taken once, and an older one never after it; also of the code that set the factor up', async () => {
  const { server, secret, code, verify } = await startEnrolled()
  expect(await verify(await codeAt(secret, server.clock.at - seconds(30)))).toEqual(invalidCode('Pending'))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  expect(await verify(await code())).toEqual(invalidCode('Pending'))
  server.clock.advance(minutes(5))
  const [older, newer] = [await codeAt(secret, server.clock.at), await codeAt(secret, server.clock.at + seconds(30))]
  expect((await verify(newer)).tag).toBe('AuthSuccessful')
  expect(await verify(older)).toEqual(invalidCode('Pending'))
})

test('TP-04: a code with leading zeros is the integer without them; what is no such integer is refused and counts nothing', async () => {
  const { server, secret, browser, verify } = await startEnrolled()
  // A time whose code begins with a zero.
  let code = 999_999
  for (let i = 0; code > 99_999 && i < 500; i++) {
    server.clock.advance(seconds(30))
    code = await codeAt(secret, server.clock.at)
  }
  expect(code).toBeLessThan(100_000)
  for (const otpVerification of [-1, 1_000_000, 1.5, '123456', '000123', true, []]) {
    const answer = await browser.send('POST', routes.verifyOTP.path, { ...otp, otpVerification })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toContain('/otpVerification')
  }
  expect(await server.db.selectFrom('failed_codes').selectAll().execute()).toEqual([])
  expect((await verify(code)).tag).toBe('AuthSuccessful')
})

test('TP-05: a time that the client tells changes nothing', async () => {
  const { server, secret, browser } = await startEnrolled()
  const later = server.clock.at + hours(1)
  const body = { ...otp, otpVerification: await codeAt(secret, later) }
  const date = new Date(later).toUTCString()
  expect((await browser.send('POST', routes.verifyOTP.path, body, { date })).json()).toEqual(invalidCode('Pending'))
  expect((await browser.send('POST', routes.verifyOTP.path, { ...body, now: later })).statusCode).toBe(400)
})

test('TP-06: secrets are unreadable in the database, and one that was swapped opens nothing', async () => {
  const { server, userId, secret, code, verify } = await startEnrolled()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const graces = await enrol(server.openBrowser(), server.clock, grace)
  const rows = await server.db.selectFrom('totp_bindings').selectAll().execute()
  expect(rows).toHaveLength(2)
  for (const known of [secret, graces.secret]) expect(JSON.stringify(rows)).not.toContain(known)
  const [a, b] = rows
  if (!a || !b) throw new Error('no rows')
  for (const [to, from] of [
    [a, b],
    [b, a],
  ] as const) {
    await server.db
      .updateTable('totp_bindings')
      .set({ factorTOTPBindingSecret: from.factorTOTPBindingSecret })
      .where('factorTOTPBindingFactorUUID', '=', to.factorTOTPBindingFactorUUID)
      .execute()
  }
  server.clock.advance(seconds(30))
  const answers = [await verify(await code()), await verify(await codeAt(graces.secret, server.clock.at))]
  for (const answer of answers) {
    expect(answer).toEqual({
      tag: 'AuthFailureFactorError',
      contents: { tag: 'StoreError', contents: { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' } },
    })
  }
  const events = await server.db.selectFrom('audit').select(['auditResult', 'auditTarget']).execute()
  expect(events).toContainEqual({ auditResult: 'secret-unreadable', auditTarget: userId })
})

test('TP-07: a factor that was not verified counts for nothing, dies after 10 minutes, and a new sign-in shows a new secret', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const [first, second] = [offered(await browser.signIn()), offered(await browser.signIn())]
  expect(secretOf(second)).not.toBe(secretOf(first))
  const setUp = async (factor: typeof first) =>
    browser.call(routes.setupOTP, {
      ...otp,
      otpVerification: await codeAt(secretOf(factor), server.clock.at),
      otpFactorUUID: factor.factorUUID,
    })
  const missing = (uuid: string) => databaseError({ tag: 'MissingFactorByFactorUUID', contents: uuid })
  expect(await setUp(first)).toEqual(missing(first.factorUUID))
  server.clock.advance(minutes(10))
  expect(await setUp(second)).toEqual(missing(second.factorUUID))
  const third = offered(await browser.signIn())
  server.clock.advance(minutes(10) - 1)
  expect((await setUp(third)).tag).toBe('AuthSuccessful')
})

test('a first code that is wrong says so five times, then the factor is gone', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const factor = offered(await browser.signIn())
  const right = await codeAt(secretOf(factor), server.clock.at)
  const setUp = (otpVerification: number) => browser.call(routes.setupOTP, { ...otp, otpVerification, otpFactorUUID: factor.factorUUID })
  for (let i = 0; i < 5; i++) {
    expect(await setUp((right + 500_000) % 1_000_000)).toEqual({
      tag: 'AuthFailureFactorError',
      contents: { tag: 'VerifyTOTPFactorError', contents: { status: 'Unverified', reason: { tag: 'InvalidCode' } } },
    })
  }
  expect(await setUp(right)).toEqual(databaseError({ tag: 'MissingFactorByFactorUUID', contents: factor.factorUUID }))
})

test('TH-08, A02: five wrong codes pause for 15 minutes, whatever is done to start anew', async () => {
  const { server, browser, code, wrongCode, verify } = await startEnrolled()
  for (let i = 1; i <= 5; i++) {
    // A new sign-in opens a new challenge, and the count goes on.
    expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
    expect(await verify(await wrongCode())).toEqual(invalidCode(i === 5 ? 'Denied' : 'Pending'))
  }
  const others = [browser, server.openBrowser()]
  for (const one of others) {
    await one.signIn()
    expect(await verify(await code(), one)).toEqual(invalidCode('Denied'))
  }
  server.clock.advance(minutes(15) - 1)
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  server.clock.advance(seconds(31))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  // A success starts the count anew.
  server.clock.advance(seconds(30))
  for (let i = 0; i < 4; i++) expect(await verify(await wrongCode())).toEqual(invalidCode('Pending'))
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
})

test('TH-08: of 100 wrong codes in parallel, five are looked at', async () => {
  const { server, wrongCode, verify } = await startEnrolled({ ...skippable, slots: 8 })
  const wrong = await wrongCode()
  const browsers = Array.from({ length: 20 }, () => server.openBrowser())
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => verify(wrong, browsers[i % 20])))
  expect(answers.every(answer => answer.tag === 'AuthFailureFactorError')).toBe(true)
  const [row] = await server.db.selectFrom('failed_codes').selectAll().execute()
  expect(row?.failedCodeAttempts).toBe(5)
  const looked = await server.db.selectFrom('audit').selectAll().where('auditResult', '=', 'wrong-code').execute()
  expect(looked).toHaveLength(5)
})

test('TH-08: a hundred wrong codes disable the second factor until it is reset', async () => {
  const { server, browser, code, wrongCode, verify, userId } = await startEnrolled()
  await server.db
    .insertInto('failed_codes')
    .values({ failedCodeUser: userId, failedCodeAttempts: 99, failedCodePausedUntil: null, failedCodeAllowed: 1 })
    .execute()
  expect(await verify(await wrongCode())).toEqual(invalidCode('Denied'))
  server.clock.advance(days(30))
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  const { secret } = await resetFactor(server, browser)
  server.clock.advance(seconds(30))
  expect((await verify(await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
})

type Server = Awaited<ReturnType<typeof startServer>>

/** The address a mail leads to, as the two halves in its fragment. */
const linkIn = (mail: { text: string } | undefined) => {
  const [, page = '', selector = '', token = ''] = /http:\/\/localhost:8080\/([a-z-]+)#([\w-]+)\.([\w-]+)/.exec(mail?.text ?? '') ?? []
  return { page, claim: { selector, token } }
}

const askForReset = async (server: Server, browser: ReturnType<Server['openBrowser']>) => {
  const asked = await browser.call(routes.resetOTP, otp)
  if (asked.tag !== 'AuthRequiresFactorReset') throw new Error(asked.tag)
  const mail = (await server.deliver()).find(one => one.subject.startsWith('Reset two factor') || one.text.includes('/new-factor#'))
  return { factorUUID: asked.contents, mail }
}

const resetFactor = async (server: Server, browser: ReturnType<Server['openBrowser']>) => {
  const { factorUUID, mail } = await askForReset(server, browser)
  const factor = offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim))
  expect(factor.factorUUID).toBe(factorUUID)
  const secret = secretOf(factor)
  const body = { ...otp, otpVerification: await codeAt(secret, server.clock.at), otpFactorUUID: factorUUID }
  const done = await browser.call(routes.setupOTP, body)
  expect(done.tag).toBe('AuthSuccessful')
  return { secret, factorUUID, done }
}

test('MF-04: a reset wants password and mailbox; the old factor works until the new one is verified, which ends all sessions', async () => {
  const { server, browser, code, verify, userId } = await startEnrolled({
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admin.username },
  })
  expect(await isSignedIn(browser)).toBe(true)
  expect(await browser.call(routes.resetOTP, { ...otp, otpPassword: 'wrong' })).toEqual(failed)
  expect(await server.deliver()).toHaveLength(1)

  const { factorUUID, mail } = await askForReset(server, browser)
  expect(linkIn(mail).page).toBe('new-factor')
  // Before the link is opened the new factor has nothing to scan.
  const early = await browser.call(routes.setupOTP, { ...otp, otpVerification: 123_456, otpFactorUUID: factorUUID })
  expect(early).toEqual(databaseError({ tag: 'MissingFactorBindingByFactorUUID', contents: factorUUID }))
  const factor = offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim))
  // The mailbox alone opens nothing: the password is asked with the code.
  const noPassword = await server.openBrowser().call(routes.setupOTP, {
    otpUsername: ada.username,
    otpPassword: 'not known to the thief',
    otpVerification: await codeAt(secretOf(factor), server.clock.at),
    otpFactorUUID: factorUUID,
  })
  expect(noPassword).toEqual(failed)
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  expect(await browser.call(routes.newFactor, linkIn(mail).claim)).toEqual(failed)

  const old = server.openBrowser()
  server.clock.advance(seconds(30))
  const oldOutcome = await verify(await code(), old)
  if (oldOutcome.tag === 'AuthSuccessful') await old.call(routes.plowlogin, oldOutcome.contents)
  expect(await isSignedIn(old)).toBe(true)
  const { secret } = await resetFactor(server, browser)
  expect(await isSignedIn(old)).toBe(false)
  server.clock.advance(seconds(30))
  expect(await verify(await code())).toEqual(invalidCode('Pending'))
  expect((await verify(await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  const mails = (await server.deliver()).map(one => one.to)
  expect(mails.filter(to => to === admin.username)).toHaveLength(1)
  const factors = await server.db.selectFrom('factors').select('factorStatus').where('factorIdentity', '=', userId).execute()
  expect(factors).toEqual([{ factorStatus: 'Verified' }])
})

test('MF-04, A07: a mailbox alone resets no factor, neither by a ticket nor by a password that came by mail', async () => {
  const { server, secret, userId } = await startEnrolled()
  const thief = server.openBrowser()
  const ticketed = { otpUsername: '', otpPassword: '' }
  const byLink = async () => {
    server.clock.advance(1)
    await thief.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
    const mail = (await server.deliver()).find(one => one.text.includes('/one-time-link#'))
    expect(await thief.call(routes.magiclinkRedeem, linkIn(mail).claim)).toEqual({ tag: 'AuthRequires2FA' })
  }
  await byLink()
  expect(await thief.call(routes.resetOTP, { ...ticketed, otpUsername: ada.username })).toEqual(failed)
  expect((await thief.send('POST', routes.resetOTP.path, ticketed)).statusCode).toBe(400)

  // One that the owner began is not the thief's to end, either.
  const { factorUUID, mail } = await askForReset(server, server.openBrowser())
  const factor = offered(await thief.call(routes.newFactor, linkIn(mail).claim))
  await byLink()
  const stolen = { ...ticketed, otpVerification: await codeAt(secretOf(factor), server.clock.at), otpFactorUUID: factorUUID }
  expect(await thief.call(routes.setupOTP, stolen)).toEqual(databaseError({ tag: 'MissingFactorByFactorUUID', contents: factorUUID }))

  server.clock.advance(minutes(20))
  await thief.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const reset = linkIn((await server.deliver()).find(one => one.text.includes('/new-password#')))
  const password = 'a password of the thief'
  await thief.call(routes.resetPassword, {
    username: ada.username,
    resettoken: `${reset.claim.selector}.${reset.claim.token}`,
    newpassword: password,
    newpasswordverification: password,
  })
  server.clock.advance(1)
  const mailsBefore = (await server.deliver()).length
  const held = await thief.call(routes.resetOTP, { otpUsername: ada.username, otpPassword: password })
  expect(held.tag).toBe('AuthRequiresFactorReset')
  const [told, ...others] = await server.deliver()
  expect(others).toHaveLength(mailsBefore)
  expect(told?.subject).toContain('was not reset')
  expect(told?.text).not.toContain('#')

  // The owner, who holds the factor, vouches for the password by using both.
  const code = { otpUsername: ada.username, otpPassword: password, otpVerification: await codeAt(secret, server.clock.at) }
  expect((await server.openBrowser().call(routes.verifyOTP, code)).tag).toBe('AuthSuccessful')
  server.clock.advance(1)
  await server.openBrowser().call(routes.resetOTP, { otpUsername: ada.username, otpPassword: password })
  expect((await server.deliver())[0]?.text).toContain('/new-factor#')
  expect(await server.db.selectFrom('factors').select('factorStatus').where('factorIdentity', '=', userId).execute()).toContainEqual({
    factorStatus: 'Verified',
  })
})

test('a reset that is forced while a code is being checked holds for that call', async () => {
  let meanwhile = async () => {}
  const { server, browser, code, verify } = await startEnrolled({ ...skippable, afterVerify: () => meanwhile() })
  const right = await code()
  meanwhile = async () => void (await server.db.updateTable('users').set({ userForcedReset: 1 }).execute())
  expect(await verify(right, browser)).toEqual({ tag: 'AuthFailureForcedReset' })
})

test('LG-01, TH-15: a right password leaves a row also where the code is lacking', async () => {
  const { server, browser } = await startEnrolled()
  const results = async () => (await server.db.selectFrom('audit').select('auditResult').execute()).map(row => row.auditResult)
  await browser.call(routes.verifyOTP, otp)
  expect(await results()).toContain('no-code')
  await browser.call(routes.verifyOTP, { ...otp, otpVerification: 1, otpFactorUUID: randomUUID() })
  expect(await results()).toContain('unknown-factor')
})

test('the answer to a reset is the same when no more mail is sent', async () => {
  const { server, browser } = await startEnrolled()
  for (let i = 0; i < 5; i++) expect((await browser.call(routes.resetOTP, otp)).tag).toBe('AuthRequiresFactorReset')
  const mails = await server.deliver()
  expect(mails.filter(mail => mail.text.includes('/new-factor#'))).toHaveLength(3)
})

test('a newer reset link voids the older', async () => {
  const { server, browser } = await startEnrolled()
  const first = await askForReset(server, browser)
  server.clock.advance(seconds(1))
  const second = await askForReset(server, browser)
  expect(linkIn(second.mail).claim).not.toEqual(linkIn(first.mail).claim)
  expect(await browser.call(routes.newFactor, linkIn(first.mail).claim)).toEqual(failed)
  expect((await browser.call(routes.newFactor, linkIn(second.mail).claim)).tag).toBe('AuthRequiresFactorCreation')
})

test('MF-01: a verified factor closes set-up and skip', async () => {
  const { server, browser, factorUUID, code, verify } = await startEnrolled()
  for (const otpFactorUUID of [factorUUID, randomUUID()]) {
    const refused = databaseError({ tag: 'MissingFactorByFactorUUID', contents: otpFactorUUID })
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID })).toEqual(refused)
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID, otpVerification: 123_456 })).toEqual(refused)
  }
  for (const body of [otp, { ...otp, otpVerification: 123_456 }])
    expect((await browser.send('POST', routes.setupOTP.path, body)).statusCode).toBe(400)
  // One that was started before the other was verified is closed as well.
  expect(await server.db.selectFrom('factors').select('factorUUID').execute()).toEqual([{ factorUUID }])
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
})

test('MF-02: putting it off signs in without a second factor, and tells every administrator, in one transaction', async () => {
  const admins = `${admin.username},root@example.com`
  const { server, userId } = await startWithAda({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admins } })
  const browser = server.openBrowser()
  const { factorUUID } = offered(await browser.signIn())
  const skipped = await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: factorUUID })
  if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
  await browser.call(routes.loginWithToken, {
    authTokenSelector: skipped.contents.authTokenSelector,
    authTokenToken: skipped.contents.authTokenToken,
  })
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.db.selectFrom('sessions').select('sessionFactor').execute()).toEqual([{ sessionFactor: null }])
  const mails = await server.deliver()
  expect(mails.map(mail => mail.to).sort()).toEqual(admins.split(',').sort())
  for (const mail of mails) expect(mail.text).toContain(ada.username)
  const rows = await server.db.selectFrom('audit').selectAll().where('auditEvent', '=', 'factor-skipped').execute()
  expect(rows.map(row => [row.auditResult, row.auditTarget])).toEqual([['successful', userId]])
  expect((await browser.call(routes.setupOTP, { ...otp, otpPassword: 'wrong', otpFactorUUID: factorUUID })).tag).toBe(failed.tag)
})

test('MF-03: three skips, or seven days from the first, then set-up cannot be left; nothing moves the day', async () => {
  const { server } = await startWithAda()
  const skip = async (who = ada) => {
    const browser = server.openBrowser()
    const { factorUUID } = offered(await browser.signIn(who))
    return (await browser.call(routes.setupOTP, { ...otpOf(who), otpFactorUUID: factorUUID })).tag
  }
  for (let i = 0; i < 3; i++) expect(await skip()).toBe('AuthSuccessful')
  expect(await skip()).toBe('AuthFailureFactorError')

  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  expect(await skip(grace)).toBe('AuthSuccessful')
  server.clock.advance(days(7) - 1)
  expect(await skip(grace)).toBe('AuthSuccessful')
  server.clock.advance(1)
  expect(await skip(grace)).toBe('AuthFailureFactorError')
})

test('MF-03: administrators never skip, and where a second factor is required nobody does', async () => {
  const none = databaseError({ tag: 'NoVerifiedFactors' })
  const lenient = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: ada.username } })
  const strict = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  for (const server of [lenient, strict]) {
    await server.addUser()
    const browser = server.openBrowser()
    const { factorUUID } = offered(await browser.signIn())
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: factorUUID })).toEqual(none)
    expect(browser.jar.size).toBe(0)
    expect(await server.deliver()).toEqual([])
  }
})

test('MF-07: no step can be left out', async () => {
  const { server, browser, code } = await startEnrolled()
  const stranger = server.openBrowser()
  expect(await stranger.call(routes.verifyOTP, { ...otp, otpPassword: '', otpVerification: await code() })).toEqual(failed)
  expect(await stranger.call(routes.verifyOTP, { ...otp, otpPassword: 'x', otpVerification: await code() })).toEqual(failed)
  expect(await browser.call(routes.verifyOTP, otp)).toEqual(databaseError({ tag: 'NoApprovedChallenges' }))
  for (const { path } of [routes.verifyOTP, routes.setupOTP, routes.resetOTP, routes.recoveryCode]) {
    for (const body of [{}, [], null, '']) expect((await stranger.send('POST', path, body)).statusCode).toBe(400)
  }
  stranger.jar.set('gatehouse-ticket', 'made.up')
  const ticketed = { otpUsername: '', otpPassword: '', otpVerification: await code() }
  expect(await stranger.call(routes.verifyOTP, ticketed)).toEqual(failed)
})

test('MF-09: only factors of that user; of another one the answer is that of an unknown one', async () => {
  const { server, browser, code } = await startEnrolled()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const graces = await enrol(server.openBrowser(), server.clock, grace)
  const unknown = randomUUID()
  for (const otpFactorUUID of [graces.factorUUID, unknown]) {
    const answer = await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code(), otpFactorUUID })
    expect(answer).toEqual(databaseError({ tag: 'MissingFactorByFactorUUID', contents: otpFactorUUID }))
  }
})

test('wrong codes after a right password do not lock the password', async () => {
  const { server, browser, wrongCode, verify } = await startEnrolled()
  for (let i = 0; i < 12; i++) await verify(await wrongCode())
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
})

test('somebody without a second factor has no code to verify and none to reset', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const none = databaseError({ tag: 'NoVerifiedFactors' })
  expect(await browser.call(routes.verifyOTP, { ...otp, otpVerification: 1 })).toEqual(none)
  expect(await browser.call(routes.resetOTP, otp)).toEqual(none)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd' })).toEqual(none)
})

test('a verified factor that has lost its secret says so', async () => {
  const { server, code, verify } = await startEnrolled()
  await server.db.deleteFrom('totp_bindings').execute()
  expect(await verify(await code())).toEqual({
    tag: 'AuthFailureFactorError',
    contents: { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'MissingSecret' } } },
  })
})

test('challenges: one open at a time; answered, denied or expired they stay so', async () => {
  const { server, browser, code, wrongCode, verify } = await startEnrolled()
  const rows = () =>
    server.db.selectFrom('challenges').select(['challengeStatus', 'challengeRespondedReason']).orderBy('challengeDateCreated').execute()
  await browser.signIn()
  server.clock.advance(1000)
  await browser.signIn()
  server.clock.advance(minutes(10))
  await browser.signIn()
  await verify(await wrongCode())
  expect(await rows()).toEqual([
    { challengeStatus: 'Denied', challengeRespondedReason: 'NotNeeded' },
    { challengeStatus: 'Expired', challengeRespondedReason: 'ReasonNone' },
    { challengeStatus: 'Pending', challengeRespondedReason: 'InvalidCode' },
  ])
  await verify(await code())
  expect((await rows()).at(-1)).toEqual({ challengeStatus: 'Approved', challengeRespondedReason: 'ReasonNone' })
})

test('TH-15: a right password with wrong codes is mailed to the owner, once a day', async () => {
  const { server, wrongCode, verify } = await startEnrolled()
  await server.deliver()
  const told = async () =>
    (await server.deliver()).filter(mail => /password was right|right password/i.test(mail.text + mail.subject)).length
  await verify(await wrongCode())
  await verify(await wrongCode())
  expect(await told()).toBe(0)
  await verify(await wrongCode())
  expect(await told()).toBe(1)
  for (let i = 0; i < 4; i++) await verify(await wrongCode())
  expect(await told()).toBe(1)
  server.clock.advance(days(1))
  for (let i = 0; i < 3; i++) await verify(await wrongCode())
  expect(await told()).toBe(2)
})

test('MF-05: ten recovery codes are offered after the first verified factor, each good once in place of a code', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  const outcome = await verify(await code())
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  const arrived = await browser.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)
  expect([arrived.statusCode, arrived.headers.location]).toEqual([303, '/recovery-codes'])
  expect((await browser.get('/recovery-codes')).statusCode).toBe(200)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const one of recoveryCodes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  expect(JSON.stringify(await server.db.selectFrom('recovery_codes').selectAll().execute())).not.toContain(recoveryCodes[0])
  // Told once.
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
  expect((await browser.get('/recovery-codes')).headers.location).toBe('/account')

  const other = server.openBrowser()
  const typed = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? ''
  const used = await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: typed })
  expect(used.tag).toBe('AuthSuccessful')
  expect(await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: typed })).toEqual(invalidCode('Pending'))
  expect((await server.deliver())[0]).toMatchObject({ to: ada.username })
  // The same count as codes: five in a row pause both.
  for (let i = 2; i <= 5; i++) await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd-efgh-abcd-efgh' })
  expect(await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[4] })).toEqual(invalidCode('Denied'))
  server.clock.advance(seconds(30))
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  const arrivedLater = await server.db.selectFrom('recovery_codes').selectAll().execute()
  expect(arrivedLater).toHaveLength(9)
})

test('recovery codes are for a session that used a second factor', async () => {
  const { server, browser } = await startEnrolled()
  await server.db.updateTable('sessions').set({ sessionFactor: null }).execute()
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
  expect((await server.openBrowser().send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
})

test('recovery codes are made just after a sign-in: a cookie that is stolen later makes none', async () => {
  const { server, browser } = await startEnrolled()
  server.clock.advance(minutes(15))
  expect(await isSignedIn(browser)).toBe(true)
  expect((await browser.get('/recovery-codes')).headers.location).toBe('/account')
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
})

test('a factor reset takes the recovery codes with it, and offers new ones', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  const outcome = await verify(await code())
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const { done } = await resetFactor(server, browser)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[0] })).toEqual(invalidCode('Pending'))
  if (done.tag !== 'AuthSuccessful') throw new Error(done.tag)
  const { authTokenSelector, authTokenToken } = done.contents
  const arrived = await browser.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)
  expect(arrived.headers.location).toBe('/recovery-codes')
})

test('forced reset comes before any second factor, on every call', async () => {
  const { server, browser, code } = await startEnrolled()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const forced = { tag: 'AuthFailureForcedReset' }
  expect(await browser.signIn()).toEqual(forced)
  expect(await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code() })).toEqual(forced)
  expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: randomUUID() })).toEqual(forced)
  expect(await browser.call(routes.resetOTP, otp)).toEqual(forced)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd' })).toEqual(forced)
  expect(await browser.call(routes.verifyOTP, { ...otp, otpPassword: 'wrong', otpVerification: 1 })).toEqual(failed)
})

test('TH-07, A21: a locked password is locked for codes, set-up, reset and recovery codes as well', async () => {
  const { server, code, factorUUID } = await startEnrolled()
  const stranger = server.openBrowser()
  for (let i = 0; i < 10; i++) {
    const bodies = [
      () => stranger.call(routes.verifyOTP, { ...otp, otpPassword: 'wrong', otpVerification: 1 }),
      () => stranger.call(routes.setupOTP, { ...otp, otpPassword: 'wrong', otpFactorUUID: factorUUID }),
      () => stranger.call(routes.resetOTP, { ...otp, otpPassword: 'wrong' }),
      () => stranger.call(routes.recoveryCode, { ...otp, otpPassword: 'wrong', otpRecoveryCode: 'x' }),
    ]
    expect(await bodies[i % 4]?.()).toEqual(failed)
  }
  expect(await stranger.signIn()).toEqual(failed)
  expect(await stranger.call(routes.verifyOTP, { ...otp, otpVerification: await code() })).toEqual(failed)
  expect(await stranger.call(routes.setupOTP, { ...otp, otpFactorUUID: factorUUID })).toEqual(failed)
  expect(await stranger.call(routes.resetOTP, otp)).toEqual(failed)
  expect(await stranger.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'x' })).toEqual(failed)
})

test('where second factors are off nobody is asked to set one up, and who has one is still asked for it', async () => {
  const { server, secret } = await startEnrolled()
  expect(await server.openBrowser().signIn()).toEqual({ tag: 'AuthRequires2FA' })
  const off = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'off' } })
  await off.addUser()
  expect((await off.openBrowser().signIn()).tag).toBe('AuthSuccessful')
  expect(secret).toHaveLength(32)
})

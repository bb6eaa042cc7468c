import { randomUUID } from 'node:crypto'
import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, minutes, seconds } from '../../src/limits.ts'
import { codeAt, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'
import { databaseError, failed, otp, startEnrolled, startWithAda } from '../support/second-factor-users.ts'

test('a first sign-in offers a factor; its first code signs in, and later sign-ins require a code', async () => {
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
  expect([...other.jar.keys()]).toEqual(['gatehouse-sign-in'])
  const second = await other.call(routes.verifyOTP, { ...otp, otpVerification: await codeAt(secret, server.clock.at) })
  expect(second.tag).toBe('AuthSuccessful')
  const [mail] = await server.deliver()
  expect(mail).toMatchObject({ to: ada.username })
  expect(mail?.text).not.toContain(secret)
})

test('TP-07: a new sign-in replaces an unverified factor and shows a new secret; an unverified factor expires after 10 minutes', async () => {
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

test('reports five wrong first codes, then drops the factor', async () => {
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

test('MF-01: once the user has a verified factor, refuses set-up and skips', async () => {
  const { server, browser, factorUUID, code, verify } = await startEnrolled()
  for (const otpFactorUUID of [factorUUID, randomUUID()]) {
    const refused = databaseError({ tag: 'MissingFactorByFactorUUID', contents: otpFactorUUID })
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID })).toEqual(refused)
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID, otpVerification: 123_456 })).toEqual(refused)
  }
  for (const body of [otp, { ...otp, otpVerification: 123_456 }])
    expect((await browser.send('POST', routes.setupOTP.path, body)).statusCode).toBe(400)
  // No unverified factor remains from an earlier set-up.
  expect(await server.db.selectFrom('factors').select('factorUUID').execute()).toEqual([{ factorUUID }])
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
})

test('MF-02: a skip signs in without a second factor and notifies every administrator', async () => {
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

test('MF-03: set-up becomes mandatory after three skips or seven days from the first; a later skip does not extend that', async () => {
  const { server } = await startWithAda()
  const skip = async (user = ada) => {
    const browser = server.openBrowser()
    const { factorUUID } = offered(await browser.signIn(user))
    return (await browser.call(routes.setupOTP, { ...otpOf(user), otpFactorUUID: factorUUID })).tag
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

test('MF-03: administrators cannot skip, and where a second factor is required, no user can', async () => {
  const none = databaseError({ tag: 'NoVerifiedFactors' })
  const lenient = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: ada.username } })
  const strict = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  for (const server of [lenient, strict]) {
    await server.addUser()
    const browser = server.openBrowser()
    const { factorUUID } = offered(await browser.signIn())
    expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: factorUUID })).toEqual(none)
    expect([...browser.jar.keys()]).toEqual(['gatehouse-sign-in'])
    expect(await server.deliver()).toEqual([])
  }
})

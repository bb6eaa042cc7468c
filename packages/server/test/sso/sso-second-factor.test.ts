import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { addAuthenticator, codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, type Browser, isSignedIn } from '../support/harness.ts'
import type { Claims } from './identity-provider.ts'
import { adaAtProvider, finishSignIn, linkIdentity, type Options, page, signInAtProvider, startWithProvider } from './sso-sign-in.ts'

const secondFactorIsDue = (answer: Awaited<ReturnType<Browser['get']>>, browser: Browser) => {
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/second-factor'])
  expect(browser.jar.has('gatehouse-ticket')).toBe(true)
}

/** Ada has linked the provider and has an authenticator with an unused code. */
const startEnrolled = async (options: Options = {}) => {
  const { idp, server } = await startWithProvider({ ...options, env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...options.env } })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  expect((await linkIdentity(browser, idp)).headers.location).toBe('/account')
  server.clock.advance(seconds(30))
  const ticket = { otpUsername: '', otpPassword: '' }
  const verify = (from: Browser, otpVerification: number) => from.call(routes.verifyOTP, { ...ticket, otpVerification })
  const code = () => codeAt(secret, server.clock.at)
  const wrongCode = async () => {
    const near = await Promise.all([-1, 0, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
    return [111_111, 222_222, 333_333, 444_444].find(n => !near.includes(n)) ?? 555_555
  }
  return { idp, server, userId, secret, verify, code, wrongCode }
}

test('OI-06: requires the second factor after single sign-on before anything else', async () => {
  const { idp, server, verify, code } = await startEnrolled()
  const browser = server.openBrowser()
  secondFactorIsDue(await signInAtProvider(browser, idp), browser)
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.get('/second-factor', page)).statusCode).toBe(200)
  expect(await browser.call(routes.continueSignIn, {})).toEqual({ tag: 'AuthRequires2FA' })
  // Without the browser's ticket, the right code opens nothing.
  expect((await verify(server.openBrowser(), await code())).tag).toBe('AuthFailureFailedLogin')
  const outcome = await verify(browser, await code())
  expect(outcome.tag).toBe('AuthSuccessful')
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
  expect(await isSignedIn(browser)).toBe(true)
  const [session] = await server.db.selectFrom('sessions').select('sessionFactor').orderBy('sessionCreated', 'desc').execute()
  expect(session?.sessionFactor).toBe('TOTP')
})

test('OI-06: the ticket from single sign-on expires after 5 minutes', async () => {
  const { idp, server, verify, code } = await startEnrolled()
  const browser = server.openBrowser()
  secondFactorIsDue(await signInAtProvider(browser, idp), browser)
  server.clock.advance(limits.ticket.lifetime)
  expect(await browser.call(routes.continueSignIn, {})).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect((await verify(browser, await code())).tag).toBe('AuthFailureFailedLogin')
})

test('OI-06: where a second factor is required, a user without one sets it up after single sign-on', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SECOND_FACTOR: 'required', GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  secondFactorIsDue(await signInAtProvider(browser, idp), browser)
  expect(await isSignedIn(browser)).toBe(false)
  const factor = offered(await browser.call(routes.continueSignIn, {}))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const outcome = await browser.call(routes.setupOTP, {
    otpUsername: '',
    otpPassword: '',
    otpVerification,
    otpFactorUUID: factor.factorUUID,
  })
  expect(outcome.tag).toBe('AuthSuccessful')
})

test('OI-06: accepts amr and acr only from a trusted provider', async () => {
  const { idp, server: untrusting } = await startEnrolled()
  const says = (claims: Claims) => idp.users.set(adaAtProvider.sub, { ...adaAtProvider, ...claims })
  says({ amr: ['pwd', 'mfa'], acr: 'aal2' })
  const asked = untrusting.openBrowser()
  secondFactorIsDue(await signInAtProvider(asked, idp), asked)

  const trusting = await startEnrolled({ env: { GATEHOUSE_SSO_TRUSTED: 'google' } })
  const told = (claims: Claims) => trusting.idp.users.set(adaAtProvider.sub, { ...adaAtProvider, ...claims })
  for (const claims of [{}, { amr: ['pwd'] }, { amr: 'mfa' }, { amr: [['mfa']] }, { acr: '0' }, { acr: ['mfa'] }, { amr: { mfa: true } }]) {
    told(claims)
    const browser = trusting.server.openBrowser()
    secondFactorIsDue(await signInAtProvider(browser, trusting.idp), browser)
  }
  told({ amr: ['pwd', 'mfa'] })
  const browser = trusting.server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, trusting.idp))
  const [session] = await trusting.server.db.selectFrom('sessions').select('sessionFactor').orderBy('sessionCreated', 'desc').execute()
  expect(session?.sessionFactor).toBe('Provider')
})

test('DOC-2: no page and no answer repeats the AAL2 that a provider reports', async () => {
  const { idp, server } = await startEnrolled({
    env: { GATEHOUSE_SSO_TRUSTED: 'google', GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' },
  })
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, acr: 'AAL2' })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  const check = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/' }
  const answers = [
    await browser.get('/account'),
    await browser.send('POST', accountRoutes.userAccount.path, {}),
    await browser.get('/auth/forward', check),
  ]
  for (const { statusCode, headers, body } of answers) {
    expect(statusCode).toBe(200)
    expect(JSON.stringify(headers) + body).not.toMatch(/\baal ?\d/i)
  }
})

test('OI-06: a user without a password whose provider always reports a factor sets a password to change their own factor', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_TRUSTED: 'google', GATEHOUSE_SSO_PROVISION: 'on' } })
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  const { factorUUID, secret } = await addAuthenticator(browser, server.clock)
  server.clock.advance(seconds(30))
  const remove = (from: Browser) => from.send('POST', accountRoutes.userFactorRemove.path, { factorUUID })
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  expect((await remove(browser)).json()).toMatchObject({ code: 'SecondFactorRequired' })
  const password = { newpassword: ada.password, newpasswordverification: ada.password }
  await browser.call(accountRoutes.userPasswordCreate, { useridentity: ada.username, ...password })
  const again = server.openBrowser()
  expect(await again.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  const code = { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) }
  const outcome = await again.call(routes.verifyOTP, code)
  if (outcome.tag === 'AuthSuccessful') await again.call(routes.plowlogin, outcome.contents)
  expect((await remove(again)).statusCode).toBe(200)
})

test('OI-06: trusting one provider does not trust another', async () => {
  const { idp, server } = await startEnrolled({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_TRUSTED: 'pak' } })
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const browser = server.openBrowser()
  secondFactorIsDue(await signInAtProvider(browser, idp), browser)
})

test('TH-07, A21: a pause of codes applies after single sign-on and after the password', async () => {
  const { idp, server, secret, verify, code, wrongCode } = await startEnrolled({ env: { GATEHOUSE_SSO_TRUSTED: 'google' } })
  const browser = server.openBrowser()
  secondFactorIsDue(await signInAtProvider(browser, idp), browser)
  for (let i = 0; i < 5; i++) await verify(browser, await wrongCode())
  const denied = {
    tag: 'AuthFailureFactorError',
    contents: { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'InvalidCode' } } },
  }
  for (const one of [browser, server.openBrowser()]) {
    secondFactorIsDue(await signInAtProvider(one, idp), one)
    expect(await verify(one, await code())).toEqual(denied)
  }
  // A trusted provider's second factor signs in, but resets no count of Gatehouse's codes.
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const trusted = server.openBrowser()
  await finishSignIn(trusted, await signInAtProvider(trusted, idp))
  const another = server.openBrowser()
  expect(await another.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect(await another.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })).toEqual(denied)
})

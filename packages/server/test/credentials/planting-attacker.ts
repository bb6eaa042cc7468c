import { routes } from '@gatehouse/wire'
import { expect } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { adaAtProvider, finishSignIn, linkIdentity, type Options, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, offered, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, isSignedIn } from '../support/harness.ts'
import { codeByTicket } from './mailed-password.ts'

// An attacker links their own identity at a provider whose second factor counts, before the owner's first second factor exists.

export type Started = Awaited<ReturnType<typeof startTrusting>>
export const mallory = { sub: 'mallory', amr: ['mfa'] }
export const byTicket = { otpUsername: '', otpPassword: '' }

/** Google is trusted, and reports a second factor for every user. The database has no user. */
export const startTrusting = async (env: Record<string, string> = {}, as: Options['as'] = ['GOOGLE']) => {
  const options = { as, env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_SSO_TRUSTED: 'google', ...env } }
  const { idp, server } = await startWithProvider(options)
  idp.users.set(mallory.sub, mallory)
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  return { idp, server }
}

export const skip = async (browser: Browser, user = ada) => {
  const { factorUUID } = offered(await browser.signIn(user))
  const outcome = await browser.call(routes.setupOTP, { ...otpOf(user), otpFactorUUID: factorUUID, otpVerification: null })
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
}

/** Mallory links her own identity while Ada's account has no second factor. */
export const plant = async ({ idp, server }: Started, user = ada) => {
  const attacker = server.openBrowser()
  await skip(attacker, user)
  const linked = await linkIdentity(attacker, idp, mallory.sub, user.password)
  expect([linked.statusCode, linked.headers.location]).toEqual([303, '/account'])
}

/** Signs in at the trusted provider. @returns whether that is enough, without the account's own second factor */
export const enters = async ({ idp, server }: Started, sub: string): Promise<boolean> => {
  const browser = server.openBrowser()
  const answer = await signInAtProvider(browser, idp, sub)
  if (answer.headers.location !== '/second-factor') {
    await finishSignIn(browser, answer)
    return true
  }
  expect(await browser.call(routes.continueSignIn, {})).toMatchObject({ tag: 'AuthRequires2FA' })
  expect(await isSignedIn(browser)).toBe(false)
  return false
}

/** Signs in at the provider, and enters a code of the account's own factor. */
export const enterWithCode = async ({ idp, server }: Started, sub: string, secret: string) => {
  const browser = server.openBrowser()
  await signInAtProvider(browser, idp, sub)
  const outcome = await codeByTicket(browser, await codeAt(secret, server.clock.at))
  server.clock.advance(seconds(30))
  return outcome.tag
}

import { accountRoutes, routes } from '@gatehouse/wire'
import { minutes, seconds } from '../../src/limits.ts'
import { linkIdentity, type startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll, offered, otpOf } from '../support/authenticator.ts'
import type { Browser } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, origin } from '../support/passkey-users.ts'
import { mailedLink } from './mailed-link.ts'

/** The credentials of another user that an attacker can hold. A `session` is a stolen cookie whose owner signed in more than 15 minutes ago. */
export const holdings = [
  ...(['password', 'mailed password', 'mailbox', 'provider', 'trusted provider', 'planted identity'] as const),
  ...(['factor', 'recovery code', 'passkey', 'session'] as const),
]
/** Pairs that exclude each other: a password is mailed or it is not, and an account has one identity at each provider. */
export const exclusive: readonly (readonly Holding[])[] = [
  ['password', 'mailed password'],
  ['trusted provider', 'planted identity'],
]
export type Holding = (typeof holdings)[number]
export type Installation = Awaited<ReturnType<typeof startWithProvider>>

/**
 * Sent in place of username and password: the server then uses the ticket in the cookie. The server issued the ticket
 * after a one-time link or a sign-in with a provider.
 */
export const ticket = { otpUsername: '', otpPassword: '' }
let users = 0

/** A user with every credential: password, authenticator, recovery codes, a passkey, a linked provider. */
export const makeVictim = async ({ server, idp }: Installation, held: ReadonlySet<Holding>) => {
  const username = `victim${users++}@example.com`
  const account = { username, password: `the own password of ${username}` }
  await server.addUser(account)
  // Both are identities at Azure, which is trusted.
  const [own, planted] = [`azure-of-${username}`, `planted-for-${username}`]
  for (const sub of [own, planted]) idp.users.set(sub, { sub })
  const link = async (browser: Browser, sub: string, at: 'google' | 'azure') => {
    const { location } = (await linkIdentity(browser, idp, sub, account.password, at)).headers
    if (location !== '/account') throw new Error(`not linked: ${location}`)
  }
  if (held.has('planted identity')) {
    const before = server.openBrowser()
    const { factorUUID } = offered(await before.signIn(account))
    const skipped = await before.call(routes.setupOTP, { ...otpOf(account), otpFactorUUID: factorUUID, otpVerification: null })
    if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
    await before.call(routes.plowlogin, skipped.contents)
    await link(before, planted, 'azure')
  }
  const browser = server.openBrowser()
  const { secret, factorUUID } = await enroll(browser, server.clock, account)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const device = makePasskeyDevice(origin)
  const { factorUUID: passkeyUUID } = await addPasskey(browser, device)
  idp.users.set(username, { sub: username })
  await link(browser, username, 'google')
  if (held.has('trusted provider')) await link(browser, own, 'azure')
  const nextCode = () => {
    server.clock.advance(seconds(30))
    return codeAt(secret, server.clock.at)
  }
  const mailsTo = async () => (await server.deliver()).filter(mail => mail.to === username)
  const resetPassword = async () => {
    const asks = server.openBrowser()
    server.clock.advance(1)
    await asks.call(routes.sendPasswordResetEmail, { useremail: username })
    const { selector, token } = mailedLink(await mailsTo(), 'new-password')
    const newpassword = `a mailed password of ${username}`
    const reset = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: newpassword }
    await asks.call(routes.resetPassword, reset)
    return newpassword
  }
  const openOneTimeLink = async (asks: Browser) => {
    server.clock.advance(1)
    await asks.call(routes.magiclinkSend, [{ email: username, redirect: { tag: 'RedirectDashboard' } }])
    return asks.call(routes.magiclinkRedeem, mailedLink(await mailsTo(), 'one-time-link'))
  }
  if (held.has('mailed password')) account.password = await resetPassword()
  const owner = server.openBrowser()
  if (held.has('session')) {
    // Sign in without typing the password, so it remains unvouched.
    await openOneTimeLink(owner)
    const outcome = await owner.call(routes.verifyOTP, { ...ticket, otpVerification: await nextCode() })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    await owner.call(routes.plowlogin, outcome.contents)
    server.clock.advance(minutes(15))
  }
  return {
    account,
    username,
    own,
    planted,
    factorUUID,
    device,
    passkeyUUID,
    recoveryCodes,
    owner,
    nextCode,
    mailsTo,
    resetPassword,
    openOneTimeLink,
  }
}
export type Victim = Awaited<ReturnType<typeof makeVictim>>

import { type AuthOutcome, passkeyRoutes, routes } from '@gatehouse/wire'
import type { Browser } from './browser.ts'
import type { VirtualPasskey } from './passkeys/virtual-passkey.ts'

/** The user to sign in, and the proofs to use. */
export type Credentials = {
  email: string
  password: string | null
  /** The code to send, requested only when the server asks for one. */
  code: (() => Promise<string>) | undefined
  passkey: VirtualPasskey | undefined
}

const cannot = (email: string, why: string) => new Error(`${email} could not sign in: ${why}`)

const byPasskey = async ({ call }: Browser, { email, passkey }: Credentials): Promise<AuthOutcome> => {
  if (!passkey) throw cannot(email, 'the user has no passkey. Create the user with passkey: true.')
  const options = await call(passkeyRoutes.passkeyOptions, { purpose: 'SignIn' })
  return call(passkeyRoutes.passkeySignIn, { credential: passkey.get(options) })
}

const byPassword = async (browser: Browser, credentials: Credentials): Promise<AuthOutcome> => {
  const { email, password, code, passkey } = credentials
  if (password === null) throw cannot(email, "the user has no password. Use { with: 'passkey' }.")
  const first = await browser.call(routes.getAuthTokenWithError, { username: email, password, useragent: '', passkeys: true })
  if (first.tag !== 'AuthRequires2FA') return first
  const claim = { otpUsername: email, otpPassword: password }
  if (code) return browser.call(routes.verifyOTP, { ...claim, otpVerification: Number(await code()), passkeys: true })
  const options = first.contents && 'passkey' in first.contents ? first.contents.passkey : undefined
  if (passkey && options) return browser.call(passkeyRoutes.passkeyVerify, { ...claim, credential: passkey.get(options) })
  throw cannot(email, 'the server asks for a second factor that the test has set up itself. Sign in through the page.')
}

const failure = (outcome: Exclude<AuthOutcome, { tag: 'AuthSuccessful' }>): string => {
  switch (outcome.tag) {
    case 'AuthFailureFailedLogin':
      return 'the server refused the password or the passkey, or has locked the account. If the test has changed the password, pass the new one: { password }.'
    case 'AuthFailureFactorError':
      return 'the server refused the second factor.'
    case 'AuthFailureForcedReset':
      return 'the user must choose a new password first.'
    case 'AuthRequires2FA':
      return 'the server asks for a second factor once more.'
    case 'AuthRequiresFactorCreation':
      return "the server asks the user to set up a second factor. Create the user with secondFactor: 'totp' or passkey: true, or set GATEHOUSE_SECOND_FACTOR to off."
    case 'AuthRequiresFactorReset':
      return 'the user replaces the second factor.'
  }
}

/** Signs a browser in with the calls of the sign-in page. @throws Error that says why the sign-in failed */
export const enter = async (browser: Browser, credentials: Credentials, by: 'password' | 'passkey'): Promise<void> => {
  const outcome = await (by === 'passkey' ? byPasskey : byPassword)(browser, credentials)
  if (outcome.tag !== 'AuthSuccessful') throw cannot(credentials.email, failure(outcome))
  await browser.call(routes.plowlogin, outcome.contents)
}

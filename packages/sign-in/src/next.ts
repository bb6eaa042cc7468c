import { type AuthOutcome, type AuthToken, type Factor, verifyErrorText } from '@gatehouse/wire'

/** What was typed on the login page; the next page's call checks the password again. */
export type Credentials = { username: string; password: string }

/** The pages of the sign-in area and what each is handed (§2). */
export type Page =
  | { at: 'login' }
  | { at: 'verify-factor'; credentials: Credentials; firstSetup: boolean }
  | { at: 'create-factor'; credentials: Credentials; factor: Factor }
  | { at: 'forgot-password' }

/** Reasons of a refused sign-in (§8); each has its sentence in the catalogue. */
export type FailureReason = 'failed-login' | 'forced-reset'

/** One step on: to another page, out of the area, an error on this page, or nothing but a line in the console. */
export type Step = { go: Page } | { leave: AuthToken } | { show: FailureReason } | { stay: { log?: string } }

/** What follows from the answer to a sign-in with password (§4). */
export const afterLogin = (outcome: AuthOutcome, credentials: Credentials): Step => {
  switch (outcome.tag) {
    case 'AuthSuccessful':
      return { leave: outcome.contents }
    case 'AuthRequires2FA':
      return { go: { at: 'verify-factor', credentials, firstSetup: false } }
    case 'AuthRequiresFactorCreation':
      return { go: { at: 'create-factor', credentials, factor: outcome.contents } }
    case 'AuthRequiresFactorReset':
      return { stay: {} }
    case 'AuthFailureFailedLogin':
      return { show: 'failed-login' }
    case 'AuthFailureForcedReset':
      return { show: 'forced-reset' }
    case 'AuthFailureFactorError':
      return { stay: { log: `AuthFailureFactorError: ${verifyErrorText(outcome.contents)}` } }
  }
}

import type { AuthOutcome, AuthToken, Factor, FactorType, PushStatus, SkipRefusal, VerifyError } from '@gatehouse/wire'
import type { Reply } from './calls/api.ts'

/** What was typed on the login page; the next page's call checks the password again. */
export type Credentials = { username: string; password: string }

/** The kinds of second factors that somebody has; without them it is a code that is asked for. */
type FactorTypes = { factorTypes?: readonly FactorType[] | undefined }

/** What was put to the phone; the number is shown here and typed there. */
export type Asked = { challengeUUID: string; challengeNumber: string; challengeExpires: string }

/** The pages of the sign-in area and what each is handed (§2). `email` is what somebody had typed already. */
export type Page =
  | { at: 'login'; email?: string }
  /** The factor's code; of a factor that was reset, `factorUUID` is the new one's. Whoever has phones only is shown the next one. */
  | ({ at: 'verify-factor'; credentials: Credentials; firstSetup: false; factorUUID?: string } & FactorTypes)
  /** A number that is typed on a phone, in place of the code. Where a form leads to it, `asked` is what the phone was asked, if anything. */
  | ({ at: 'approve-on-phone'; credentials: Credentials; asked?: (Asked & { status: PushStatus }) | null } & FactorTypes)
  /** The first code of a factor that has just been shown. */
  | { at: 'verify-factor'; credentials: Credentials; firstSetup: true; factor: Factor; skipRefused?: SkipRefusal }
  /** A recovery code in place of the factor's. */
  | ({ at: 'recovery-code'; credentials: Credentials } & FactorTypes)
  | { at: 'create-factor'; credentials: Credentials; factor: Factor; skipRefused?: SkipRefusal }
  | { at: 'reset-factor'; credentials: Credentials }
  | { at: 'forgot-password'; email?: string }

/** Reasons of a refused sign-in (§8); each has its sentence in the catalogue. */
export type FailureReason = 'failed-login' | 'forced-reset'

/** What came of a form that was sent without a script, where it led nowhere else. */
export type Said = Show | Explain | { sent: 'reset-email' | 'one-time-link' } | { wrong: 'email' | 'code' }

/** To another page. */
export type Go = { go: Page }
/** Out of the area, signed in. */
export type Leave = { leave: AuthToken }
/** An error on this page. */
export type Show = { show: FailureReason }
/** An error of the second factor. */
export type Explain = { explain: VerifyError }
/** The page stays as it was before the call. A factor error goes to the console only (§8). */
type Stay = { stay: { factorError?: VerifyError } }
/** The factor is not reset, because the password came by email. */
export type Hold = { hold: 'PasswordByMail' }
/** An answer that makes no sense on this page. */
export type Puzzle = { puzzle: AuthOutcome['tag'] }

/** One step on. */
export type Step = Go | Leave | Show | Explain | Stay | Hold | Puzzle

/** A fault that the server explains by a verification error counts as that outcome, on every page. */
export const explained = <Outcome>(reply: Reply<Outcome>): Reply<Outcome | Extract<AuthOutcome, { tag: 'AuthFailureFactorError' }>> => {
  const contents = reply.ok ? undefined : reply.failure.typedError
  return contents ? { ok: true, value: { tag: 'AuthFailureFactorError', contents } } : reply
}

/** What follows from the answer to a sign-in with password (§4). */
export const afterLogin = (outcome: AuthOutcome, credentials: Credentials): Go | Leave | Show | Stay => {
  switch (outcome.tag) {
    case 'AuthSuccessful':
      return { leave: outcome.contents }
    case 'AuthRequires2FA':
      return { go: { ...outcome.contents, at: 'verify-factor', credentials, firstSetup: false } }
    case 'AuthRequiresFactorCreation': {
      const { contents: factor, skipRefused } = outcome
      return { go: { at: 'create-factor', credentials, factor, ...(skipRefused && { skipRefused }) } }
    }
    case 'AuthRequiresFactorReset':
      return { stay: {} }
    case 'AuthFailureFailedLogin':
      return { show: 'failed-login' }
    case 'AuthFailureForcedReset':
      return { show: 'forced-reset' }
    case 'AuthFailureFactorError':
      return { stay: { factorError: outcome.contents } }
  }
}

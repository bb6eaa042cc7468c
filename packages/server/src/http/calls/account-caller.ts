import type { OwnAccount } from '../../account/account.ts'
import type { OwnTotp } from '../../account/authenticator-apps.ts'
import type { OwnFactors } from '../../account/factors.ts'
import type { OwnBrowsers } from '../../account/known-browsers.ts'
import type { OwnOverview } from '../../account/overview.ts'
import type { OwnPassesFlow } from '../../account/passes.ts'
import type { OwnPush } from '../../account/phones.ts'
import type { Reauthentication } from '../../account/reauthentication.ts'
import type { OwnSessions } from '../../account/sessions.ts'
import type { Sso } from '../../sso/sso.ts'
import { type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rate, Rates } from '../rate-limits.ts'

type Own = {
  account: OwnAccount
  reauthentication: Reauthentication
  factors: OwnFactors
  totp: OwnTotp
  push: OwnPush
  overview: OwnOverview
  sessions: OwnSessions
  browsers: OwnBrowsers
  passes: OwnPassesFlow
}
export type AccountCalls = { caller: Caller; rates: Rates; own: Own; sso: Sso }

export const notSignedIn = () => new Refused(401, 'Sign in first')
/**
 * The refusal if the session was not opened with the account's own second factor or, for a new pass, if the user did not use that factor
 * recently.
 */
export const secondFactorNeeded = () => new Refused(403, 'factor: sign in with your second factor first', 'SecondFactorRequired')

/** Finds the session and visitor of a call. Counts the call by client address, under the given limit. */
export const callerBy =
  ({ caller, rates }: Pick<AccountCalls, 'caller' | 'rates'>) =>
  async ({ request }: Call, as: Rate = 'tokens') => {
    await rates.count(as, request.ip)
    return [await caller.session(request), caller.visitor(request)] as const
  }

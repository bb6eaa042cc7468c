import type { AuthOutcome, Factor } from '@gatehouse/wire'
import type { Credentials, ExplainError, GoToPage, Hold, Leave, ShowFailure, Unexpected } from '@gatehouse/wire/page-props'

// Apart from next.ts, for it comes with the later pages.

/** Whether a new factor is set up on a device, by the app of the server that answered. Our own server sets up phones on the account page. */
export const isPush = ({ factorBinding, factorFactorType }: Factor) =>
  factorBinding ? factorBinding.tag === 'PushBinding' : factorFactorType === 'Push'

/**
 * What follows from the answer to a code or to a skip (§4): signed in, a factor error, or, whatever else the answer is,
 * the one sentence of §8.
 */
export const afterFactor = (outcome: AuthOutcome): Leave | ShowFailure | ExplainError => {
  switch (outcome.tag) {
    case 'AuthSuccessful':
      return { leave: outcome.contents }
    case 'AuthFailureFactorError':
      return { explain: outcome.contents }
    case 'AuthFailureFailedLogin':
    case 'AuthFailureForcedReset':
    case 'AuthRequires2FA':
    case 'AuthRequiresFactorCreation':
    case 'AuthRequiresFactorReset':
      return { show: 'failed-login' }
  }
}

/** After a one-time link or a provider the server says whose password it was. */
const resetFor = (username: string | null | undefined, credentials: Credentials) => ({
  ...credentials,
  username: username ?? credentials.username,
})

/** What follows from the answer to a request to reset the factor (§4). The page has no error state: all else is a toast. */
export const afterReset = (outcome: AuthOutcome, credentials: Credentials): GoToPage | ShowFailure | ExplainError | Hold | Unexpected => {
  switch (outcome.tag) {
    case 'AuthRequiresFactorReset':
      if (outcome.refused) return { hold: outcome.refused }
      return {
        go: { at: 'verify-factor', credentials: resetFor(outcome.username, credentials), firstSetup: false, factorUUID: outcome.contents },
      }
    case 'AuthFailureFactorError':
      return { explain: outcome.contents }
    case 'AuthFailureFailedLogin':
      return { show: 'failed-login' }
    case 'AuthFailureForcedReset':
      return { show: 'forced-reset' }
    case 'AuthSuccessful':
    case 'AuthRequires2FA':
    case 'AuthRequiresFactorCreation':
      return { unexpected: outcome.tag }
  }
}

import type { AuthOutcome, Factor } from '@gatehouse/wire'
import type { Credentials, ExplainError, GoToPage, Hold, Leave, ShowFailure, Unexpected } from '@gatehouse/wire/page-props'

// Separate from next.ts, because it loads with the lazy pages.

/** Whether the user sets up the factor in the phone app of another server. Our own server sets up phones on the account page. */
export const isPush = ({ factorBinding, factorFactorType }: Factor) =>
  factorBinding ? factorBinding.tag === 'PushBinding' : factorFactorType === 'Push'

/**
 * The step that follows a second factor, its set-up or a skip of the set-up (§4): signed in, a factor error, or the failed-login
 * sentence of §8 for every other outcome.
 */
export const afterFactor = (outcome: AuthOutcome): Leave | ShowFailure | ExplainError => {
  switch (outcome.tag) {
    case 'AuthSuccessful':
      return { leave: outcome.contents, ...(outcome.passkeys && { passkeys: outcome.passkeys }) }
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

/** After a one-time link or a provider, only the server knows the username. */
const resetFor = (username: string | null | undefined, credentials: Credentials) => ({
  ...credentials,
  username: username ?? credentials.username,
})

/** The step that follows a factor reset (§4). The page has no error state, so errors are toasts. */
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

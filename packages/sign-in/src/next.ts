import type { AuthOutcome } from '@gatehouse/wire'
import type { Credentials, GoToPage, Leave, ShowFailure, Stay } from '@gatehouse/wire/page-props'
import type { Reply } from './calls/api.ts'

/** Turns a call that failed with a verification error into `AuthFailureFactorError`, which all pages handle. */
export const factorErrorAsOutcome = <Outcome>(
  reply: Reply<Outcome>,
): Reply<Outcome | Extract<AuthOutcome, { tag: 'AuthFailureFactorError' }>> => {
  const contents = reply.ok ? undefined : reply.failure.typedError
  return contents ? { ok: true, value: { tag: 'AuthFailureFactorError', contents } } : reply
}

/** The step that follows a sign-in with a password, a passkey or an email (§4). */
export const afterLogin = (outcome: AuthOutcome, credentials: Credentials): GoToPage | Leave | ShowFailure | Stay => {
  switch (outcome.tag) {
    case 'AuthSuccessful':
      return { leave: outcome.contents, ...(outcome.passkeys && { passkeys: outcome.passkeys }) }
    case 'AuthRequires2FA':
      // The server names passkeys only to pages that handle them.
      if (outcome.contents && 'factorTypes' in outcome.contents && outcome.contents.factorTypes.includes('Passkey')) {
        const { factorTypes, passkey } = outcome.contents
        return { go: { at: 'use-passkey', credentials, factorTypes, ...(passkey && { passkey }) } }
      }
      return { go: { ...outcome.contents, at: 'verify-factor', credentials, firstSetup: false } }
    case 'AuthRequiresFactorCreation': {
      const { contents: factor, skipRefused, passkey } = outcome
      return { go: { at: 'create-factor', credentials, factor, ...(skipRefused && { skipRefused }), ...(passkey && { passkey }) } }
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

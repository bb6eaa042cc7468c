import type { AuthToken } from '@gatehouse/wire'
import type { ShownError } from '../factor-error.ts'

/** The states of the factor verification page, named as in §4. */
export type Verification =
  | { is: 'NotVerified' }
  /** §4: if the user did not type six digits, nothing is sent and the state stays Verifying, with `code` undefined. */
  | { is: 'Verifying'; code: number | undefined }
  /** `wrongCode`: the server refused the code that is in the field. */
  | { is: 'NotVerifiedWithError'; message: string; advice?: string | undefined; wrongCode?: true }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type VerificationEvent =
  | { type: 'submitted'; code: number | undefined }
  | { type: 'edited' }
  | { type: 'succeeded'; token: AuthToken }
  | ({ type: 'failed' } & ShownError)
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notVerified: Verification = { is: 'NotVerified' }

/** Ignores replies that the page does not wait for, and submissions while a call runs. */
export const verification = (state: Verification, event: VerificationEvent): Verification => {
  switch (event.type) {
    case 'submitted':
      return isSent(state) || state.is === 'VerifiedWithSuccess' ? state : { is: 'Verifying', code: event.code }
    case 'edited':
      return afterEdit(state)
    case 'succeeded':
      return isSent(state) ? { is: 'VerifiedWithSuccess', token: event.token } : state
    case 'failed':
      return isSent(state) ? notVerifiedBecause(event) : state
    case 'stayed':
      return isSent(state) ? notVerified : state
    case 'restored':
      return isBusy(state) ? notVerified : state
  }
}

/**
 * Editing leaves Verifying after a code that was not sent. After a wrong code, the error stays, but the field is no longer marked
 * as wrong, because it holds another code.
 */
const afterEdit = (state: Verification): Verification => {
  if (state.is === 'Verifying' && !isSent(state)) return notVerified
  return state.is === 'NotVerifiedWithError' && state.wrongCode ? { is: state.is, message: state.message, advice: state.advice } : state
}

const notVerifiedBecause = ({ type: _, ...error }: Extract<VerificationEvent, { type: 'failed' }>): Verification => ({
  is: 'NotVerifiedWithError',
  ...error,
})

export const isBusy = (state: Verification) => state.is === 'Verifying' || state.is === 'VerifiedWithSuccess'

/** Whether a code was sent and the reply is pending. */
export const isSent = (state: Verification) => state.is === 'Verifying' && state.code !== undefined

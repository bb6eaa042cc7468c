import type { AuthToken } from '@gatehouse/wire'

/** The states of the factor verification page, named as in §4. */
export type Verification =
  | { is: 'NotVerified' }
  /** §4: a code that is no integer sends nothing and leaves us Verifying; `code` is then undefined. */
  | { is: 'Verifying'; code: number | undefined }
  | { is: 'NotVerifiedWithError'; message: string }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type VerificationEvent =
  | { type: 'submitted'; code: number | undefined }
  | { type: 'edited' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call is over and the page has nothing to say about it. */
  | { type: 'stayed' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const notVerified: Verification = { is: 'NotVerified' }

/** An answer counts only while we wait for one, and nothing is sent twice. */
export const verification = (state: Verification, event: VerificationEvent): Verification => {
  switch (event.type) {
    case 'submitted':
      return isSent(state) || state.is === 'VerifiedWithSuccess' ? state : { is: 'Verifying', code: event.code }
    case 'edited':
      // The way out for somebody whose code was none.
      return state.is === 'Verifying' && !isSent(state) ? notVerified : state
    case 'succeeded':
      return isSent(state) ? { is: 'VerifiedWithSuccess', token: event.token } : state
    case 'failed':
      return isSent(state) ? { is: 'NotVerifiedWithError', message: event.message } : state
    case 'stayed':
      return isSent(state) ? notVerified : state
    case 'restored':
      return isBusy(state) ? notVerified : state
  }
}

export const isBusy = (state: Verification) => state.is === 'Verifying' || state.is === 'VerifiedWithSuccess'

/** Whether a code is on its way. */
export const isSent = (state: Verification) => state.is === 'Verifying' && state.code !== undefined

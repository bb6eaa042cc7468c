import type { AuthToken } from '@gatehouse/wire'

/** The states of the page that asks for a passkey as the second factor. */
export type UsePasskey =
  | { is: 'NotVerified' }
  | { is: 'Verifying' }
  | { is: 'NotVerifiedWithError'; message: string }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type UsePasskeyEvent =
  | { type: 'submitted' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notVerified: UsePasskey = { is: 'NotVerified' }

export const usePasskeyState = (state: UsePasskey, event: UsePasskeyEvent): UsePasskey => {
  switch (event.type) {
    case 'submitted':
      return state.is === 'Verifying' || state.is === 'VerifiedWithSuccess' ? state : { is: 'Verifying' }
    case 'succeeded':
      return state.is === 'Verifying' ? { is: 'VerifiedWithSuccess', token: event.token } : state
    case 'failed':
      return state.is === 'Verifying' ? { is: 'NotVerifiedWithError', message: event.message } : state
    case 'stayed':
      return state.is === 'Verifying' ? notVerified : state
    case 'restored':
      return notVerified
  }
}

import type { AuthToken } from '@gatehouse/wire'
import type { FailureReason } from '@gatehouse/wire/page-props'

/** The states of the login page, named as in §4. */
export type Login =
  | { is: 'NotLoggedIn' }
  | { is: 'LoggingIn' }
  | { is: 'NotLoggedInWithError'; reason: FailureReason | 'passkey'; message: string }
  | { is: 'LoggedIn'; token: AuthToken }

export type LoginEvent =
  | { type: 'submitted' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; reason: FailureReason | 'passkey'; message: string }
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notLoggedIn: Login = { is: 'NotLoggedIn' }

/** Ignores replies that the page does not wait for, and submissions while a call runs. */
export const login = (state: Login, event: LoginEvent): Login => {
  switch (event.type) {
    case 'submitted':
      return isBusy(state) ? state : { is: 'LoggingIn' }
    case 'succeeded':
      return state.is === 'LoggingIn' ? { is: 'LoggedIn', token: event.token } : state
    case 'failed':
      return state.is === 'LoggingIn' ? { is: 'NotLoggedInWithError', reason: event.reason, message: event.message } : state
    case 'stayed':
      return state.is === 'LoggingIn' ? notLoggedIn : state
    case 'restored':
      return isBusy(state) ? notLoggedIn : state
  }
}

export const isBusy = (state: Login) => state.is === 'LoggingIn' || state.is === 'LoggedIn'

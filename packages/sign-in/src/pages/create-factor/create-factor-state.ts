import type { AuthToken } from '@gatehouse/wire'

/** The states of skipping the second factor, named as in §4. */
export type Skip =
  | { is: 'NotLoggedIn' }
  | { is: 'Skipping' }
  | { is: 'NotLoggedInWithError'; message: string }
  | { is: 'LoggedIn'; token: AuthToken }

export type SkipEvent =
  | { type: 'skipped' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notSkipped: Skip = { is: 'NotLoggedIn' }

/** Ignores replies that the page does not wait for, and submissions while a call runs. */
export const skip = (state: Skip, event: SkipEvent): Skip => {
  switch (event.type) {
    case 'skipped':
      return isBusy(state) ? state : { is: 'Skipping' }
    case 'succeeded':
      return state.is === 'Skipping' ? { is: 'LoggedIn', token: event.token } : state
    case 'failed':
      return state.is === 'Skipping' ? { is: 'NotLoggedInWithError', message: event.message } : state
    case 'stayed':
      return state.is === 'Skipping' ? notSkipped : state
    case 'restored':
      return isBusy(state) ? notSkipped : state
  }
}

export const isBusy = (state: Skip) => state.is === 'Skipping' || state.is === 'LoggedIn'

import type { AuthToken } from '@gatehouse/wire'

/** The states of the recovery-code page, named after those of factor verification (§4). */
export type Recovery =
  | { is: 'NotVerified' }
  /** The field was empty, so nothing was sent. */
  | { is: 'CodeMissing' }
  | { is: 'Verifying' }
  | { is: 'NotVerifiedWithError'; message: string }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type RecoveryEvent =
  | { type: 'submitted'; code: string }
  | { type: 'edited' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notRecovered: Recovery = { is: 'NotVerified' }

/** Ignores replies that the page does not wait for, and submissions while a call runs. */
export const recovery = (state: Recovery, event: RecoveryEvent): Recovery => {
  switch (event.type) {
    case 'submitted':
      if (isBusy(state)) return state
      return event.code === '' ? { is: 'CodeMissing' } : { is: 'Verifying' }
    case 'edited':
      return state.is === 'CodeMissing' ? notRecovered : state
    case 'succeeded':
      return state.is === 'Verifying' ? { is: 'VerifiedWithSuccess', token: event.token } : state
    case 'failed':
      return state.is === 'Verifying' ? { is: 'NotVerifiedWithError', message: event.message } : state
    case 'stayed':
      return state.is === 'Verifying' ? notRecovered : state
    case 'restored':
      return isBusy(state) ? notRecovered : state
  }
}

export const isBusy = (state: Recovery) => state.is === 'Verifying' || state.is === 'VerifiedWithSuccess'

import type { AuthToken } from '@gatehouse/wire'

/** The states of the form that takes the code of a one-time-link email. */
export type MailCode =
  | { is: 'NotEntered' }
  | { is: 'Missing' }
  | { is: 'Entering' }
  | { is: 'Refused'; message: string }
  | { is: 'SignedIn'; token: AuthToken }

export type MailCodeEvent =
  | { type: 'submitted'; code: string }
  | { type: 'edited' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'refused'; message: string }
  /** The call failed, and this form shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notEntered: MailCode = { is: 'NotEntered' }

/** Sends one code at a time. */
export const mailCode = (state: MailCode, event: MailCodeEvent): MailCode => {
  switch (event.type) {
    case 'submitted':
      if (isBusy(state)) return state
      return event.code === '' ? { is: 'Missing' } : { is: 'Entering' }
    case 'edited':
      return isBusy(state) ? state : notEntered
    case 'succeeded':
      return state.is === 'Entering' ? { is: 'SignedIn', token: event.token } : state
    case 'refused':
      return state.is === 'Entering' ? { is: 'Refused', message: event.message } : state
    case 'stayed':
      return state.is === 'Entering' ? notEntered : state
    case 'restored':
      return isBusy(state) ? notEntered : state
  }
}

export const isBusy = (state: MailCode) => state.is === 'Entering' || state.is === 'SignedIn'

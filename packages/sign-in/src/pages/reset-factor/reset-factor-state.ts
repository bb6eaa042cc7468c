/** The states of the factor reset page, named as in §4. What follows a reset is another page. */
export type Reset =
  | { is: 'NotSent' }
  | { is: 'Sending' }
  /** The server does not reset the factor by this password. */
  | { is: 'Held' }

export type ResetEvent =
  | { type: 'submitted' }
  | { type: 'held' }
  /** The call is over and did not lead on. */
  | { type: 'stayed' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const notSent: Reset = { is: 'NotSent' }

export const reset = (state: Reset, event: ResetEvent): Reset => {
  switch (event.type) {
    case 'submitted':
      return state.is === 'Sending' ? state : { is: 'Sending' }
    case 'held':
      return state.is === 'Sending' ? { is: 'Held' } : state
    case 'stayed':
    case 'restored':
      return state.is === 'Sending' ? notSent : state
  }
}

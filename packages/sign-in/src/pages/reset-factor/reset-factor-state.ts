/** The states of the factor reset page, named as in §4. A successful reset leads to another page. */
export type Reset =
  | { is: 'NotSent' }
  | { is: 'Sending' }
  /** The server refuses to reset the factor with this password. */
  | { is: 'Held' }

export type ResetEvent =
  | { type: 'submitted' }
  | { type: 'held' }
  /** The call ended, and the page stays. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
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

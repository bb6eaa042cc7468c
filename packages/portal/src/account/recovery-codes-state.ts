/** The states of the page of recovery codes. */
export type CodesState =
  | { is: 'NotShown' }
  | { is: 'Asking' }
  | { is: 'NotShownWithError'; message: string }
  | { is: 'Shown'; codes: string[] }

export type CodesEvent =
  | { type: 'asked' }
  | { type: 'told'; codes: string[] }
  | { type: 'failed'; message: string }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const notShown: CodesState = { is: 'NotShown' }

/** The codes are told once: an answer that nobody waits for is not shown, and none takes the place of those that are. */
export const recoveryCodes = (state: CodesState, event: CodesEvent): CodesState => {
  switch (event.type) {
    case 'asked':
      return state.is === 'NotShown' || state.is === 'NotShownWithError' ? { is: 'Asking' } : state
    case 'told':
      return state.is === 'Asking' ? { is: 'Shown', codes: event.codes } : state
    case 'failed':
      return state.is === 'Asking' ? { is: 'NotShownWithError', message: event.message } : state
    case 'restored':
      // Whoever presses Back later need not be whose codes they are.
      return state.is === 'NotShown' ? state : notShown
  }
}

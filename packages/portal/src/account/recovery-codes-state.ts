/** The states of the recovery codes page. */
export type CodesState =
  | { is: 'NotShown' }
  | { is: 'Asking' }
  | { is: 'NotShownWithError'; message: string }
  | { is: 'Shown'; codes: string[] }

export type CodesEvent =
  | { type: 'asked' }
  | { type: 'told'; codes: string[] }
  | { type: 'failed'; message: string }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notShown: CodesState = { is: 'NotShown' }

/**
 * The server sends the codes once. An unexpected reply is dropped, so it never replaces codes on
 * the page.
 */
export const recoveryCodes = (state: CodesState, event: CodesEvent): CodesState => {
  switch (event.type) {
    case 'asked':
      return state.is === 'NotShown' || state.is === 'NotShownWithError' ? { is: 'Asking' } : state
    case 'told':
      return state.is === 'Asking' ? { is: 'Shown', codes: event.codes } : state
    case 'failed':
      return state.is === 'Asking' ? { is: 'NotShownWithError', message: event.message } : state
    case 'restored':
      // Another user may press Back, so hide the codes.
      return state.is === 'NotShown' ? state : notShown
  }
}

/** A problem that the dialog shows. `at` names the field beside which it appears; 'page' means the dialog as a whole. */
export type Problem = { at: string; message: string }

/**
 * The states of an action that the user confirms in a dialog. `Action` names the action and its object. `hidden`: the user closed the
 * dialog while a call was running. The call goes on, because after an abort the page could not know whether the server acted.
 */
export type ActionState<Action> =
  /** `message` says what the last action did. */
  | { is: 'Idle'; message?: string }
  | { is: 'Asking'; action: Action; problem?: Problem }
  | { is: 'Running'; action: Action; hidden: boolean }
  /** The session is too old. The dialog asks for the password or a passkey; then the action runs again. */
  | { is: 'Reauthenticating'; action: Action; problem?: Problem }
  | { is: 'CheckingPassword'; action: Action; hidden: boolean }
  /** The browser is about to open another page: a provider’s, or this one in a new language. */
  | { is: 'Leaving'; action: Action; location: string }

export type ActionEvent<Action> =
  | { type: 'chosen'; action: Action }
  | { type: 'closed' }
  | { type: 'sent' }
  | { type: 'stale' }
  | { type: 'confirmed' }
  /** The action has another step. */
  | { type: 'next'; action: Action }
  | { type: 'sentOn'; location: string }
  | { type: 'done'; message: string }
  | { type: 'failed'; problem: Problem }
  | { type: 'edited' }
  /** The user closed the message. */
  | { type: 'dismissed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const idle: ActionState<never> = { is: 'Idle' }

export const actionState = <Action>(state: ActionState<Action>, event: ActionEvent<Action>): ActionState<Action> => {
  switch (event.type) {
    case 'chosen':
      if (state.is === 'Idle') return { is: 'Asking', action: event.action }
      // One action at a time: show the running one again.
      return 'hidden' in state && state.hidden ? { ...state, hidden: false } : state
    case 'closed':
      if ('hidden' in state) return state.hidden ? state : { ...state, hidden: true }
      return state.is === 'Idle' ? state : idle
    case 'sent':
      if (state.is === 'Asking') return { is: 'Running', action: state.action, hidden: false }
      return state.is === 'Reauthenticating' ? { is: 'CheckingPassword', action: state.action, hidden: false } : state
    case 'stale':
      return state.is === 'Running' ? unlessHidden(state, { is: 'Reauthenticating', action: state.action }) : state
    case 'confirmed':
      // Closing the dialog cancels an action that waits for reauthentication.
      return state.is === 'CheckingPassword' ? unlessHidden(state, { is: 'Running', action: state.action, hidden: false }) : state
    case 'next':
      return state.is === 'Running' ? unlessHidden(state, { is: 'Asking', action: event.action }) : state
    case 'sentOn':
      return state.is === 'Running' ? unlessHidden(state, { is: 'Leaving', action: state.action, location: event.location }) : state
    case 'done':
      return state.is === 'Running' ? { is: 'Idle', message: event.message } : state
    case 'failed':
      return failed(state, event.problem)
    case 'edited':
      return 'problem' in state && state.problem ? { is: state.is, action: state.action } : state
    case 'dismissed':
      return state.is === 'Idle' && state.message !== undefined ? idle : state
    case 'restored':
      // Another user may press Back, so discard what was typed or running.
      return state.is === 'Idle' ? state : idle
  }
}

const failed = <Action>(state: ActionState<Action>, problem: Problem): ActionState<Action> => {
  switch (state.is) {
    case 'Asking':
      return { is: 'Asking', action: state.action, problem }
    case 'Running':
      return unlessHidden(state, { is: 'Asking', action: state.action, problem })
    case 'Reauthenticating':
      return { is: 'Reauthenticating', action: state.action, problem }
    case 'CheckingPassword':
      return unlessHidden(state, { is: 'Reauthenticating', action: state.action, problem })
    case 'Idle':
    case 'Leaving':
      return state
  }
}

/** Whether the dialog of a running action is closed. */
export const isHidden = <Action>(state: ActionState<Action>): boolean => 'hidden' in state && state.hidden

const unlessHidden = <Action>({ hidden }: { hidden: boolean }, otherwise: ActionState<Action>): ActionState<Action> =>
  hidden ? idle : otherwise

/** What is wrong, and where it is said: in the window, or under the field of this name. */
export type Problem = { at: string; message: string }

/**
 * The states of an act on one's own account; `What` says which act it is, and on what. `shut`: the window was closed while a call was
 * under way. What was sent is not called back, for nobody could say what became of it.
 */
export type OwnAct<What> =
  | { is: 'AtRest'; news?: string }
  | { is: 'Asking'; what: What; problem?: Problem }
  | { is: 'Running'; what: What; shut: boolean }
  /** The sign-in is too long ago for it: the password is asked for, and then the act goes on. */
  | { is: 'Confirming'; what: What; problem?: Problem }
  | { is: 'Proving'; what: What; shut: boolean }

export type OwnActEvent<What> =
  | { type: 'chosen'; what: What }
  | { type: 'closed' }
  | { type: 'sent' }
  | { type: 'stale' }
  | { type: 'proved' }
  /** The act has one more step. */
  | { type: 'next'; what: What }
  | { type: 'done'; news: string }
  | { type: 'failed'; problem: Problem }
  | { type: 'edited' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const atRest: OwnAct<never> = { is: 'AtRest' }

export const ownAct = <What>(state: OwnAct<What>, event: OwnActEvent<What>): OwnAct<What> => {
  switch (event.type) {
    case 'chosen':
      if (state.is === 'AtRest') return { is: 'Asking', what: event.what }
      // What runs is shown again.
      return 'shut' in state && state.shut ? { ...state, shut: false } : state
    case 'closed':
      if ('shut' in state) return state.shut ? state : { ...state, shut: true }
      return state.is === 'AtRest' ? state : atRest
    case 'sent':
      if (state.is === 'Asking') return { is: 'Running', what: state.what, shut: false }
      return state.is === 'Confirming' ? { is: 'Proving', what: state.what, shut: false } : state
    case 'stale':
      return state.is === 'Running' ? unlessShut(state, { is: 'Confirming', what: state.what }) : state
    case 'proved':
      // Whoever has closed the window does not want the act any longer.
      return state.is === 'Proving' ? unlessShut(state, { is: 'Running', what: state.what, shut: false }) : state
    case 'next':
      return state.is === 'Running' ? unlessShut(state, { is: 'Asking', what: event.what }) : state
    case 'done':
      return state.is === 'Running' ? { is: 'AtRest', news: event.news } : state
    case 'failed':
      if (state.is === 'AtRest') return state
      if ('shut' in state && state.shut) return atRest
      return { is: state.is === 'Asking' || state.is === 'Running' ? 'Asking' : 'Confirming', what: state.what, problem: event.problem }
    case 'edited':
      return 'problem' in state && state.problem ? { is: state.is, what: state.what } : state
    case 'restored':
      // Whoever presses Back later need not be whose account it is.
      return state.is === 'AtRest' ? state : atRest
  }
}

const unlessShut = <What>({ shut }: { shut: boolean }, otherwise: OwnAct<What>): OwnAct<What> => (shut ? atRest : otherwise)

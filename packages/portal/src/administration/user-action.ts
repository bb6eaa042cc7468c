/** Something an administrator does to a user. */
export type Act =
  | { kind: 'unlock' | 'forceReset' | 'endSessions' | 'delete'; userId: string; userIdent: string }
  | { kind: 'removeFactor'; userId: string; userIdent: string; factorUUID: string }
  | { kind: 'add' }

/** What is wrong, and where it is said: in the window, or under its field. */
export type Problem = { at: 'page' | 'field'; message: string }

/** The states of the window that asks whether an act is meant. `who` is whom it was done to. */
export type ActState =
  | { is: 'AtRest'; done?: { kind: Act['kind']; who: string } }
  | { is: 'Asking'; act: Act; problem?: Problem }
  | { is: 'Doing'; act: Act; who: string }
  /** The sign-in was too long ago: the password is asked for, and the act is tried once more. */
  | { is: 'Confirming'; act: Act; who: string; problem?: Problem }
  | { is: 'CheckingPassword'; act: Act; who: string }

export type ActEvent =
  | { type: 'chosen'; act: Act }
  | { type: 'closed' }
  | { type: 'submitted'; who: string }
  | { type: 'stale' }
  | { type: 'passwordSent' }
  | { type: 'passwordRight' }
  | { type: 'failed'; problem: Problem }
  | { type: 'edited' }
  | { type: 'done' }
  /** Somebody went to another place: what was done there is not told of here. */
  | { type: 'left' }

export const acting = (state: ActState, event: ActEvent): ActState => {
  switch (event.type) {
    case 'chosen':
      return state.is === 'AtRest' ? { is: 'Asking', act: event.act } : state
    case 'closed':
      // What was sent is not called back, for nobody could say what became of it.
      return state.is === 'Asking' || state.is === 'Confirming' ? { is: 'AtRest' } : state
    case 'submitted':
      return state.is === 'Asking' ? { is: 'Doing', act: state.act, who: event.who } : state
    case 'stale':
      return state.is === 'Doing' ? { is: 'Confirming', act: state.act, who: state.who } : state
    case 'passwordSent':
      return state.is === 'Confirming' ? { is: 'CheckingPassword', act: state.act, who: state.who } : state
    case 'passwordRight':
      return state.is === 'CheckingPassword' ? { is: 'Doing', act: state.act, who: state.who } : state
    case 'failed':
      if (state.is === 'Asking' || state.is === 'Doing') return { is: 'Asking', act: state.act, problem: event.problem }
      if (state.is === 'Confirming' || state.is === 'CheckingPassword')
        return { is: 'Confirming', act: state.act, who: state.who, problem: event.problem }
      return state
    case 'edited':
      if (state.is === 'Asking') return { is: 'Asking', act: state.act }
      return state.is === 'Confirming' ? { is: 'Confirming', act: state.act, who: state.who } : state
    case 'left':
      return state.is === 'AtRest' && state.done ? { is: 'AtRest' } : state
    case 'done':
      return state.is === 'Doing' ? { is: 'AtRest', done: { kind: state.act.kind, who: state.who } } : state
  }
}

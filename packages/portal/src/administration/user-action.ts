import type { Reply } from '@gatehouse/sign-in'
import type { Problem } from '../actions/action-state.ts'
import type { AdministrationApi } from './administration-api.ts'
import { words } from './words.ts'

/** An action of an administrator on a user. */
export type UserAction =
  | { kind: 'unlock' | 'forceReset' | 'endSessions' | 'sendLink' | 'delete'; userId: string; userIdent: string }
  | { kind: 'endSession'; userId: string; userIdent: string; sessionId: string }
  | { kind: 'removeFactor'; userId: string; userIdent: string; factorUUID: string }
  | { kind: 'add' }

/** The input of the dialog: the address of the user to add or delete, and the time zone. */
type Typed = { userIdent: string; zone: string }

type UserActionApi = Pick<
  AdministrationApi,
  'add' | 'unlock' | 'forceReset' | 'endSession' | 'endSessions' | 'sendLink' | 'removeFactor' | 'remove'
>

/** Whether an action takes something away for good. */
export const isDestructive = ({ kind }: UserAction): boolean => {
  switch (kind) {
    case 'delete':
    case 'removeFactor':
    case 'endSession':
    case 'endSessions':
      return true
    case 'unlock':
    case 'forceReset':
    case 'sendLink':
    case 'add':
      return false
  }
}

export const problemOf = (action: UserAction, { userIdent }: Typed): Problem | undefined => {
  if (action.kind === 'add' && !userIdent.includes('@')) return { at: 'userIdent', message: words.acts.add.missing }
  if (action.kind === 'delete' && userIdent.trim().toLowerCase() !== action.userIdent.toLowerCase())
    return { at: 'userIdent', message: words.acts.delete.mismatch }
  return undefined
}

/** The sentence for an action that the server carried out. */
export const doneMessage = (action: UserAction, { userIdent }: Typed): string =>
  words.acts[action.kind].done(action.kind === 'add' ? userIdent.trim() : action.userIdent)

export const callOf = (api: UserActionApi, action: UserAction, { userIdent, zone }: Typed): Promise<Reply<void>> => {
  switch (action.kind) {
    case 'add':
      return api.add({ userIdent: userIdent.trim(), userTZLabel: zone })
    case 'delete':
      return api.remove({ userId: action.userId, userIdent: userIdent.trim() })
    case 'removeFactor':
      return api.removeFactor({ userId: action.userId, factorUUID: action.factorUUID })
    case 'endSession':
      return api.endSession({ userId: action.userId, sessionId: action.sessionId })
    case 'unlock':
    case 'forceReset':
    case 'sendLink':
    case 'endSessions':
      return api[action.kind]({ userId: action.userId })
  }
}

import type { Failure, Reply } from '@gatehouse/sign-in'
import type { Problem } from '../actions/action-state.ts'
import { fieldProblem } from '../actions/field-problem.ts'
import { portalTexts, administrationTexts as words } from '../messages/current.ts'
import type { AdministrationApi } from './administration-api.ts'
import { notAllowed } from './not-allowed.ts'
import type { PassAction } from './pass-action.ts'

/** An action of an administrator on a user. */
export type UserAction =
  | { kind: 'unlock' | 'forceReset' | 'endSessions' | 'sendLink' | 'delete'; userId: string; userIdent: string }
  | { kind: 'endSession'; userId: string; userIdent: string; sessionId: string }
  | { kind: 'removeFactor'; userId: string; userIdent: string; factorUUID: string }
  | { kind: 'setGroups'; userId: string; userIdent: string; groups: readonly string[] }
  | { kind: 'add' }

/** An action of an administrator, in the one dialog of the page. */
export type AdministratorAction = UserAction | PassAction

/** The input of the dialog: the address of the user to add or delete, the time zone, and the groups. */
type Typed = { userIdent: string; zone: string; groups: string }

type UserActionApi = Pick<
  AdministrationApi,
  'add' | 'unlock' | 'forceReset' | 'endSession' | 'endSessions' | 'sendLink' | 'setGroups' | 'removeFactor' | 'remove'
>

/** Whether an action removes or ends something, which cannot be undone. */
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
    case 'setGroups':
    case 'add':
      return false
  }
}

export const problemOf = (action: UserAction, { userIdent, groups }: Typed): Problem | undefined => {
  if (action.kind === 'add' && !userIdent.includes('@')) return { at: 'userIdent', message: words.acts.add.missing }
  if (action.kind === 'delete' && userIdent.trim().toLowerCase() !== action.userIdent.toLowerCase())
    return { at: 'userIdent', message: words.acts.delete.mismatch }
  const wrong = action.kind === 'setGroups' ? groupsIn(groups).find(name => !isGroupName(name)) : undefined
  if (wrong !== undefined) return { at: 'groups', message: words.acts.setGroups.wrong(wrong) }
  return undefined
}

/** Returns the problem that the dialog shows for a refusal. For `undefined`, it shows `actionFailure`. */
export const refusedAction = (action: UserAction, failure: Failure): Problem | undefined => {
  const { status, code, value = '' } = failure
  const { acts } = words
  if (code === 'AddressMalformed') return { at: 'userIdent', message: acts.add.missing }
  if (code === 'TimeZoneUnknown') return { at: 'zone', message: portalTexts.failures.TimeZoneUnknown }
  if (code === 'GroupUnfit') return { at: 'groups', message: acts.setGroups.wrong(value) }
  // For other codes, the dialog shows `actionFailure`.
  if (code !== undefined) return undefined
  switch (fieldProblem(failure)?.field) {
    case 'userIdent':
      if (action.kind === 'add') return { at: 'userIdent', message: status === 409 ? acts.add.taken : acts.add.missing }
      return action.kind === 'delete' ? { at: 'userIdent', message: acts.delete.mismatch } : undefined
    case 'userId':
      if (status === 404) return { at: 'page', message: words.user.gone }
      return action.kind === 'delete' || action.kind === 'removeFactor' ? { at: 'page', message: acts[action.kind].oneself } : undefined
  }
  return notAllowed(failure)
}

const groupsIn = (text: string): string[] => text.split(/[\s,]+/).filter(name => name !== '')

/** The server's rule. The listed names already have a meaning in the rules for protected applications. */
const isGroupName = (name: string) =>
  /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && !['administrators', 'users', 'everyone', 'pass', 'services'].includes(name)

/** The sentence for an action that the server carried out. */
export const doneMessage = (action: UserAction, { userIdent }: Typed): string =>
  words.acts[action.kind].done(action.kind === 'add' ? userIdent.trim() : action.userIdent)

export const callOf = (api: UserActionApi, action: UserAction, { userIdent, zone, groups }: Typed): Promise<Reply<void>> => {
  switch (action.kind) {
    case 'add':
      return api.add({ userIdent: userIdent.trim(), userTZLabel: zone })
    case 'delete':
      return api.remove({ userId: action.userId, userIdent: userIdent.trim() })
    case 'removeFactor':
      return api.removeFactor({ userId: action.userId, factorUUID: action.factorUUID })
    case 'setGroups':
      return api.setGroups({ userId: action.userId, groups: groupsIn(groups) })
    case 'endSession':
      return api.endSession({ userId: action.userId, sessionId: action.sessionId })
    case 'unlock':
    case 'forceReset':
    case 'sendLink':
    case 'endSessions':
      return api[action.kind]({ userId: action.userId })
  }
}

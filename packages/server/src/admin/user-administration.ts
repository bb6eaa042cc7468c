import type { SessionRemovalRequest, UserGroupsRequest } from '@gatehouse/wire'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { Db } from '../db/schema.ts'
import { groupNameForm, isGroupName } from '../forward-auth/rules/group-names.ts'
import { endPassesOf } from '../passes/passes.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type { Session } from '../sessions/session.ts'
import { endSession, listSessions } from '../sessions/sessions.store.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { PasswordLink } from './password-link.ts'
import type { Administer, Administered } from './permission.ts'
import type { UserActs } from './user-acts.ts'

type Caller = Session | undefined

/** The actions of administrators on users. */
export const createUserAdministration = (deps: {
  administer: Administer
  acts: UserActs
  passwordLink: PasswordLink
  now: () => number
}) => {
  const { acts, passwordLink, now } = deps
  const { administer } = deps.administer

  /** Runs an action on a user, if the user exists. */
  const act = (
    event: AuditEvent,
    userId: string,
    caller: Caller,
    visitor: Visitor,
    then: (tx: Db, account: accounts.Account, by: { actor: string; origin: Visitor }) => Promise<'done' | 'unknown-user' | 'oneself'>,
  ): Promise<Administered<null>> =>
    administer({ caller, visitor, event, target: userId }, async (tx, recordResult, administrator) => {
      const account = await accounts.lockAccount(tx, userId)
      const outcome = account ? await then(tx, account, { actor: administrator.userId, origin: visitor }) : 'unknown-user'
      if (outcome === 'done') return { done: null }
      await recordResult(outcome)
      return { refused: outcome === 'oneself' ? outcome : 'unknown' }
    })

  const unlock = (userId: string, caller: Caller, visitor: Visitor) =>
    act('user-unlocked', userId, caller, visitor, async (...of) => {
      await acts.unlock(...of)
      return 'done'
    })

  const forceReset = (userId: string, caller: Caller, visitor: Visitor) =>
    act('user-forced-reset', userId, caller, visitor, async (...of) => {
      await acts.forceReset(...of)
      return 'done'
    })

  /** Sets the groups that administrators gave the user. They apply from the user's next request to a protected application. */
  const setGroups = ({ userId, groups }: UserGroupsRequest, caller: Caller, visitor: Visitor) =>
    act('user-groups-changed', userId, caller, visitor, async (tx, account, { actor, origin }) => {
      const unfit = groups.find(name => !isGroupName(name))
      if (unfit !== undefined) throw new BadInput(`groups: each ${groupNameForm}`, 'GroupUnfit', unfit)
      await accounts.setGroups(tx, account.userId, [...new Set(groups)].sort())
      const said = { event: 'user-groups-changed', result: 'successful', actor, target: userId, now: now() } as const
      await audit.record(tx, said, origin)
      return 'done'
    })

  const endSessions = (userId: string, caller: Caller, visitor: Visitor) =>
    act('sign-out-by-administrator', userId, caller, visitor, async (tx, _, { actor, origin }) => {
      await revokeAll(tx, userId)
      await endPassesOf(tx, { is: 'User', userId })
      const said = { event: 'sign-out-by-administrator', result: 'successful', actor, target: userId, now: now() } as const
      await audit.record(tx, said, origin)
      return 'done'
    })

  /** Ends one session by its id in the list. */
  const endOne = ({ userId, sessionId }: SessionRemovalRequest, caller: Caller, visitor: Visitor) =>
    act('sign-out-by-administrator', userId, caller, visitor, async (tx, _, { actor, origin }) => {
      const found = (await listSessions(tx, userId, now())).find(session => session.sessionId === sessionId)
      // The session may have ended since it was listed. Then nothing is left to do.
      if (!found || !(await endSession(tx, found.sessionSelector))) return 'done'
      const said = { event: 'sign-out-by-administrator', result: 'one-session', actor, target: userId, now: now() } as const
      await audit.record(tx, said, origin)
      return 'done'
    })

  /** Emails the link to choose a password: the user's next step after a forced reset, or after an invitation that has expired. */
  const sendLink = (userId: string, caller: Caller, visitor: Visitor) =>
    act('mail-requested', userId, caller, visitor, async (...of) => {
      await passwordLink.send(...of)
      return 'done'
    })

  /**
   * Removes a second factor of another user. Attack: a session that a trusted provider alone started may administer, but must not remove
   * its own user's second factor. Users remove their own on the account page, which requires that factor.
   */
  const removeFactor = (request: { userId: string; factorUUID: string }, caller: Caller, visitor: Visitor) =>
    act('factor-removed', request.userId, caller, visitor, async (tx, account, by) => {
      if (account.userId === by.actor) return 'oneself'
      return (await acts.removeFactor(tx, account, request.factorUUID, by)) ? 'done' : 'unknown-user'
    })

  /**
   * Deletes a user after the administrator typed the user's address. Administrators cannot delete themselves, so at least one
   * administrator remains.
   */
  const remove = (request: { userId: string; userIdent: string }, caller: Caller, visitor: Visitor) =>
    act('user-deleted', request.userId, caller, visitor, async (tx, account, by) => {
      if (account.userId === by.actor) return 'oneself'
      if (canonicalUsername(request.userIdent) !== account.userIdent) throw new BadInput('userIdent: is not the address of this user')
      await acts.remove(tx, account, by)
      return 'done'
    })

  return { unlock, forceReset, setGroups, endSessions, endOne, sendLink, removeFactor, remove }
}

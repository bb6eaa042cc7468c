import * as audit from '../audit/audit.store.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeOthers } from '../sessions/access-revocation.ts'
import type { Session } from '../sessions/session.ts'
import { endSession, listSessions } from '../sessions/sessions.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Reauthentication } from './reauthentication.ts'

/** Ends sessions of the signed-in user. This requires no password, because it only makes an account safer. */
export const createOwnSessions = ({ reauthentication, now }: { reauthentication: Reauthentication; now: () => number }) => {
  /**
   * Ends a session by its id in the list.
   * @returns `'own'` if it was the caller's session, so the caller is now signed out
   */
  const endOne = (sessionId: string, caller: Session | undefined, visitor: Visitor) =>
    reauthentication.inSession(caller, async (tx, { userId }, { sessionSelector }): Promise<'ended' | 'own' | 'unknown'> => {
      const found = (await listSessions(tx, userId, now())).find(session => session.sessionId === sessionId)
      if (!found || !(await endSession(tx, found.sessionSelector))) return 'unknown'
      const isOwn = found.sessionSelector === sessionSelector
      const event = isOwn ? 'sign-out' : 'session-ended'
      await audit.record(tx, { event, result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return isOwn ? 'own' : 'ended'
    })

  /** Ends all other sessions and unfinished sign-ins, and a pending change of the email address that one of them may have requested. */
  const endOthers = (caller: Session | undefined, visitor: Visitor) =>
    reauthentication.inSession(caller, async (tx, { userId }, { sessionSelector }): Promise<'ended'> => {
      await revokeOthers(tx, userId, sessionSelector)
      await mailLinks.voidEmailChange(tx, userId, now())
      await audit.record(tx, { event: 'session-ended', result: 'all others', actor: userId, target: userId, now: now() }, visitor)
      return 'ended'
    })

  return { endOne, endOthers }
}
export type OwnSessions = ReturnType<typeof createOwnSessions>

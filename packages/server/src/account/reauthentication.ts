import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Db, Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { isFresh, provenBy, type Session } from '../sessions/session.ts'
import { renewSession, sessionExists } from '../sessions/sessions.store.ts'
import type { Authentication } from '../sign-in/authenticate.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** Why a session does not allow a change: it has ended, or the last authentication is too long ago. */
export type SessionRefusal = 'not-signed-in' | 'stale'

type Work<T> = (tx: Db, account: accounts.Account, session: Session) => Promise<T>

/** Checks whether the signed-in user authenticated recently, and checks the password again. */
export const createReauthentication = (deps: { db: Kysely<Tables>; authentication: Authentication; now: () => number }) => {
  const { db, now } = deps
  const { authenticatePassword } = deps.authentication

  /** Runs `work` in one transaction that has locked the account, if the session still exists. */
  const inSession = <T>(session: Session | undefined, work: Work<T>): Promise<T | 'not-signed-in'> => {
    if (!session) return Promise.resolve('not-signed-in' as const)
    return db.transaction().execute(async tx => {
      const account = await accounts.lockAccount(tx, session.userId)
      if (!account || account.userForcedReset || !(await sessionExists(tx, session.sessionSelector))) return 'not-signed-in'
      return work(tx, account, session)
    })
  }

  /** Like `inSession`, but requires a recent authentication: for changes that a stolen session must not make. */
  const inFreshSession = async <T>(session: Session | undefined, work: Work<T>): Promise<T | SessionRefusal> =>
    session && !isFresh(session, now()) ? 'stale' : inSession(session, work)

  /** Checks the password of the signed-in user again; a wrong one counts as a failed attempt. The session gets a new cookie value. */
  const confirmPassword = async (
    password: string,
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<{ session: string } | 'not-signed-in' | 'wrong-password' | 'lower'> => {
    if (!session) return 'not-signed-in'
    const claim = { username: session.userIdent, password }
    using first = await authenticatePassword(claim, visitor, { event: 'password-confirmed', field: 'password' })
    if (!first) return 'wrong-password'
    return await db.transaction().execute(async tx => {
      const confirmed = await first.confirm(tx)
      const { account } = confirmed ?? {}
      if (!account || account.userForcedReset || account.userId !== session.userId) return first.refuse(tx, 'wrong-password')
      // Attack: a mailbox reader sets the password and steals a session that the owner opened with a second factor.
      const permit = await ask(tx, account, 'confirm-session', { ...first.proof, session: provenBy(session, now()) })
      if ('refused' in permit) return 'lower'
      const renewed = await renewSession(tx, session.sessionSelector, { sessionConfirmed: now() })
      // If the session has ended meanwhile, it stays ended.
      if (!renewed) return first.refuse(tx, 'wrong-password')
      const { userId } = account
      await audit.record(tx, { event: 'password-confirmed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { session: renewed.cookie }
    })
  }

  return { inSession, inFreshSession, confirmPassword }
}
export type Reauthentication = ReturnType<typeof createReauthentication>

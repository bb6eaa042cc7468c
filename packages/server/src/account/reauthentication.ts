import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Db, Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { isFresh, provenBy, type Session } from '../sessions/session.ts'
import { renewSession, sessionExists } from '../sessions/sessions.store.ts'
import type { CheckFirstFactor } from '../sign-in/authenticate.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** Why an act on one's own account does not begin. */
export type Unconfirmed = 'not-signed-in' | 'stale'

/** Decides whether the one who is signed in was proven lately, and takes the proof once more. */
export const createConfirmation = (deps: { db: Kysely<Tables>; firstFactor: CheckFirstFactor; now: () => number }) => {
  const { db, firstFactor, now } = deps

  /** Does `then` in one transaction for the one who is signed in, if the session is still there. */
  const signedIn = <T>(
    caller: Session | undefined,
    then: (tx: Db, account: accounts.Account, caller: Session) => Promise<T>,
  ): Promise<T | 'not-signed-in'> => {
    if (!caller) return Promise.resolve('not-signed-in' as const)
    return db.transaction().execute(async tx => {
      const account = await accounts.lockAccount(tx, caller.userId)
      if (!account || account.userForcedReset || !(await sessionExists(tx, caller.sessionSelector))) return 'not-signed-in'
      return then(tx, account, caller)
    })
  }

  /** The same for what a session that was stolen must not do: only if it was proven lately whose it is. */
  const afresh = async <T>(
    caller: Session | undefined,
    then: (tx: Db, account: accounts.Account, caller: Session) => Promise<T>,
  ): Promise<T | Unconfirmed> => (caller && !isFresh(caller, now()) ? 'stale' : signedIn(caller, then))

  /** The password once more, on the count of every password. The session goes on under another value. */
  const confirmPassword = async (
    password: string,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ session: string } | 'not-signed-in' | 'wrong-password' | 'lower'> => {
    if (!caller) return 'not-signed-in'
    const claim = { username: caller.userIdent, password }
    const confirmed = await firstFactor.withPassword(claim, visitor, { event: 'password-confirmed', field: 'password' }, first =>
      db.transaction().execute(async (tx): Promise<{ session: string } | 'lower' | undefined> => {
        const account = await first.confirm(tx)
        if (!account || account.userForcedReset || account.userId !== caller.userId) return undefined
        // Attack: a mailbox reader sets the password and steals a session that the owner opened with a second factor.
        const permit = await ask(tx, account, 'confirm-session', { ...first.proof, session: provenBy(caller, now()) })
        if ('refused' in permit) return 'lower'
        // A session that was ended meanwhile does not come back.
        const renewed = await renewSession(tx, caller.sessionSelector, { sessionConfirmed: now() })
        if (!renewed) return undefined
        const { userId } = account
        await audit.record(tx, { event: 'password-confirmed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
        return { session: renewed.cookie }
      }),
    )
    return confirmed ?? 'wrong-password'
  }

  return { signedIn, afresh, confirmPassword }
}
export type Confirmation = ReturnType<typeof createConfirmation>

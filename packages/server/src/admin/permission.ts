import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import { isFresh, type Session } from '../sessions/session.ts'
import { sessionExists } from '../sessions/sessions.store.ts'
import type { SecondFactorPolicy } from '../sign-in/second-factor-policy.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'

/**
 * The result of an administrator's request. `stale`: the administrator last authenticated too long ago. `without-factor`: the session
 * was opened without a second factor, for example before the user became an administrator.
 */
export type Administered<T, More extends string = never> =
  | { done: T }
  | { refused: 'forbidden' | 'stale' | 'without-factor' | 'without-passkey' | 'unknown' | 'taken' | 'oneself' | More }

/** Checks that the caller is an administrator. All other users get the same refusal for every target. */
export const createAdminister = (deps: {
  db: Kysely<Tables>
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  passkeyDue: PasskeyDueOf
  now: () => number
}) => {
  const { db, policy, isAdministrator, now } = deps

  /**
   * Administrators need a second factor unless the policy is `off`. This includes sessions that began before the user became an
   * administrator.
   */
  const lackOf = (session: Session): 'without-factor' | 'without-passkey' | undefined => {
    if (policy !== 'off' && session.sessionFactor === null) return 'without-factor'
    return deps.passkeyDue(session)?.is === 'Now' ? 'without-passkey' : undefined
  }

  /**
   * Runs `act` in a transaction if the caller is an administrator who authenticated recently. If the request names a user, the caller must
   * be that user.
   */
  const administer = <T, More extends string = never>(
    by: { caller: Session | undefined; named?: string | undefined; visitor: Visitor; event: AuditEvent; target: string | null },
    act: (tx: Db, recordResult: (result: AuditResult, target?: string) => Promise<void>, caller: Session) => Promise<Administered<T, More>>,
  ): Promise<Administered<T, More>> => {
    const { caller, named, visitor, event, target } = by
    // Requests without a session are only logged. Attack: audit rows from visitors without an account fill the disk.
    if (!caller) return Promise.resolve({ refused: 'forbidden' })
    return db.transaction().execute(async tx => {
      const recordResult = (result: AuditResult, targetId = target) =>
        audit.record(tx, { event, result, actor: caller.userId, target: targetId, now: now() }, visitor)
      // Lock both accounts, always in the same order: if two administrators delete each other, the second is refused.
      for (const userId of [caller.userId, ...(target === null ? [] : [target])].toSorted()) await accounts.lockAccount(tx, userId)
      const isNamed = named === undefined || named === caller.userId || canonicalUsername(named) === caller.userIdent
      if (!isAdministrator(caller.userIdent) || !isNamed || !(await sessionExists(tx, caller.sessionSelector))) {
        await recordResult('forbidden')
        return { refused: 'forbidden' } as const
      }
      const lack = lackOf(caller)
      if (lack) {
        await recordResult('forbidden')
        return { refused: lack } as const
      }
      if (!isFresh(caller, now())) {
        await recordResult('forbidden')
        return { refused: 'stale' } as const
      }
      return act(tx, recordResult, caller)
    })
  }

  /** Reads data for an administrator. Does not require a recent authentication. */
  const read = async <T>(
    caller: Session | undefined,
    visitor: Visitor,
    readData: (caller: Session) => Promise<T>,
  ): Promise<Administered<T>> => {
    if (!caller) return { refused: 'forbidden' }
    const refused = isAdministrator(caller.userIdent) ? lackOf(caller) : 'forbidden'
    if (refused) {
      await audit.record(db, { event: 'administration', result: 'forbidden', actor: caller.userId, target: null, now: now() }, visitor)
      return { refused }
    }
    return { done: await readData(caller) }
  }

  return { administer, read, lackOf }
}
export type Administer = ReturnType<typeof createAdminister>

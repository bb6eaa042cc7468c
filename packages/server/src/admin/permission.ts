import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import { isFresh, type Session } from '../sessions/session.ts'
import { sessionExists } from '../sessions/sessions.store.ts'
import type { SecondFactorPolicy } from '../sign-in/second-factor-policy.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'

/**
 * What came of an administrator's act. `stale`: it was an administrator, but signed in too long ago; `without-factor`: with the password
 * alone, because he was none when he put a second factor off.
 */
export type Administered<T> = { done: T } | { refused: 'forbidden' | 'stale' | 'without-factor' | 'unknown' | 'taken' | 'oneself' }

/** Decides who may administer: everybody else gets the same refusal, whatever is named. */
export const createAdminister = (deps: {
  db: Kysely<Tables>
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  now: () => number
}) => {
  const { db, policy, isAdministrator, now } = deps

  /** Administrators never go without a second factor where there are such: nor does a session from before its owner became one. */
  const lacksFactor = ({ sessionFactor }: Session): boolean => policy !== 'off' && sessionFactor === null

  /** Does `act` in a transaction if the caller is an administrator who signed in lately, and is who the request says. */
  const administer = <T>(
    by: { caller: Session | undefined; named?: string | undefined; visitor: Visitor; event: AuditEvent; target: string },
    act: (tx: Db, say: (result: AuditResult, target?: string) => Promise<void>, caller: Session) => Promise<Administered<T>>,
  ): Promise<Administered<T>> => {
    const { caller, named, visitor, event, target } = by
    // A stranger's tries are in the log; a row for each would let anybody fill the disk.
    if (!caller) return Promise.resolve({ refused: 'forbidden' })
    return db.transaction().execute(async tx => {
      const say = (result: AuditResult, whom = target) =>
        audit.record(tx, { event, result, actor: caller.userId, target: whom, now: now() }, visitor)
      // Both, always in the same order: of two administrators who delete each other, one comes too late.
      for (const userId of [caller.userId, target].toSorted()) await accounts.lockAccount(tx, userId)
      const isNamed = named === undefined || named === caller.userId || accounts.canonicalUsername(named) === caller.userIdent
      if (!isAdministrator(caller.userIdent) || !isNamed || !(await sessionExists(tx, caller.sessionSelector))) {
        await say('forbidden')
        return { refused: 'forbidden' } as const
      }
      if (lacksFactor(caller)) {
        await say('forbidden')
        return { refused: 'without-factor' } as const
      }
      if (!isFresh(caller, now())) {
        await say('forbidden')
        return { refused: 'stale' } as const
      }
      return act(tx, say, caller)
    })
  }

  /** Reads what is for administrators, however long ago the sign-in was. */
  const read = async <T>(
    caller: Session | undefined,
    visitor: Visitor,
    look: (caller: Session) => Promise<T>,
  ): Promise<Administered<T>> => {
    if (!caller) return { refused: 'forbidden' }
    const refused = isAdministrator(caller.userIdent) ? lacksFactor(caller) && 'without-factor' : 'forbidden'
    if (refused) {
      await audit.record(db, { event: 'administration', result: 'forbidden', actor: caller.userId, target: null, now: now() }, visitor)
      return { refused }
    }
    return { done: await look(caller) }
  }

  return { administer, read, lacksFactor }
}
export type Administer = ReturnType<typeof createAdminister>

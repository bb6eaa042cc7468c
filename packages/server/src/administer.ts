import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import type { Db, Tables } from './db/schema.ts'
import type { Visitor } from './first-factor.ts'
import * as tokens from './tokens.ts'

/** What came of an administrator's act. `stale`: it was an administrator, but signed in too long ago. */
export type Administered<T> = { done: T } | { refused: 'forbidden' | 'stale' | 'unknown' | 'taken' | 'oneself' }

/** Decides who may administer: everybody else gets the same refusal, whatever is named. */
export const createAdminister = (deps: { db: Kysely<Tables>; isAdministrator: (userIdent: string) => boolean; now: () => number }) => {
  const { db, isAdministrator, now } = deps

  /** Does `act` in a transaction if the caller is an administrator who signed in lately, and is who the request says. */
  const administer = <T>(
    by: { caller: tokens.Session | undefined; named?: string | undefined; visitor: Visitor; event: audit.AuditEvent; target: string },
    act: (tx: Db, say: (result: string, target?: string) => Promise<void>, caller: tokens.Session) => Promise<Administered<T>>,
  ): Promise<Administered<T>> => {
    const { caller, named, visitor, event, target } = by
    // A stranger's tries are in the log; a row for each would let anybody fill the disk.
    if (!caller) return Promise.resolve({ refused: 'forbidden' })
    return db.transaction().execute(async tx => {
      const say = (result: string, whom = target) =>
        audit.record(tx, { event, result, actor: caller.userId, target: whom, now: now() }, visitor)
      // Both, always in the same order: of two administrators who delete each other, one comes too late.
      for (const userId of [caller.userId, target].toSorted()) await accounts.lockAccount(tx, userId)
      const isNamed = named === undefined || named === caller.userId || accounts.canonicalUsername(named) === caller.userIdent
      if (!isAdministrator(caller.userIdent) || !isNamed || !(await tokens.isThere(tx, caller.sessionSelector))) {
        await say('forbidden')
        return { refused: 'forbidden' } as const
      }
      if (!tokens.isFresh(caller, now())) {
        await say('forbidden')
        return { refused: 'stale' } as const
      }
      return act(tx, say, caller)
    })
  }

  /** Reads what is for administrators, however long ago the sign-in was. */
  const read = async <T>(
    caller: tokens.Session | undefined,
    visitor: Visitor,
    look: (caller: tokens.Session) => Promise<T>,
  ): Promise<Administered<T>> => {
    if (!caller) return { refused: 'forbidden' }
    if (!isAdministrator(caller.userIdent)) {
      await audit.record(db, { event: 'administration', result: 'forbidden', actor: caller.userId, target: null, now: now() }, visitor)
      return { refused: 'forbidden' }
    }
    return { done: await look(caller) }
  }

  return { administer, read }
}
export type Administer = ReturnType<typeof createAdminister>

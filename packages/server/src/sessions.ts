import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import type { Tables } from './db/schema.ts'
import { limits } from './limits.ts'
import * as tokens from './tokens.ts'

/** Decides on sessions: whose cookie this is, and who may end which. */
export const createSessions = (deps: { db: Kysely<Tables>; now: () => number; isAdministrator: (userIdent: string) => boolean }) => {
  const { db, now, isAdministrator } = deps

  /** The session of a cookie value, if it is alive. A forged one ends: somebody has half of it. */
  const find = async (cookie: string | undefined, origin: audit.Origin): Promise<tokens.Session | undefined> => {
    if (!cookie) return undefined
    const found = await tokens.findSession(db, cookie, now())
    if (!found) return undefined
    if ('forged' in found) {
      await db.transaction().execute(async tx => {
        await tokens.endSession(tx, found.forged)
        await audit.record(tx, { event: 'session-forged', result: 'ended', actor: null, target: found.userId, now: now() }, origin)
      })
      return undefined
    }
    if (found.sessionSeen + limits.session.seenEvery <= now()) await tokens.touchSession(db, found.sessionSelector, now())
    return found
  }

  /** Whether a cookie value is that of a live session. Unlike `find` it prolongs and ends none. */
  const isAlive = async (cookie: string | undefined): Promise<boolean> => {
    const found = cookie ? await tokens.findSession(db, cookie, now()) : undefined
    return found !== undefined && !('forged' in found)
  }

  const end = (session: tokens.Session, origin: audit.Origin): Promise<void> =>
    db.transaction().execute(async tx => {
      await tokens.endSession(tx, session.sessionSelector)
      await audit.record(tx, { event: 'sign-out', result: 'successful', actor: session.userId, target: session.userId, now: now() }, origin)
    })

  /**
   * Signs a user out everywhere. Only an administrator who signed in lately may; for everyone else the answer is the same
   * whatever the id.
   * @returns whether there was such a user; `'forbidden'` when the caller may not ask, `'stale'` when an administrator signed in too
   * long ago
   */
  const endAllOf = async (
    userId: string,
    caller: tokens.Session | undefined,
    origin: audit.Origin,
  ): Promise<boolean | 'forbidden' | 'stale'> => {
    // A stranger's tries are in the log; a row for each would let anybody fill the disk.
    if (!caller) return 'forbidden'
    const administrates = isAdministrator(caller.userIdent)
    const fresh = tokens.isFresh(caller, now())
    return db.transaction().execute(async tx => {
      const say = (result: string) =>
        audit.record(tx, { event: 'sign-out-by-administrator', result, actor: caller.userId, target: userId, now: now() }, origin)
      if (!administrates || !fresh || !(await tokens.isThere(tx, caller.sessionSelector))) {
        await say('forbidden')
        return administrates && !fresh ? 'stale' : 'forbidden'
      }
      // Whoever changes a password meanwhile begins a session anew: the lock waits for that one, too.
      const there = (await accounts.lockAccount(tx, userId)) !== undefined
      if (there) await tokens.endEverything(tx, userId)
      await say(there ? 'successful' : 'unknown-user')
      return there
    })
  }

  return { find, isAlive, end, endAllOf }
}
export type Sessions = ReturnType<typeof createSessions>

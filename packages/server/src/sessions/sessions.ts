import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import { checkCookieOf } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../visitors/visitor.ts'
import * as tokens from './tokens.store.ts'

/** Decides on sessions: whose cookie this is, and signing out. */
export const createSessions = ({ db, now }: { db: Kysely<Tables>; now: () => number }) => {
  const findSession = tokens.prepareFindSession(db)
  const findCheckedSession = tokens.prepareFindChecked(db)

  /** The session of a cookie value, if it is alive. A forged one ends: somebody has half of it. */
  const find = async (cookie: string | undefined, origin: Origin): Promise<tokens.Session | undefined> => {
    if (!cookie) return undefined
    const found = await findSession(cookie, now())
    if (!found) return undefined
    if ('forged' in found) {
      await db.transaction().execute(async tx => {
        await tokens.endSession(tx, found.forged)
        await audit.record(tx, { event: 'session-forged', result: 'ended', actor: null, target: found.userId, now: now() }, origin)
      })
      return undefined
    }
    await noteUse(found)
    return found
  }

  const noteUse = async (session: tokens.Session) => {
    if (session.sessionSeen + limits.session.seenEvery <= now()) await tokens.touchSession(db, session.sessionSelector, now())
  }

  /** The session of the cookie that protected hosts get, if it is alive. Good for checks and for nothing else. */
  const findChecked = async (cookie: string | undefined): Promise<tokens.Session | undefined> => {
    const found = cookie ? await findCheckedSession(cookie, now()) : undefined
    if (found) await noteUse(found)
    return found
  }

  /** The check cookie's value of a session, which works from now on if it did not yet. */
  const checkCookie = async (session: tokens.Session, sessionCookie: string): Promise<string> => {
    const { selector, cookie } = checkCookieOf(sessionCookie)
    if (session.sessionCheckSelector !== selector) await tokens.storeCheckCookie(db, session.sessionSelector, sessionCookie)
    return cookie
  }

  /** Which session a cookie value is of, if it is alive. Unlike `find` it prolongs and ends none. */
  const selectorOf = async (cookie: string | undefined): Promise<string | undefined> => {
    const found = cookie ? await findSession(cookie, now()) : undefined
    return found && !('forged' in found) ? found.sessionSelector : undefined
  }

  /** Whether a cookie value is that of a live session. */
  const isAlive = async (cookie: string | undefined): Promise<boolean> => (await selectorOf(cookie)) !== undefined

  const end = (session: tokens.Session, origin: Origin): Promise<void> =>
    db.transaction().execute(async tx => {
      await tokens.endSession(tx, session.sessionSelector)
      await audit.record(tx, { event: 'sign-out', result: 'successful', actor: session.userId, target: session.userId, now: now() }, origin)
    })

  return { find, findChecked, checkCookie, isAlive, selectorOf, end }
}
export type Sessions = ReturnType<typeof createSessions>

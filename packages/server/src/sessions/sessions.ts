import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import { checkCookieOf } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../visitors/visitor.ts'
import type { Session } from './session.ts'
import { endSession, prepareFindChecked, prepareFindSession, storeCheckCookie, touchSession } from './sessions.store.ts'

/** Finds the session of a cookie, and signs out. */
export const createSessions = ({ db, now }: { db: Kysely<Tables>; now: () => number }) => {
  const findSession = prepareFindSession(db)
  const findCheckedSession = prepareFindChecked(db)

  /** The live session of a cookie value. Ends the session if only the selector is right: someone has half of its cookie. */
  const find = async (cookie: string | undefined, origin: Origin): Promise<Session | undefined> => {
    if (!cookie) return undefined
    const found = await findSession(cookie, now())
    if (!found) return undefined
    if ('forged' in found) {
      await db.transaction().execute(async tx => {
        await endSession(tx, found.forged)
        await audit.record(tx, { event: 'session-forged', result: 'ended', actor: null, target: found.userId, now: now() }, origin)
      })
      return undefined
    }
    await recordUse(found)
    return found
  }

  const recordUse = async (session: Session) => {
    if (session.sessionSeen + limits.session.seenEvery <= now()) await touchSession(db, session.sessionSelector, now())
  }

  /** The live session of the check cookie that protected applications see. Use it for checks only. */
  const findChecked = async (cookie: string | undefined): Promise<Session | undefined> => {
    const found = cookie ? await findCheckedSession(cookie, now()) : undefined
    if (found) await recordUse(found)
    return found
  }

  /** The check cookie of a session. Stores it first if an older version started the session. */
  const checkCookie = async (session: Session, sessionCookie: string): Promise<string> => {
    const { selector, cookie } = checkCookieOf(sessionCookie)
    if (session.sessionCheckSelector !== selector) await storeCheckCookie(db, session.sessionSelector, sessionCookie)
    return cookie
  }

  /** The selector of a cookie's live session. Unlike `find`, it neither extends nor ends the session. */
  const selectorOf = async (cookie: string | undefined): Promise<string | undefined> => {
    const found = cookie ? await findSession(cookie, now()) : undefined
    return found && !('forged' in found) ? found.sessionSelector : undefined
  }

  const isLive = async (cookie: string | undefined): Promise<boolean> => (await selectorOf(cookie)) !== undefined

  const end = (session: Session, origin: Origin): Promise<void> =>
    db.transaction().execute(async tx => {
      await endSession(tx, session.sessionSelector)
      await audit.record(tx, { event: 'sign-out', result: 'successful', actor: session.userId, target: session.userId, now: now() }, origin)
    })

  return { find, findChecked, checkCookie, isLive, selectorOf, end }
}
export type Sessions = ReturnType<typeof createSessions>

import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import { checkCookieOf } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../visitors/visitor.ts'
import type { OutageGrace } from './outage-grace.ts'
import type { Session } from './session.ts'
import { endSession, prepareFindChecked, prepareFindSession, storeCheckCookie, touchSession } from './sessions.store.ts'

/** Finds the session of a cookie, and signs out. */
export const createSessions = ({
  db,
  now,
  outageGrace,
}: {
  db: Kysely<Tables>
  now: () => number
  outageGrace?: OutageGrace | undefined
}) => {
  const findSession = prepareFindSession(db)
  const findCheckedSession = prepareFindChecked(db)

  /**
   * Finds the live session of a cookie. Ends the session if the selector matches but the secret does not: an attacker has half of the
   * cookie.
   * @param originOf called lazily, because only the audit log needs it
   */
  const find = async (cookie: string | undefined, originOf: () => Origin): Promise<Session | undefined> => {
    if (!cookie) return undefined
    const found = await findSession(cookie, now())
    if (!found) return undefined
    if ('forged' in found) {
      await db.transaction().execute(async tx => {
        await endSession(tx, found.forged)
        await audit.record(tx, { event: 'session-forged', result: 'ended', actor: null, target: found.userId, now: now() }, originOf())
      })
      return undefined
    }
    if (outageGrace?.isEnding(found.sessionSelector)) return undefined
    await recordUse(found)
    return found
  }

  const recordUse = async (session: Session) => {
    if (session.sessionSeen + limits.session.seenEvery <= now()) await touchSession(db, session.sessionSelector, now())
  }

  /** The live session of the check cookie that protected applications see. Use it for checks only. */
  const findChecked = async (cookie: string | undefined): Promise<Session | undefined> => {
    const found = cookie ? await findCheckedSession(cookie, now()) : undefined
    if (!found || outageGrace?.isEnding(found.sessionSelector)) return undefined
    await recordUse(found)
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

  /** Ends the session of a cookie. While the database is unreachable, ends it on this server at once and in the database later. */
  const signOut = async (cookie: string | undefined, origin: Origin): Promise<void> => {
    const kept = outageGrace?.findByCookie(cookie)
    try {
      if (kept && outageGrace?.isDown()) return outageGrace.end(kept, origin)
      const session = await find(cookie, () => origin)
      if (session) await end(session, origin)
    } catch (fault) {
      await outageGrace?.lookNow()
      if (!kept || !outageGrace?.isDown()) throw fault
      outageGrace.end(kept, origin)
    }
  }

  /**
   * The session that a check uses: that of the database, or, while it is unreachable, one that this server confirmed shortly before.
   * @throws the database's error
   */
  const check = async (cookie: string | undefined, which: 'session' | 'check', originOf: () => Origin): Promise<Checked> => {
    const ask = () => (which === 'session' ? find(cookie, originOf) : findChecked(cookie))
    if (!outageGrace || cookie === undefined) return { session: await ask(), bridged: undefined }
    const bridge = () => {
      const session = outageGrace.bridge(cookie, which)
      return session && { session, bridged: { passed: outageGrace.countPassed, fault: outageGrace.fault() } }
    }
    const askAndRemember = async () => {
      const session = await ask()
      if (session) outageGrace.remember(session)
      return { session, bridged: undefined }
    }
    const bridged = bridge()
    if (bridged) return bridged
    try {
      return await askAndRemember()
    } catch {
      // The connection broke, or the database is unreachable.
      await outageGrace.lookNow()
      return bridge() ?? (await askAndRemember())
    }
  }

  return { signOut, check, find, findChecked, checkCookie, isLive, selectorOf, end }
}

/** `bridged`: the database is unreachable. A check that passes must call `passed`; any other throws `fault`, the database's error. */
type Checked = { session: Session | undefined; bridged: undefined } | { session: Session; bridged: { passed: () => void; fault: unknown } }

export type Sessions = ReturnType<typeof createSessions>

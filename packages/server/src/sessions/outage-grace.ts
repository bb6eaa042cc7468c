import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import { isUnreachable } from '../database-fault.ts'
import type { Tables } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../visitors/visitor.ts'
import type { Session } from './session.ts'
import { reportSessionWrites } from './session-writes.ts'
import { endSession, hasCheckSecret, hasSecret, live, partsOf, readSessions, type StoredSession } from './sessions.store.ts'

/** The last outage of the database that this server noticed. `passed` counts the checks that it let pass. Epoch milliseconds. */
type Outage = { began: number; ended: number | undefined; passed: number }

type Log = { warn: (of: object, message: string) => void; info: (of: object, message: string) => void }
type SignOut = { selector: string; userId: string; at: number; origin: Origin }

/**
 * Lets checks of recently used sessions pass while the database is unreachable. The server reads these sessions from the database twice a
 * second, to learn which sessions other servers have ended. A session passes only if the last successful reading found it; being found by a
 * check is not enough.
 */
export const createOutageGrace = (deps: { db: Kysely<Tables>; grace: number; now: () => number; log: Log }) => {
  const { db, grace, now, log } = deps
  /** When a check last found each session, by selector, oldest check first. Times are monotonic, except those of `Outage` and `SignOut`. */
  const used = new Map<string, { at: number; userId: string }>()
  /** The sessions that the last successful reading found. */
  let confirmed: readonly StoredSession[] = []
  let bySelector = new Map<string, StoredSession>()
  let byCheck = new Map<string, StoredSession>()
  /** When the last successful reading began. */
  let heard = Number.NEGATIVE_INFINITY
  /** When statements that end sessions or change users began, by the selectors and user ids in their conditions. */
  const ended = new Map<string, number>()
  /** Sign-outs not yet written to the database, by selector. */
  const signOuts = new Map<string, SignOut>()
  let down: { since: number; fault: unknown } | undefined
  let outage: Outage | undefined
  let passed = 0
  let stopped = false

  const keep = (rows: readonly StoredSession[]) => {
    confirmed = rows
    bySelector = new Map(rows.map(row => [row.sessionSelector, row]))
    byCheck = new Map(rows.flatMap(row => (row.sessionCheckSelector === null ? [] : [[row.sessionCheckSelector, row]])))
  }

  const forget = (values: ReadonlySet<string>) => {
    const instant = performance.now()
    for (const value of values) ended.set(value, instant)
    for (const [selector, { userId }] of used) if (values.has(selector) || values.has(userId)) used.delete(selector)
    keep(confirmed.filter(row => !values.has(row.sessionSelector) && !values.has(row.userId)))
  }

  /** Call it after a check that found the session in the database. */
  const remember = ({ sessionSelector, userId }: Session) => {
    used.delete(sessionSelector)
    used.set(sessionSelector, { at: performance.now(), userId })
    if (used.size <= limits.outage.kept) return
    const [oldest] = used.keys()
    if (oldest !== undefined) used.delete(oldest)
  }

  const readUsed = async () => {
    const began = performance.now()
    for (const [selector, { at }] of used) if (at + limits.outage.usedWithin <= began) used.delete(selector)
    const selectors = [...used.keys()]
    const found = await withPatience(readSessions(db, selectors))
    // Ignore sessions that were ended shortly before this reading began: the statement may have committed too late for it to see.
    const isEnded = (value: string) => (ended.get(value) ?? Number.NEGATIVE_INFINITY) + limits.outage.settle > began
    const rows = found.filter(row => live(row, now()) && !isEnded(row.sessionSelector) && !isEnded(row.userId))
    const there = new Set(found.map(row => row.sessionSelector))
    for (const selector of selectors) if (!there.has(selector)) used.delete(selector)
    keep(rows)
    heard = began
    for (const [value, at] of ended) if (at + limits.outage.settle <= began) ended.delete(value)
  }

  const begin = (fault: unknown) => {
    const instant = performance.now()
    // A session may have ended since the last reading.
    if (instant - heard > limits.outage.unheard) keep([])
    down = { since: instant, fault }
    outage = { began: now(), ended: undefined, passed: 0 }
    log.warn(
      { err: fault, sessions: confirmed.length, seconds: grace / 1000 },
      'the database is unreachable: checks of recently used sessions pass until it answers or the grace ends',
    )
  }

  const finish = () => {
    down = undefined
    if (outage) outage.ended = now()
    log.info({ passed: outage?.passed, signOuts: signOuts.size }, 'the database answers again: every check reads it')
  }

  const look = async (): Promise<void> => {
    try {
      await readUsed()
      if (down) finish()
    } catch (fault) {
      if (!isUnreachable(fault)) log.warn({ err: fault }, 'refreshing the sessions that may pass during an outage failed; retrying')
      else if (!down) begin(fault)
      else if (performance.now() - down.since > grace && confirmed.length > 0) {
        keep([])
        log.warn({}, 'the grace period for the database outage has ended: every check is refused')
      }
      return
    }
    await writeSignOuts().catch((err: unknown) => log.warn({ err }, 'writing sign-outs of the outage failed; retrying'))
  }
  let looking: Promise<void> | undefined
  /** Reads the sessions from the database now. Concurrent callers share one reading. */
  const lookNow = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)))

  /** Writes the sign-outs of the outage to the database. If that fails, the next reading tries again. */
  const writeSignOuts = async () => {
    for (const { selector, userId, at, origin } of signOuts.values()) {
      await db.transaction().execute(async tx => {
        if (await endSession(tx, selector))
          await audit.record(tx, { event: 'sign-out', result: 'successful', actor: userId, target: userId, now: at }, origin)
      })
      signOuts.delete(selector)
    }
  }

  const isOn = () => down !== undefined && performance.now() - down.since <= grace

  /** The confirmed session of a session cookie. */
  const findByCookie = (cookie: string | undefined): StoredSession | undefined => {
    const parts = cookie === undefined ? undefined : partsOf(cookie)
    const row = parts && bySelector.get(parts.selector)
    return parts && row && hasSecret(row, parts.secret) && live(row, now()) ? row : undefined
  }
  const findByCheckCookie = (cookie: string | undefined): StoredSession | undefined => {
    const parts = cookie === undefined ? undefined : partsOf(cookie)
    const row = parts && byCheck.get(parts.selector)
    return parts && row && hasCheckSecret(row, parts.secret) && live(row, now()) ? row : undefined
  }

  let timer: NodeJS.Timeout | undefined
  const loop = async () => {
    await lookNow()
    if (!stopped) timer = setTimeout(() => void loop(), limits.outage.look).unref()
  }

  return {
    /** The database for all modules of the server. */
    watched: db.withPlugin(reportSessionWrites(forget)),
    remember,
    lookNow,
    isDown: () => down !== undefined,
    /** The database's last error. */
    fault: () => down?.fault,
    findByCookie,
    /** The session that a check may use while the database is unreachable. */
    bridge: (cookie: string | undefined, which: 'session' | 'check'): Session | undefined => {
      if (!isOn()) return undefined
      const row = which === 'session' ? findByCookie(cookie) : findByCheckCookie(cookie)
      return row && live(row, now())
    },
    countPassed: () => {
      passed++
      if (outage) outage.passed++
    },
    /** Ends a session on this server now, and in the database when it answers. */
    end: ({ sessionSelector, userId }: StoredSession, origin: Origin) => {
      signOuts.set(sessionSelector, { selector: sessionSelector, userId, at: now(), origin })
      forget(new Set([sessionSelector]))
    },
    isEnding: (selector: string) => signOuts.has(selector),
    passed: () => passed,
    outage: () => outage,
    waiting: () => signOuts.size,
    start: () => void loop(),
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      if (signOuts.size > 0) await lookNow()
      if (signOuts.size > 0)
        log.warn(
          { signOuts: signOuts.size },
          'the server stops without the database: these sign-outs are lost, and the sessions stay active',
        )
    },
  }
}
export type OutageGrace = ReturnType<typeof createOutageGrace>

const withPatience = async <T>(reading: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Query read timeout')), limits.outage.patience)
  })
  reading.catch(() => {})
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}

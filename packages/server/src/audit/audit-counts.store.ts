import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

const { slot, settle, stretch } = limits.board

/** The steps of a sign-in; other rows of the audit are not counted. */
const steps = [
  'sign-in',
  'second-factor',
  'push-requested',
  'push-answered',
  'factor-verified',
  'factor-skipped',
  'one-time-link',
  'sso',
] as const

/** The one row that says up to when rows have been counted. */
const mark = 'sign-ins'

/** How often something came of a step, in the `bucket`th time of a length that was asked for. */
export type StepCount = { bucket: number; event: string; result: string; count: number }

const countedUntil = async (db: Db): Promise<number | undefined> =>
  (await db.selectFrom('audit_counted').select('auditCountedUntil').where('auditCountedName', '=', mark).executeTakeFirst())
    ?.auditCountedUntil

/** Where the counting begins: with the oldest row there is. */
const beginning = async (db: Db, now: number): Promise<number> => {
  const oldest = await db.selectFrom('audit').select('auditAt').orderBy('auditAt').limit(1).executeTakeFirst()
  return floor(oldest?.auditAt ?? now)
}

/**
 * Where what has been counted ends for certain when the mark stands in the future, because a clock was ahead once. Nothing was counted
 * after that clock was wrong but what bore later times, so the newest count up to now tells; rows beside it may have come since. What is
 * counted from there on is counted anew.
 */
const surelyUntil = async (db: Db, now: number): Promise<number> => {
  const newest = await db
    .selectFrom('audit_counts')
    .select('auditCountFrom')
    .where('auditCountFrom', '<=', now)
    .orderBy('auditCountFrom', 'desc')
    .limit(1)
    .executeTakeFirst()
  return floor(Math.min(newest?.auditCountFrom ?? (await beginning(db, now)), now) - settle)
}

/** Integers of both engines, which would else take what is bound for something smaller, or for a fraction. */
const whole = (n: number) => sql<number>`cast(${n} as bigint)`
const floor = (at: number) => at - (at % slot)

/** Says up to when rows are counted from now on. @returns whether nobody else has said so since it was read */
const moveMark = async (db: Db, before: number | undefined, auditCountedUntil: number): Promise<boolean> => {
  const moved =
    before === undefined
      ? await db
          .insertInto('audit_counted')
          .values({ auditCountedName: mark, auditCountedUntil })
          .onConflict(c => c.doNothing())
          .returning('auditCountedUntil')
          .executeTakeFirst()
      : await db
          .updateTable('audit_counted')
          .set({ auditCountedUntil })
          .where('auditCountedName', '=', mark)
          .where('auditCountedUntil', '=', before)
          .returning('auditCountedUntil')
          .executeTakeFirst()
  return moved !== undefined
}

/**
 * Counts rows of a stretch of time that is over, once: whoever moves the mark on counts, so that two servers never count the same. What
 * ended a moment ago only is left for later, for a row may be committed some time after the instant that it bears.
 * @returns whether there is more to count now
 */
export const countStretch = async (db: Db, now: number): Promise<boolean> => {
  const before = await countedUntil(db)
  if (before !== undefined && before > now) {
    const back = await surelyUntil(db, now)
    if (await moveMark(db, before, back)) await db.deleteFrom('audit_counts').where('auditCountFrom', '>=', back).execute()
    return true
  }
  const from = before ?? (await beginning(db, now))
  const until = Math.min(from + stretch, floor(now - settle))
  if (until <= from) return false
  if (!(await moveMark(db, before, until))) return true
  await db
    .insertInto('audit_counts')
    .columns(['auditCountFrom', 'auditCountEvent', 'auditCountResult', 'auditCountRows'])
    .expression(e =>
      e
        .selectFrom('audit')
        .select(s => [
          sql<number>`"auditAt" - "auditAt" % ${whole(slot)}`.as('slot'),
          'auditEvent',
          'auditResult',
          s.fn.countAll<number>().as('count'),
        ])
        .where('auditAt', '>=', from)
        .where('auditAt', '<', until)
        .where('auditEvent', 'in', steps)
        .groupBy(['slot', 'auditEvent', 'auditResult']),
    )
    .execute()
  return true
}

/**
 * Steps of sign-ins from an instant on, by times of equal length. What has not been counted yet is read from the audit itself. The audit
 * only grows, so that it does no harm if the mark is moved on meanwhile.
 */
export const readCounts = async (db: Db, from: number, until: number, length: number, now: number): Promise<StepCount[]> => {
  const marked = (await countedUntil(db)) ?? from
  const counted = marked > now ? await surelyUntil(db, now) : marked
  const middle = Math.min(Math.max(counted, from), until)
  const before = await countedRows(db, from, middle, length).execute()
  const since = await freshRows(db, from, middle, until, length).execute()
  return [...before, ...since].map(row => ({ ...row, bucket: Number(row.bucket), count: Number(row.count) }))
}

export const countedRows = (db: Db, from: number, until: number, length: number) =>
  db
    .selectFrom('audit_counts')
    .select(e => [
      sql<number>`("auditCountFrom" - ${whole(from)}) / ${whole(length)}`.as('bucket'),
      'auditCountEvent as event',
      'auditCountResult as result',
      e.fn.sum<number>('auditCountRows').as('count'),
    ])
    .where('auditCountFrom', '>=', from)
    .where('auditCountFrom', '<', until)
    .groupBy(['bucket', 'event', 'result'])

export const freshRows = (db: Db, from: number, since: number, until: number, length: number) =>
  db
    .selectFrom('audit')
    .select(e => [
      sql<number>`("auditAt" - ${whole(from)}) / ${whole(length)}`.as('bucket'),
      'auditEvent as event',
      'auditResult as result',
      e.fn.countAll<number>().as('count'),
    ])
    .where('auditAt', '>=', since)
    .where('auditAt', '<', until)
    .where('auditEvent', 'in', steps)
    .groupBy(['bucket', 'event', 'result'])

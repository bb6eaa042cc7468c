import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'
import { signInEvents } from './sign-in-steps.ts'

const { slot, settle, stretch } = limits.board

/**
 * The name of the row that stores until when the audit has been counted. It contains the counted events: a version that counts other
 * events finds no such row, so it counts the whole audit again. The server never purges the audit.
 */
const mark = `sign-ins: ${signInEvents.toSorted().join(' ')}`

/** How often a step had a result in one time slot. `bucket` is the index of the slot. */
export type StepCount = { bucket: number; event: string; result: string; count: number }

const countedUntil = async (db: Db): Promise<number | undefined> =>
  (await db.selectFrom('audit_counted').select('auditCountedUntil').where('auditCountedName', '=', mark).executeTakeFirst())
    ?.auditCountedUntil

/** Counting starts with the oldest audit row. */
const beginning = async (db: Db, now: number): Promise<number> => {
  const oldest = await db.selectFrom('audit').select('auditAt').orderBy('auditAt').limit(1).executeTakeFirst()
  return floor(oldest?.auditAt ?? now)
}

/**
 * Returns until when the counts are reliable if the mark lies in the future, because a server's clock was once ahead. The newest count
 * before `now` was made while the clocks were right, but its slot may have received more rows since. Everything after the returned
 * instant is counted again.
 */
const reliableUntil = async (db: Db, now: number): Promise<number> => {
  const newest = await db
    .selectFrom('audit_counts')
    .select('auditCountFrom')
    .where('auditCountFrom', '<=', now)
    .orderBy('auditCountFrom', 'desc')
    .limit(1)
    .executeTakeFirst()
  return floor(Math.min(newest?.auditCountFrom ?? (await beginning(db, now)), now) - settle)
}

/** Casts to a 64-bit integer. Without the cast PostgreSQL would infer a smaller integer, and SQLite a fraction. */
const whole = (n: number) => sql<number>`cast(${n} as bigint)`
const floor = (at: number) => at - (at % slot)

/**
 * Moves the mark: the time until which audit rows are counted.
 * @returns false if another server has moved it since it was read
 */
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
 * Counts the audit rows of the next stretch of time. Only the server that moves the mark counts, so two servers never count the same
 * rows. The newest rows wait, because a row may be committed some time after its timestamp.
 * @returns true if more rows can be counted now
 */
export const countStretch = async (db: Db, now: number): Promise<boolean> => {
  const before = await countedUntil(db)
  if (before !== undefined && before > now) {
    const back = await reliableUntil(db, now)
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
        .where('auditEvent', 'in', signInEvents)
        .groupBy(['slot', 'auditEvent', 'auditResult']),
    )
    // An earlier version may have counted these rows.
    .onConflict(c =>
      c
        .columns(['auditCountFrom', 'auditCountEvent', 'auditCountResult'])
        .doUpdateSet({ auditCountRows: e => e.ref('excluded.auditCountRows') }),
    )
    .execute()
  return true
}

/**
 * Returns the steps of sign-ins between two instants, by slots of equal length. Rows that are not counted yet are read from the audit.
 * The audit only grows, so the result stays correct if another server moves the mark meanwhile.
 */
export const readCounts = async (db: Db, from: number, until: number, length: number, now: number): Promise<StepCount[]> => {
  const marked = (await countedUntil(db)) ?? from
  const counted = marked > now ? await reliableUntil(db, now) : marked
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
    .where('auditEvent', 'in', signInEvents)
    .groupBy(['bucket', 'event', 'result'])

/** The distinct pairs of event and result among the sign-in steps within a period. */
export const listStepKinds = async (db: Db, from: number, until: number): Promise<{ event: string; result: string }[]> =>
  db
    .selectFrom('audit')
    .select(['auditEvent as event', 'auditResult as result'])
    .where('auditAt', '>=', from)
    .where('auditAt', '<', until)
    .where('auditEvent', 'in', signInEvents)
    .groupBy(['auditEvent', 'auditResult'])
    .execute()

/** Steps of some kinds within a period, newest first. */
export const listSteps = (
  db: Db,
  of: {
    from: number
    until: number
    kinds: readonly { event: string; result: string }[]
    after: { auditAt: number; auditId: string } | undefined
  },
  most: number,
) => {
  const { from, until, kinds, after } = of
  const rows = db
    .selectFrom('audit')
    .select(['auditId', 'auditAt', 'auditEvent', 'auditResult', 'auditTarget', 'auditAddress', 'auditUserAgent'])
    .where('auditAt', '>=', from)
    .where('auditAt', '<', until)
    .where(e => e.or(kinds.map(({ event, result }) => e.and([e('auditEvent', '=', event), e('auditResult', '=', result)]))))
    .orderBy('auditAt', 'desc')
    .orderBy('auditId', 'desc')
    .limit(most)
  return (
    after
      ? rows.where('auditAt', '<=', after.auditAt).where(e => e.or([e('auditAt', '<', after.auditAt), e('auditId', '<', after.auditId)]))
      : rows
  ).execute()
}

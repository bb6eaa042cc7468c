import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled.ts'
import type { Db, Row } from '../db/schema.ts'
import { preparedAs } from '../db/statement-marks.ts'
import type { Origin } from '../visitors/visitor.ts'
import type { AuditEvent, AuditResult } from './audit-events.ts'

/** Adds one row to the audit, which only grows. Nothing that goes in is a secret. */
export const record = async (
  db: Db,
  event: { event: AuditEvent; result: AuditResult; actor: string | null; target: string | null; now: number },
  origin: Origin | undefined,
): Promise<void> => {
  await insertRow(db, {
    auditId: randomUUID(),
    auditAt: event.now,
    auditEvent: event.event,
    auditActor: event.actor,
    auditTarget: event.target,
    auditResult: event.result,
    auditAddress: origin?.address ?? null,
    auditUserAgent: origin?.userAgent ?? null,
    auditRequestId: origin?.requestId ?? null,
  })
}

const insertRow = compiledOnce((db, row: Row<'audit'>) => db.insertInto('audit').values(row).modifyEnd(preparedAs('record-audit')))

/** Where the newest step of a user with one of these results came from, whichever call it was. */
export const lastOrigin = async (
  db: Db,
  results: readonly string[],
  auditTarget: string,
): Promise<{ address: string; userAgent: string }> => {
  const row = await db
    .selectFrom('audit')
    .select(['auditAddress', 'auditUserAgent'])
    .where('auditTarget', '=', auditTarget)
    .where('auditResult', 'in', results)
    .orderBy('auditAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { address: row?.auditAddress ?? '', userAgent: row?.auditUserAgent ?? '' }
}

/** Where to go on in a list that is read newest first. */
export type AuditPlace = { auditAt: number; auditId: string }
export type AuditRow = Row<'audit'>

/** Parts of a sign-in that its session's own row tells of, if it came to that. */
const onTheWay = {
  events: ['sign-in', 'one-time-link', 'second-factor', 'push-requested', 'push-answered', 'push-enrolled', 'push-refused', 'sso'],
  results: [
    'successful',
    'successful: TOTP',
    'successful: Push',
    'successful: Provider',
    'second-factor-required',
    'factor-creation-required',
    'approved',
    'enrolment: approved',
    'too-many',
    'signature',
    'replayed',
  ],
}

/**
 * What was done to a user and by him, newest first, each by an indexed read. What he did to others comes without their names. What was
 * refused was not done: to whom it was named it says nothing, and anybody could fill his list with it.
 * @param after the last row that is known already
 */
export const listActivity = async (db: Db, userId: string, after: AuditPlace | undefined, most: number): Promise<AuditRow[]> => {
  const newest = () => {
    const rows = db
      .selectFrom('audit')
      .selectAll()
      .where('auditResult', '!=', sql.lit('forbidden'))
      .where(e => e.or([e('auditEvent', 'not in', onTheWay.events), e('auditResult', 'not in', onTheWay.results)]))
      .orderBy('auditAt', 'desc')
      .orderBy('auditId', 'desc')
      .limit(most)
    if (!after) return rows
    const { auditAt, auditId } = after
    return rows.where('auditAt', '<=', auditAt).where(e => e.or([e('auditAt', '<', auditAt), e('auditId', '<', auditId)]))
  }
  const toUser = await newest().where('auditTarget', '=', userId).execute()
  // Said by columns, as the partial index says it.
  const byUser = await newest()
    .where('auditActor', '=', userId)
    .where(e => e.or([e('auditTarget', 'is', null), e('auditTarget', '!=', e.ref('auditActor'))]))
    .execute()
  const isOlder = (a: AuditRow, b: AuditRow) => b.auditAt - a.auditAt || (a.auditId < b.auditId ? 1 : -1)
  return [...toUser, ...byUser.map(row => ({ ...row, auditTarget: null }))].sort(isOlder).slice(0, most)
}

/** The newest rows about a user. */
export const listOf = (db: Db, auditTarget: string, most: number) =>
  db
    .selectFrom('audit')
    .select(['auditAt', 'auditEvent', 'auditResult', 'auditActor', 'auditAddress'])
    .where('auditTarget', '=', auditTarget)
    .orderBy('auditAt', 'desc')
    .limit(most)
    .execute()

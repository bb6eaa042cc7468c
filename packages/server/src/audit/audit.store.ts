import { randomUUID } from 'node:crypto'
import type { SsoProviderName } from '@gatehouse/wire'
import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled.ts'
import type { Db, Row } from '../db/schema.ts'
import { joinedToNext, preparedAs } from '../db/statement-marks.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../visitors/visitor.ts'
import type { AuditEvent, AuditResult } from './audit-events.ts'

/** Adds a row to the audit, which only grows. Rows contain no secrets. */
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
    auditSignIn: origin?.signIn ?? null,
  })
}

const insertRow = compiledOnce((db, row: Row<'audit'>) =>
  db.insertInto('audit').values(row).modifyEnd(preparedAs('record-audit')).modifyEnd(joinedToNext),
)

/** The instant of the newest row, where the history in a backup ends. */
export const newestAt = async (db: Db): Promise<number | undefined> => {
  const { at } = await db
    .selectFrom('audit')
    .select(e => e.fn.max('auditAt').as('at'))
    .executeTakeFirstOrThrow()
  return at === null ? undefined : Number(at)
}

/** Returns the client address and browser of a user's newest step with one of these results. */
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

/** Whether a user has ever had a session. The server never purges the audit. */
export const hasStartedSession = async (db: Db, userId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('audit')
    .select('auditId')
    .where('auditTarget', '=', userId)
    .where('auditEvent', '=', sql.lit('session-started'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The position after which the next page of a list, newest first, continues. */
export type AuditPlace = { auditAt: number; auditId: string }
export type AuditRow = Row<'audit'>

const passed = [
  'successful',
  'successful: TOTP',
  'successful: Push',
  'successful: Passkey',
  'successful: Provider',
  'second-factor-required',
  'factor-creation-required',
] as const satisfies AuditResult[]
const providers = ['google', 'azure', 'pak'] as const satisfies SsoProviderName[]

/**
 * Rows that the list omits: the successful steps of a sign-in, because the session has a separate row; requests for a phone approval
 * beyond the limit; and calls of a phone with a wrong signature or a used nonce. The list keeps the use of a recovery code, and refused
 * passkeys, for example with the result `signature`.
 */
const intermediateSteps: readonly { events: AuditEvent[]; results: AuditResult[] }[] = [
  {
    events: ['sign-in', 'sign-in-continued', 'one-time-link', 'second-factor', 'passkey-sign-in', 'passkey-second-factor'],
    results: [...passed],
  },
  { events: ['sso'], results: providers.flatMap(provider => passed.map(result => `${provider}: ${result}` as const)) },
  {
    events: ['push-requested', 'push-answered', 'push-enrolled', 'push-refused'],
    results: ['successful', 'approved', 'enrolment: approved', 'too-many', 'signature', 'replayed'],
  },
]

/**
 * Lists what happened to a user, and what the user did, newest first. Each is one indexed read. Rows about other users omit their names.
 * Omits forbidden requests: they changed nothing, and an attacker could fill the list with them.
 * @param after the last row of the previous page
 */
export const listActivity = async (db: Db, userId: string, after: AuditPlace | undefined, most: number): Promise<AuditRow[]> => {
  const newest = () => {
    const rows = db
      .selectFrom('audit')
      .selectAll()
      .where('auditResult', '!=', sql.lit('forbidden'))
      .where('auditEvent', '!=', sql.lit(looks))
      .where(e =>
        e.and(
          intermediateSteps.map(({ events, results }) => e.or([e('auditEvent', 'not in', events), e('auditResult', 'not in', results)])),
        ),
      )
      .orderBy('auditAt', 'desc')
      .orderBy('auditId', 'desc')
      .limit(most)
    if (!after) return rows
    const { auditAt, auditId } = after
    return rows.where('auditAt', '<=', auditAt).where(e => e.or([e('auditAt', '<', auditAt), e('auditId', '<', auditId)]))
  }
  const toUser = await newest().where('auditTarget', '=', userId).execute()
  // Compares columns, not parameters: only this form matches the partial index.
  const byUser = await newest()
    .where('auditActor', '=', userId)
    .where(e => e.or([e('auditTarget', 'is', null), e('auditTarget', '!=', e.ref('auditActor'))]))
    .execute()
  const isOlder = (a: AuditRow, b: AuditRow) => b.auditAt - a.auditAt || (a.auditId < b.auditId ? 1 : -1)
  return [...toUser, ...byUser.map(row => ({ ...row, auditTarget: null }))].sort(isOlder).slice(0, most)
}

/** Views by administrators. The list about a user omits them, because they would outnumber the actions. */
const looks = 'user-looked-up' satisfies AuditEvent

const aboutUser = (db: Db, auditTarget: string) =>
  db
    .selectFrom('audit')
    .select(['auditId', 'auditAt', 'auditEvent', 'auditResult', 'auditActor', 'auditAddress', 'auditUserAgent', 'auditSignIn'])
    .where('auditTarget', '=', auditTarget)
    .where('auditEvent', '!=', sql.lit(looks))

/** The newest rows about a user, newest first. If the oldest belongs to a sign-in, adds the other rows of that sign-in. */
export const listOf = async (db: Db, auditTarget: string, most: number) => {
  const rows = await aboutUser(db, auditTarget).orderBy('auditAt', 'desc').limit(most).execute()
  const last = rows.at(-1)
  if (rows.length < most || !last?.auditSignIn) return rows
  // The limit may have cut off earlier rows of the oldest sign-in.
  const { auditAt, auditSignIn } = last
  const known = new Set(rows.map(row => row.auditId))
  const rest = await aboutUser(db, auditTarget)
    .where('auditAt', '<=', auditAt)
    .where('auditAt', '>=', auditAt - limits.signInId.lifetime)
    .where('auditSignIn', '=', auditSignIn)
    .orderBy('auditAt', 'desc')
    .limit(most)
    .execute()
  return [...rows, ...rest.filter(row => !known.has(row.auditId))]
}

/** From how many addresses the newest wrong passwords of a user came. */
export const countWrongPasswordAddresses = async (db: Db, auditTarget: string, attempts: number): Promise<number> => {
  const rows = await db
    .selectFrom('audit')
    .select('auditAddress')
    .where('auditTarget', '=', auditTarget)
    .where('auditResult', '=', sql.lit('wrong-password'))
    .orderBy('auditAt', 'desc')
    .limit(attempts)
    .execute()
  return new Set(rows.map(row => row.auditAddress)).size
}

import { randomUUID } from 'node:crypto'
import type { Db } from './db/schema.ts'

export type AuditEvent =
  | 'sign-in'
  /** With the ticket that a one-time link or a provider left: what let the visitor in has a row of its own. */
  | 'sign-in-continued'
  | 'second-factor'
  | 'factor-verified'
  | 'factor-skipped'
  | 'factor-reset-requested'
  | 'factor-reset-opened'
  | 'factor-removed'
  | 'recovery-codes-made'
  | 'mail-requested'
  | 'one-time-link'
  | 'sso'
  | 'password-reset'
  | 'password-changed'
  | 'email-change-requested'
  | 'email-changed'
  | 'mail-dropped'
  | 'master-key-rotated'
  | 'session-started'
  | 'hand-over-refused'
  | 'session-forged'
  | 'sign-out'
  | 'sign-out-by-administrator'
  | 'user-added'
  | 'user-updated'
  | 'user-looked-up'
  | 'user-unlocked'
  | 'user-forced-reset'
  | 'user-deleted'
  /** Somebody who is no administrator asked for what is for administrators. */
  | 'administration'

/** Where an act came from; absent for the command line. */
export type Origin = { address: string; userAgent: string; requestId: string }

/** Adds one row to the audit, which only grows. Nothing that goes in is a secret. */
export const record = async (
  db: Db,
  event: { event: AuditEvent; result: string; actor: string | null; target: string | null; now: number },
  origin: Origin | undefined,
): Promise<void> => {
  await db
    .insertInto('audit')
    .values({
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
    .execute()
}

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

/** The newest rows about a user. */
export const listOf = (db: Db, auditTarget: string, most: number) =>
  db
    .selectFrom('audit')
    .select(['auditAt', 'auditEvent', 'auditResult', 'auditActor', 'auditAddress'])
    .where('auditTarget', '=', auditTarget)
    .orderBy('auditAt', 'desc')
    .limit(most)
    .execute()

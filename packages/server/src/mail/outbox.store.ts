import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { Keyring, Resealed, SealedCount } from '../keys/keyring.ts'
import { keyPrefix, resealRows } from '../keys/resealing.ts'
import { limits } from '../limits.ts'
import { encodeContent, type MailContent, type OutgoingMail, openContent } from './mail-content.ts'

export type QueuedMail = {
  mailId: string
  content: MailContent
  attempts: number
  created: number
  expires: number
  /** When the lease of the server that claimed the mail ends. */
  leased: number
}

export const insertMail = async (
  db: Db,
  keyring: Keyring,
  content: MailContent,
  times: { now: number; expires: number },
): Promise<void> => {
  const mailId = randomUUID()
  await db
    .insertInto('outbox')
    .values({
      mailId,
      mailContent: keyring.seal('mail', encodeContent(content), mailId),
      mailCreated: times.now,
      mailExpires: times.expires,
      mailAttempts: 0,
      mailNext: times.now,
      mailRefused: null,
    })
    .execute()
}

/**
 * Leases some mail that is due: if this process dies, another server takes the mail after the lease. Uses one statement, so two servers
 * never take the same mail.
 */
export const claim = async (db: Db, keyring: Keyring, most: number, now: number): Promise<{ taken: number; rows: QueuedMail[] }> => {
  const rows = await db
    .updateTable('outbox')
    .set(e => ({ mailNext: now + limits.mail.lease, mailAttempts: e('mailAttempts', '+', 1) }))
    .where('mailNext', '<=', now)
    .where('mailRefused', 'is', null)
    .where('mailId', 'in', e =>
      e.selectFrom('outbox').select('mailId').where('mailNext', '<=', now).where('mailRefused', 'is', null).orderBy('mailNext').limit(most),
    )
    .returningAll()
    .execute()
  const claimed = rows.map(row => ({ row, content: openContent(keyring, row) }))
  // A mail without its master key waits until it expires, and does not hold up the others.
  for (const { row, content } of claimed) if (content === undefined && row.mailExpires <= now) await remove(db, row.mailId)
  const readable = claimed.flatMap(({ row, content }) =>
    content === undefined
      ? []
      : [
          {
            mailId: row.mailId,
            content,
            attempts: row.mailAttempts,
            created: row.mailCreated,
            expires: row.mailExpires,
            leased: row.mailNext,
          },
        ],
  )
  return { taken: rows.length, rows: readable }
}

const idsOf = (mails: readonly QueuedMail[]) => mails.map(mail => mail.mailId)

/** Takes back the attempt that `claim` counted, and keeps the lease. */
export const hold = async (db: Db, mails: readonly QueuedMail[]): Promise<void> => {
  await db
    .updateTable('outbox')
    .set(e => ({ mailAttempts: e('mailAttempts', '-', 1) }))
    .where('mailAttempts', '>', 0)
    .where('mailId', 'in', idsOf(mails))
    .execute()
}

/** Restarts the lease of a held mail and counts an attempt, unless the lease has ended and another server took the mail. */
export const renew = async (db: Db, mail: QueuedMail, now: number): Promise<QueuedMail | undefined> => {
  const leased = now + limits.mail.lease
  const row = await db
    .updateTable('outbox')
    .set(e => ({ mailNext: leased, mailAttempts: e('mailAttempts', '+', 1) }))
    .where('mailId', '=', mail.mailId)
    .where('mailNext', '=', mail.leased)
    .returning('mailAttempts')
    .executeTakeFirst()
  return row && { ...mail, attempts: row.mailAttempts, leased }
}

/** Ends leases, so that any server can send these mails at once. */
export const release = async (db: Db, mails: readonly QueuedMail[], now: number): Promise<void> => {
  for (const [leased, group] of Map.groupBy(mails, mail => mail.leased))
    await db.updateTable('outbox').set({ mailNext: now }).where('mailNext', '=', leased).where('mailId', 'in', idsOf(group)).execute()
}

/** @returns whether the mail was still in the outbox */
export const remove = async (db: Db, mailId: string): Promise<boolean> =>
  (await db.deleteFrom('outbox').where('mailId', '=', mailId).returning('mailId').executeTakeFirst()) !== undefined

/**
 * Retries a mail after three times the last wait, but at most `longestWait`, and at most a quarter of the mail's remaining time or
 * `firstWait`, whichever is longer.
 */
export const postpone = async (db: Db, mail: Pick<QueuedMail, 'mailId' | 'attempts' | 'expires'>, now: number): Promise<void> => {
  const { firstWait, longestWait } = limits.mail
  const wait = Math.min(firstWait * 3 ** (mail.attempts - 1), longestWait, Math.max(firstWait, Math.round((mail.expires - now) / 4)))
  await db
    .updateTable('outbox')
    .set({ mailNext: now + wait })
    .where('mailId', '=', mail.mailId)
    .execute()
}

/** Keeps a permanently refused mail for administrators to see, without its content. */
export const refuse = async (
  db: Db,
  keyring: Keyring,
  { mailId, leased }: QueuedMail,
  refused: { mail: OutgoingMail; status: number },
  now: number,
): Promise<void> => {
  const { to, message } = refused.mail
  const shownUntil = now + limits.mail.refusedShown
  await db
    .updateTable('outbox')
    .set({
      mailContent: keyring.seal('mail', JSON.stringify({ to, message: { kind: message.kind } }), mailId),
      mailRefused: refused.status,
      mailNext: shownUntil,
      mailExpires: shownUntil,
    })
    .where('mailId', '=', mailId)
    .where('mailNext', '=', leased)
    .execute()
}

/** After the clock was set back, treats mail from the future as created now, and lets no mail wait longer than the longest wait. */
export const rebase = async (db: Db, now: number): Promise<void> => {
  const { longestWait } = limits.mail
  const { step } = limits.clockSkew
  await db
    .updateTable('outbox')
    .set({ mailCreated: now, mailNext: now, mailExpires: sql`"mailExpires" - "mailCreated" + cast(${now} as bigint)` })
    .where('mailRefused', 'is', null)
    .where('mailCreated', '>', now + step)
    .execute()
  await db
    .updateTable('outbox')
    .set({ mailNext: now })
    .where('mailRefused', 'is', null)
    .where('mailNext', '>', now + longestWait + step)
    .execute()
}

/** Deletes refused mail that administrators have had time to see. The mail sender drops other expired mail. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('outbox').where('mailRefused', 'is not', null).where('mailExpires', '<=', now).execute()
}

const count = async (db: Db, refused: 'is' | 'is not'): Promise<number> => {
  const { n } = await db
    .selectFrom('outbox')
    .select(sql<number>`count(*)`.as('n'))
    .where('mailRefused', refused, null)
    .executeTakeFirstOrThrow()
  return Number(n)
}
export const countWaiting = (db: Db): Promise<number> => count(db, 'is')
export const countRefused = (db: Db): Promise<number> => count(db, 'is not')

/** Counts the mail that waits, and how much of it has had more than one delivery attempt. */
export const countRetried = async (db: Db): Promise<{ waiting: number; retried: number }> => {
  const row = await db
    .selectFrom('outbox')
    // An attempt is counted when it begins, so with a count of 1 the first attempt may still be running.
    .select([sql<number>`count(*)`.as('waiting'), sql<number | null>`sum(case when "mailAttempts" > 1 then 1 else 0 end)`.as('retried')])
    .where('mailRefused', 'is', null)
    .executeTakeFirstOrThrow()
  return { waiting: Number(row.waiting), retried: Number(row.retried ?? 0) }
}

/** Lists refused mail, then mail that waits, the oldest first; without content where no master key opens it. */
export const listMails = async (db: Db, keyring: Keyring, most: number) => {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .orderBy(sql`case when "mailRefused" is null then 1 else 0 end`)
    .orderBy('mailCreated')
    .limit(most)
    .execute()
  return rows.map(({ mailContent, ...mail }) => ({ ...mail, content: openContent(keyring, { mailContent, ...mail }) }))
}

/** When the mail that has waited longest was queued. */
export const oldestWaiting = async (db: Db): Promise<number | undefined> => {
  const row = await db
    .selectFrom('outbox')
    .select('mailCreated')
    .where('mailRefused', 'is', null)
    .orderBy('mailCreated')
    .limit(1)
    .executeTakeFirst()
  return row?.mailCreated
}

const prefix = keyPrefix('mailContent')

/** Counts mails by the master key that encrypts them. */
export const countByKey = (db: Db): Promise<SealedCount[]> =>
  db
    .selectFrom('outbox')
    .select(e => [prefix.as('prefix'), e.fn.countAll<number>().as('count')])
    .groupBy(prefix)
    .execute()

/** Encrypts at most `most` mails with the current master key, in the order of their ids, starting after `after`. */
export const reseal = async (db: Db, keyring: Keyring, after: string, most: number): Promise<Resealed> => {
  const rows = await db
    .selectFrom('outbox')
    .select(['mailId', 'mailContent'])
    .where(prefix, '!=', keyring.prefix())
    .where('mailId', '>', after)
    .orderBy('mailId')
    .limit(most)
    .execute()
  return resealRows(rows, {
    id: row => row.mailId,
    owner: row => row.mailId,
    open: ({ mailId, mailContent }) => keyring.tryOpen('mail', mailContent, mailId),
    write: ({ mailId }, content) =>
      db
        .updateTable('outbox')
        .set({ mailContent: keyring.seal('mail', content, mailId) })
        .where('mailId', '=', mailId)
        .execute(),
  })
}

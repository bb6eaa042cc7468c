import { randomUUID } from 'node:crypto'
import type { SSOProvider } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { type Keyring, prefixLength, type Resealed, type SealedCount } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { MailMessage } from './messages.ts'

/** A mail to one reader. */
export type Letter = { to: string; message: MailMessage }
/**
 * Somebody asked for mail to this name, whoever has it. Whether anybody does is looked up later, so that the answer to the
 * asker takes the same time in either case.
 */
export type Wish = (
  | { wish: 'PasswordReset' | 'OneTimeLink'; ident: string }
  | { wish: 'SSOLink'; ident: string; provider: SSOProvider }
) & {
  /** A server of an older version queues none. */
  trace?: Trace
}
/** Where a request for mail came from: blinded networks, and the hash of the cookie of a browser that signed in before. */
export type Trace = { network: string; site?: string; browserHash?: string }
/** What is told once in a while: mails of a kind, or mails of a kind to some. */
type DueKind = MailMessage['kind'] | 'disabled' | 'sso-link-known'
export type Posted = {
  mailId: string
  content: Letter | Wish
  attempts: number
  created: number
  expires: number
  /** When the lease of the server that claimed it ends. */
  leased: number
}

/** The notices that tell of one's own account, and what each says besides when, from where and with what. */
export type Notice =
  | {
      kind:
        | 'factor-reset-held'
        | 'password-changed'
        | 'factor-added'
        | 'factor-reset-done'
        | 'factor-removed'
        | 'recovery-codes-anew'
        | 'wrong-codes'
    }
  | { kind: 'locked'; until: number | null }
  | { kind: 'recovery-code-used'; left: number }
  | { kind: 'push-paused'; why: 'denied' | 'unanswered' }
  | { kind: 'email-changed'; newEmail: string }
  | { kind: 'provider-linked' | 'provider-unlinked'; provider: SSOProvider }

type From = { address: string; userAgent: string }
type Reader = { userId: string; userIdent: string; userTZLabel: string }

/** An instant in words, in a time zone that is named with it. */
const inWords = (instant: number, timeZone: string) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(instant)} (${timeZone})`

const prefixOfContent = sql<string>`substr("mailContent", 1, ${sql.lit(prefixLength)})`

/** Mail on its way out. It is a row in the transaction of what it tells of: both happen or neither does. */
export const createMail = (deps: { keyring: Keyring; now: () => number; administrators: readonly string[] }) => {
  const { keyring, now, administrators } = deps

  const post = async (db: Db, content: Letter | Wish, expires: number): Promise<void> => {
    const mailId = randomUUID()
    await db
      .insertInto('outbox')
      .values({
        mailId,
        mailContent: keyring.seal('mail', JSON.stringify(content), mailId),
        mailCreated: now(),
        mailExpires: expires,
        mailAttempts: 0,
        mailNext: now(),
        mailRefused: null,
      })
      .execute()
  }

  /** @param expires when there is no sense in sending it any more; without it, after some days */
  const queue = (db: Db, letter: Letter, expires = now() + limits.mail.giveUp): Promise<void> => post(db, letter, expires)

  const queueWish = (db: Db, wish: Wish): Promise<void> => post(db, wish, now() + limits.mailLink.passwordReset)

  /** Queues a request for mail that finds no account, so that a call that must not send takes as long as one that sends. */
  const queueNothing = (db: Db): Promise<void> => queueWish(db, { wish: 'PasswordReset', ident: '' })

  /** Tells a user what was done to the account, without a secret. */
  const notify = (db: Db, reader: Reader, notice: Notice, from: From): Promise<void> => {
    const at = { at: inWords(now(), reader.userTZLabel), address: from.address, userAgent: from.userAgent }
    const until = 'until' in notice && notice.until !== null ? inWords(notice.until, reader.userTZLabel) : null
    const message: MailMessage = notice.kind === 'locked' ? { kind: 'locked', until, ...at } : { ...notice, ...at }
    return queue(db, { to: reader.userIdent, message })
  }

  /** Whether it is time again to tell a user something of a kind, which counts as done with this. */
  const isDue = async (db: Db, noticeUser: string, noticeKind: DueKind, every: number): Promise<boolean> =>
    (await db
      .insertInto('notices')
      .values({ noticeUser, noticeKind, noticeAt: now() })
      .onConflict(c =>
        c
          .columns(['noticeUser', 'noticeKind'])
          .doUpdateSet({ noticeAt: now() })
          .where('notices.noticeAt', '<=', now() - every),
      )
      .returning('noticeAt')
      .executeTakeFirst()) !== undefined

  /** The same, but at most once a day: what others can provoke must not fill a mailbox. */
  const notifyOnce = async (
    db: Db,
    reader: Reader,
    notice: Notice,
    from: From,
    as: Notice['kind'] | 'disabled' = notice.kind,
  ): Promise<void> => {
    if (await isDue(db, reader.userId, as, limits.mail.noticeEvery)) await notify(db, reader, notice, from)
  }

  const tellAdministrators = async (
    db: Db,
    notice:
      | { kind: 'factor-skipped'; who: string; skips: number }
      | { kind: 'factor-reset-of'; who: string }
      | { kind: 'push-paused-of'; who: string; why: 'denied' | 'unanswered' },
    from: From,
  ): Promise<void> => {
    for (const to of administrators) {
      await queue(db, { to, message: { ...notice, at: inWords(now(), 'UTC'), address: from.address } })
    }
  }

  /**
   * Takes some mail that is due, for a while: if nothing comes of it, because this process dies, somebody else takes it
   * after that. In one statement, so that two servers never take the same.
   */
  const claim = async (db: Db, most: number): Promise<{ taken: number; rows: Posted[] }> => {
    const due = now()
    const rows = await db
      .updateTable('outbox')
      .set(e => ({ mailNext: due + limits.mail.lease, mailAttempts: e('mailAttempts', '+', 1) }))
      .where('mailNext', '<=', due)
      .where('mailRefused', 'is', null)
      .where('mailId', 'in', e =>
        e
          .selectFrom('outbox')
          .select('mailId')
          .where('mailNext', '<=', due)
          .where('mailRefused', 'is', null)
          .orderBy('mailNext')
          .limit(most),
      )
      .returningAll()
      .execute()
    const claimed = rows.map(row => ({ row, content: keyring.tryOpen('mail', row.mailContent, row.mailId) }))
    // One that cannot be opened must not keep back the others. It waits for its master key until it expires.
    for (const { row, content } of claimed) if (content === undefined && row.mailExpires <= due) await remove(db, row.mailId)
    const readable = claimed.flatMap(({ row, content }) =>
      content === undefined
        ? []
        : [
            {
              mailId: row.mailId,
              content: JSON.parse(content),
              attempts: row.mailAttempts,
              created: row.mailCreated,
              expires: row.mailExpires,
              leased: row.mailNext,
            },
          ],
    )
    return { taken: rows.length, rows: readable }
  }

  /** Takes the attempt back that the claim counted, and keeps the lease. */
  const hold = async (db: Db, posted: readonly Posted[]): Promise<void> => {
    await db
      .updateTable('outbox')
      .set(e => ({ mailAttempts: e('mailAttempts', '-', 1) }))
      .where('mailAttempts', '>', 0)
      .where(
        'mailId',
        'in',
        posted.map(mail => mail.mailId),
      )
      .execute()
  }

  /** Starts the lease of a held mail again and counts an attempt, unless the lease has ended and another server took the mail. */
  const renew = async (db: Db, posted: Posted): Promise<Posted | undefined> => {
    const leased = now() + limits.mail.lease
    const row = await db
      .updateTable('outbox')
      .set(e => ({ mailNext: leased, mailAttempts: e('mailAttempts', '+', 1) }))
      .where('mailId', '=', posted.mailId)
      .where('mailNext', '=', posted.leased)
      .returning('mailAttempts')
      .executeTakeFirst()
    return row && { ...posted, attempts: row.mailAttempts, leased }
  }

  /** Ends leases, so that any server can send these mails at once. */
  const release = async (db: Db, posted: readonly Posted[]): Promise<void> => {
    for (const [leased, mails] of Map.groupBy(posted, mail => mail.leased)) {
      await db
        .updateTable('outbox')
        .set({ mailNext: now() })
        .where('mailNext', '=', leased)
        .where(
          'mailId',
          'in',
          mails.map(mail => mail.mailId),
        )
        .execute()
    }
  }

  /** It is sent, or there is no sense in sending it any more. @returns whether it was there still */
  const remove = async (db: Db, mailId: string): Promise<boolean> =>
    (await db.deleteFrom('outbox').where('mailId', '=', mailId).returning('mailId').executeTakeFirst()) !== undefined

  /** It could not be sent: it waits, three times as long as before, but never for most of the time that it has left. */
  const postpone = async (db: Db, { mailId, attempts, expires }: Pick<Posted, 'mailId' | 'attempts' | 'expires'>): Promise<void> => {
    const { firstWait, longestWait } = limits.mail
    const wait = Math.min(firstWait * 3 ** (attempts - 1), longestWait, Math.max(firstWait, Math.round((expires - now()) / 4)))
    await db
      .updateTable('outbox')
      .set({ mailNext: now() + wait })
      .where('mailId', '=', mailId)
      .execute()
  }

  /** The mail server refused the recipient for good: the mail is kept for administrators to see, without what is in it. */
  const refuse = async (db: Db, { mailId, leased }: Posted, { to, message: { kind } }: Letter, status: number): Promise<void> => {
    const shownUntil = now() + limits.mail.refusedShown
    await db
      .updateTable('outbox')
      .set({
        mailContent: keyring.seal('mail', JSON.stringify({ to, message: { kind } }), mailId),
        mailRefused: status,
        mailNext: shownUntil,
        mailExpires: shownUntil,
      })
      .where('mailId', '=', mailId)
      .where('mailNext', '=', leased)
      .execute()
  }

  /** After a step of the clock back, a mail from the future was written now, and no mail waits for longer than the longest wait. */
  const rebase = async (db: Db): Promise<void> => {
    const at = now()
    const { longestWait } = limits.mail
    const { step } = limits.clockSkew
    await db
      .updateTable('outbox')
      .set({ mailCreated: at, mailNext: at, mailExpires: sql`"mailExpires" - "mailCreated" + cast(${at} as bigint)` })
      .where('mailRefused', 'is', null)
      .where('mailCreated', '>', at + step)
      .execute()
    await db
      .updateTable('outbox')
      .set({ mailNext: at })
      .where('mailRefused', 'is', null)
      .where('mailNext', '>', at + longestWait + step)
      .execute()
  }

  const purgeRefused = async (db: Db): Promise<void> => {
    await db.deleteFrom('outbox').where('mailRefused', 'is not', null).where('mailExpires', '<=', now()).execute()
  }

  const count = async (db: Db, refused: 'is' | 'is not'): Promise<number> => {
    const { n } = await db
      .selectFrom('outbox')
      .select(sql<number>`count(*)`.as('n'))
      .where('mailRefused', refused, null)
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  const countWaiting = (db: Db): Promise<number> => count(db, 'is')
  const countRefused = (db: Db): Promise<number> => count(db, 'is not')

  /** How many mails wait, and how many of them could not be sent at the first try. */
  const countTried = async (db: Db): Promise<{ waiting: number; triedInVain: number }> => {
    const row = await db
      .selectFrom('outbox')
      // The first try is counted when it begins.
      .select([
        sql<number>`count(*)`.as('waiting'),
        sql<number | null>`sum(case when "mailAttempts" > 1 then 1 else 0 end)`.as('triedInVain'),
      ])
      .where('mailRefused', 'is', null)
      .executeTakeFirstOrThrow()
    return { waiting: Number(row.waiting), triedInVain: Number(row.triedInVain ?? 0) }
  }

  /** Mail that was refused for good, then mail that waits, the oldest first; without content where it cannot be opened. */
  const listWaiting = async (db: Db, most: number) => {
    const rows = await db
      .selectFrom('outbox')
      .selectAll()
      .orderBy(sql`case when "mailRefused" is null then 1 else 0 end`)
      .orderBy('mailCreated')
      .limit(most)
      .execute()
    return rows.map(({ mailContent, ...waits }) => {
      const content = keyring.tryOpen('mail', mailContent, waits.mailId)
      return { ...waits, content: content === undefined ? undefined : (JSON.parse(content) as Letter | Wish) }
    })
  }

  /** When the mail was posted that has waited longest. */
  const oldestWaiting = async (db: Db): Promise<number | undefined> => {
    const row = await db
      .selectFrom('outbox')
      .select('mailCreated')
      .where('mailRefused', 'is', null)
      .orderBy('mailCreated')
      .limit(1)
      .executeTakeFirst()
    return row?.mailCreated
  }

  /** How many mails there are under each master key. */
  const countByKey = (db: Db): Promise<SealedCount[]> =>
    db
      .selectFrom('outbox')
      .select(e => [prefixOfContent.as('prefix'), e.fn.countAll<number>().as('count')])
      .groupBy(prefixOfContent)
      .execute()

  /** Seals at most `most` mails anew that are not under the current key, in the order of their ids from `after` on. */
  const reseal = async (db: Db, after: string, most: number): Promise<Resealed> => {
    const rows = await db
      .selectFrom('outbox')
      .select(['mailId', 'mailContent'])
      .where(prefixOfContent, '!=', keyring.prefix())
      .where('mailId', '>', after)
      .orderBy('mailId')
      .limit(most)
      .execute()
    const unreadable: string[] = []
    for (const { mailId, mailContent } of rows) {
      const content = keyring.tryOpen('mail', mailContent, mailId)
      if (content === undefined) unreadable.push(mailId)
      else
        await db
          .updateTable('outbox')
          .set({ mailContent: keyring.seal('mail', content, mailId) })
          .where('mailId', '=', mailId)
          .execute()
    }
    return { last: rows.at(-1)?.mailId, sealed: rows.length - unreadable.length, unreadable }
  }

  return {
    queue,
    queueWish,
    queueNothing,
    isDue,
    notify,
    notifyOnce,
    tellAdministrators,
    claim,
    hold,
    renew,
    release,
    remove,
    postpone,
    refuse,
    rebase,
    purgeRefused,
    countWaiting,
    countRefused,
    countTried,
    listWaiting,
    oldestWaiting,
    countByKey,
    reseal,
  }
}
export type Mail = ReturnType<typeof createMail>

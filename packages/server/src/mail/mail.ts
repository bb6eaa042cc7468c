import { dateTimeFormat } from '@gatehouse/wire'
import type { Db } from '../db/schema.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { AdministratorNotice } from './administrator-notices.ts'
import type { MailRequest, OutgoingMail } from './mail-content.ts'
import { claimNotice } from './notices.store.ts'
import type { Notice } from './notices.ts'
import { insertMail } from './outbox.store.ts'

type Origin = { address: string; userAgent: string }
type Recipient = { userId: string; userIdent: string; userTZLabel: string }

const timeText = (instant: number, timeZone: string) => `${dateTimeFormat(timeZone).dateTime(instant)} (${timeZone})`

/** A notice with its instants as text in the recipient's time zone. */
const inWords = (notice: Notice<number>, timeZone: string): Notice<string> => {
  switch (notice.kind) {
    case 'locked':
      return { ...notice, until: notice.until === null ? null : timeText(notice.until, timeZone) }
    case 'pass-ends':
      return { ...notice, ends: timeText(notice.ends, timeZone) }
    default:
      return notice
  }
}

/** Composes mail and queues it in the transaction of the change that it reports: both happen, or neither. */
export const createMail = (deps: { keyring: Keyring; now: () => number; administrators: readonly string[] }) => {
  const { keyring, now, administrators } = deps

  /** @param expires when sending the mail no longer makes sense */
  const queue = (db: Db, mail: OutgoingMail, expires = now() + limits.mail.giveUp): Promise<void> =>
    insertMail(db, keyring, mail, { now: now(), expires })

  const queueRequest = (db: Db, request: MailRequest): Promise<void> =>
    insertMail(db, keyring, request, { now: now(), expires: now() + limits.mailLink.passwordReset })

  /** Queues a request that matches no account, so that a call that must not send mail takes as long as one that does. */
  const queueDecoy = (db: Db): Promise<void> => queueRequest(db, { request: 'PasswordReset', ident: '' })

  /** Tells a user what was done to their account. A notice holds no secret. */
  const notify = (db: Db, to: Recipient, notice: Notice<number>, from: Origin): Promise<void> => {
    const happening = { at: timeText(now(), to.userTZLabel), address: from.address, userAgent: from.userAgent }
    return queue(db, { to: to.userIdent, message: { ...inWords(notice, to.userTZLabel), ...happening } })
  }

  /** Notifies at most once a day for each kind, because attackers could otherwise fill the mailbox. */
  const notifyDaily = async (
    db: Db,
    to: Recipient,
    notice: Notice<number>,
    from: Origin,
    kind: Notice<number>['kind'] | 'disabled' = notice.kind,
  ): Promise<void> => {
    if (await claimNotice(db, { userId: to.userId, kind }, limits.mail.noticeEvery, now())) await notify(db, to, notice, from)
  }

  const notifyAdministrators = async (db: Db, notice: AdministratorNotice, from: Origin): Promise<void> => {
    for (const to of administrators) await queue(db, { to, message: { ...notice, at: timeText(now(), 'UTC'), address: from.address } })
  }

  return { queue, queueRequest, queueDecoy, notify, notifyDaily, notifyAdministrators }
}
export type Mail = ReturnType<typeof createMail>

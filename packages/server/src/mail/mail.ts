import { dateTimeFormat } from '@gatehouse/wire'
import type { Db } from '../db/schema.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { ServerLanguage, ServerLanguages } from '../texts/server-languages.ts'
import * as accounts from '../users/users.store.ts'
import type { AdministratorNotice } from './administrator-notices.ts'
import type { MailRequest, OutgoingMail } from './mail-content.ts'
import type { MailMessage } from './messages.ts'
import { claimNotice } from './notices.store.ts'
import type { Notice } from './notices.ts'
import { insertMail } from './outbox.store.ts'

type Origin = { address: string; userAgent: string }
type Reader = Parameters<ServerLanguages['of']>[0]
type Recipient = Required<Reader> & { userId: string; userIdent: string; userTZLabel: string }

const timeText = (instant: number, timeZone: string, { tag, texts }: ServerLanguage) =>
  texts.mails.frame.time(dateTimeFormat(timeZone, tag).dateTime(instant), timeZone)

/** A notice with its instants as text in the recipient's time zone. */
const inWords = (notice: Notice<number>, timeZone: string, language: ServerLanguage): Notice<string> => {
  switch (notice.kind) {
    case 'locked':
      return { ...notice, until: notice.until === null ? null : timeText(notice.until, timeZone, language) }
    case 'pass-ends':
      return { ...notice, ends: timeText(notice.ends, timeZone, language) }
    default:
      return notice
  }
}

/** A notice to administrators with its instants as text in UTC. */
const inWordsOfUtc = (notice: AdministratorNotice<number>, language: ServerLanguage): AdministratorNotice<string> => {
  switch (notice.kind) {
    case 'service-pass-ends':
      return { ...notice, ends: timeText(notice.ends, 'UTC', language) }
    case 'door-alarm':
    case 'door-alarm-ended':
      return { ...notice, since: timeText(notice.since, 'UTC', language) }
    default:
      return notice
  }
}

/** Composes mail and queues it in the transaction of the change that it reports: both happen, or neither. */
export const createMail = (deps: { keyring: Keyring; now: () => number; administrators: readonly string[]; texts: ServerLanguages }) => {
  const { keyring, now, administrators, texts } = deps

  const insert = (db: Db, mail: OutgoingMail, expires = now() + limits.mail.giveUp): Promise<void> =>
    insertMail(db, keyring, mail, { now: now(), expires })

  /**
   * Queues a mail in the language of its reader.
   * @param expires when sending the mail no longer makes sense
   */
  const queue = (db: Db, reader: Reader, mail: { to: string; message: MailMessage }, expires?: number): Promise<void> =>
    insert(db, { ...mail, language: texts.of(reader).tag }, expires)

  const queueRequest = (db: Db, request: MailRequest): Promise<void> =>
    insertMail(db, keyring, request, { now: now(), expires: now() + limits.mailLink.passwordReset })

  /** Queues a request that matches no account, so that a call that must not send mail takes as long as one that does. */
  const queueDecoy = (db: Db): Promise<void> => queueRequest(db, { request: 'PasswordReset', ident: '' })

  /** Tells a user what was done to their account. A notice holds no secret. */
  const notify = (db: Db, to: Recipient, notice: Notice<number>, from: Origin): Promise<void> => {
    const language = texts.of(to)
    const happening = { at: timeText(now(), to.userTZLabel, language), address: from.address, userAgent: from.userAgent }
    return insert(db, { to: to.userIdent, message: { ...inWords(notice, to.userTZLabel, language), ...happening }, language: language.tag })
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

  /** Each administrator gets the mail in their own language. An administrator who has no account yet gets the server's default. */
  const notifyAdministrators = async (db: Db, notice: AdministratorNotice<number>, from: Origin): Promise<void> => {
    const readers = new Map((await accounts.listByIdents(db, administrators)).map(account => [account.userIdent, account]))
    for (const to of administrators) {
      const language = texts.of(readers.get(to) ?? {})
      const message = { ...inWordsOfUtc(notice, language), at: timeText(now(), 'UTC', language), address: from.address }
      await insert(db, { to, message, language: language.tag })
    }
  }

  return { queue, queueRequest, queueDecoy, notify, notifyDaily, notifyAdministrators }
}
export type Mail = ReturnType<typeof createMail>

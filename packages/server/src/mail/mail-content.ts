import type { SSOProvider } from '@gatehouse/wire'
import type { Row } from '../db/schema.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { AskingBrowser } from './link-mails.ts'
import type { MailMessage } from './messages.ts'

/** `language` is the reader's. Missing in mails that an older version queued. */
export type OutgoingMail = { to: string; message: MailMessage; language?: string }

/**
 * A visitor's request for mail to a username. The mail sender looks the username up later, so the time of the response does not reveal
 * whether the account exists.
 */
export type MailRequest = (
  | { request: 'PasswordReset'; ident: string }
  | { request: 'OneTimeLink'; ident: string; from?: AskingBrowser; wait?: MailWaiting }
  | { request: 'SSOLink'; ident: string; provider: SSOProvider }
) & {
  /** Missing in requests that an older version queued. */
  trace?: RequestTrace
}

/**
 * Where a request for mail came from: its networks, hidden by an HMAC that differs for each username, and the hash of the cookie of a
 * browser that signed in before.
 */
export type RequestTrace = { network: string; site?: string; browserHash?: string }

/** The hash of the cookie of a browser that waits for the link, and the number that its tab shows. */
type MailWaiting = { binding: string; number: string }

export type MailContent = OutgoingMail | MailRequest

// Rows name a request `wish`. Don't rename it: servers of the previous version share the outbox during a rolling upgrade, and no migration
// can change the encrypted content.
export const encodeContent = (content: MailContent): string => {
  if ('message' in content) return JSON.stringify(content)
  const { request: wish, ...rest } = content
  return JSON.stringify({ wish, ...rest })
}
const decode = (text: string): MailContent => {
  const { wish, ...rest } = JSON.parse(text)
  return wish === undefined ? rest : { request: wish, ...rest }
}

/** Decrypts the content of a row; `undefined` where no master key opens it. */
export const openContent = (
  keyring: Keyring,
  { mailId, mailContent }: Pick<Row<'outbox'>, 'mailId' | 'mailContent'>,
): MailContent | undefined => {
  const text = keyring.tryOpen('mail', mailContent, mailId)
  return text === undefined ? undefined : decode(text)
}

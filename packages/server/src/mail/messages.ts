import { type AdministratorNotice, administratorNoticeBody, type Incident } from './administrator-notices.ts'
import { htmlOf, type MailBody, type Product, textOf } from './layout.ts'
import { type LinkMail, linkMailBody } from './link-mails.ts'
import { type Happening, type Notice, noticeBody } from './notices.ts'
import { oneLine } from './values.ts'

/** Every mail that the server sends. The outbox stores these values, so a change of their names must still read old rows. */
export type MailMessage = LinkMail | (Notice<string> & Happening) | (AdministratorNotice & Incident)

const bodyOf = (message: MailMessage, name: string): MailBody => {
  switch (message.kind) {
    case 'password-reset':
    case 'invitation':
    case 'one-time-link':
    case 'sso-link':
    case 'factor-reset':
    case 'email-change':
      return linkMailBody(message, name)
    case 'password-changed':
    case 'email-changed':
    case 'locked':
    case 'wrong-codes':
    case 'factor-added':
    case 'factor-removed':
    case 'factor-reset-done':
    case 'factor-reset-held':
    case 'recovery-codes-anew':
    case 'recovery-code-used':
    case 'provider-linked':
    case 'provider-unlinked':
    case 'push-paused':
    case 'pass-created':
    case 'pass-ends':
    case 'passkey-added':
    case 'passkey-added-automatically':
    case 'passkey-removed':
    case 'passkey-copied':
      return noticeBody(message, name)
    case 'factor-skipped':
    case 'factor-reset-of':
    case 'push-paused-of':
    case 'service-pass-created':
    case 'service-pass-ends':
    case 'door-alarm':
    case 'door-alarm-ended':
      return administratorNoticeBody(message, name)
  }
}

/** Writes a mail. It links only to `product`'s addresses, which the operator configured, and to the message's own link. */
export const writeMail = (message: MailMessage, product: Product) => {
  const ours = { ...product, name: oneLine(product.name) }
  const body = bodyOf(message, ours.name)
  const about = body.about ? `: ${body.about}` : ''
  return { subject: `${body.title}${about} · ${ours.name}`, text: textOf(body, ours), html: htmlOf(body, ours) }
}

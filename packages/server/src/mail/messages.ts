import { english, type ServerLanguage } from '../texts/server-languages.ts'
import type { ServerTexts } from '../texts/server-texts.ts'
import { type AdministratorNotice, administratorNoticeBody, type Incident } from './administrator-notices.ts'
import { htmlOf, type MailBody, type Product } from './layout.ts'
import { type LinkMail, linkMailBody } from './link-mails.ts'
import { type Happening, type Notice, noticeBody } from './notices.ts'
import { textOf } from './plain-layout.ts'
import { oneLine } from './values.ts'

/**
 * Every mail that the server sends. Never rename a kind, even an odd one such as `recovery-codes-anew`. The outbox stores kinds
 * encrypted, so no migration can rename them. During a rolling upgrade, servers of the previous version send what this one has queued.
 */
export type MailMessage = LinkMail | (Notice<string> & Happening) | (AdministratorNotice<string> & Incident)

const bodyOf = (message: MailMessage, texts: ServerTexts, name: string): MailBody => {
  switch (message.kind) {
    case 'password-reset':
    case 'invitation':
    case 'one-time-link':
    case 'sso-link':
    case 'factor-reset':
    case 'email-change':
      return linkMailBody(message, texts.mails, name)
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
      return noticeBody(message, texts.mails, name)
    case 'factor-skipped':
    case 'factor-reset-of':
    case 'push-paused-of':
    case 'service-pass-created':
    case 'service-pass-ends':
    case 'door-alarm':
    case 'door-alarm-ended':
      return administratorNoticeBody(message, texts, name)
  }
}

/** Writes a mail. It links only to `product`'s addresses, which the operator configured, and to the message's own link. */
export const writeMail = (message: MailMessage, product: Product, { tag, texts }: ServerLanguage = english) => {
  const ours = { ...product, name: oneLine(product.name) }
  const body = bodyOf(message, texts, ours.name)
  const { frame } = texts.mails
  const subject = body.about ? frame.subjectAbout(body.title, body.about, ours.name) : frame.subject(body.title, ours.name)
  return { subject, text: textOf(body, ours, { tag, frame }), html: htmlOf(body, ours, { tag, frame }) }
}

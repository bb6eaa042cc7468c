import type { SSOProvider } from '@gatehouse/wire'
import type { MailTexts } from '../texts/mail-texts.ts'
import { providerNames } from '../texts/provider-names.ts'
import type { MailBody } from './layout.ts'
import { printed, printedBrowser, printedIp } from './values.ts'

/** The browser that requested a one-time link, which the mail names. Missing in requests that an older version queued. */
export type AskingBrowser = { address: string; userAgent: string }

/** Mail with a link for the user to open. Every link is a secret, except that of `sso-link`, which leads to a provider. */
export type LinkMail =
  | { kind: 'password-reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; hours: number }
  /**
   * `from`: the browser that requested the link. `asksNumber`: if another browser opens the link, its page asks for the number in the
   * waiting tab.
   */
  | { kind: 'one-time-link'; link: string; minutes: number; from?: AskingBrowser; asksNumber?: boolean; code?: string }
  | { kind: 'sso-link'; link: string; provider: SSOProvider }
  | { kind: 'factor-reset'; link: string; minutes: number }
  /** Sent to the new address. */
  | { kind: 'email-change'; link: string; minutes: number; account: string }

/** @param name the product's name */
export const linkMailBody = (message: LinkMail, { links, facts }: MailTexts, name: string): MailBody => {
  const { lastsMinutes, lastsHours } = links
  switch (message.kind) {
    case 'password-reset':
    case 'invitation': {
      const { title, preview, text, action, advice } = links[message.kind]
      const note = message.kind === 'invitation' ? lastsHours(message.hours) : lastsMinutes(message.minutes)
      return { title, preview: preview(name), paragraphs: [text(name)], action: { label: action, link: message.link, note }, advice }
    }
    case 'one-time-link': {
      const { title, preview, text, action, advice, lastsMinutesAsksNumber, code, codeNote } = links[message.kind]
      const lasts = message.asksNumber ? lastsMinutesAsksNumber : lastsMinutes
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name)],
        action: { label: action, link: message.link, note: lasts(message.minutes) },
        ...(message.code !== undefined && { code: { label: code, value: message.code, note: codeNote } }),
        ...(message.from && {
          facts: [
            [facts.askedFrom, printedBrowser(message.from.userAgent, facts)],
            [facts.ipAddress, printedIp(message.from.address, facts)],
          ],
        }),
        advice,
      }
    }
    case 'sso-link': {
      const provider = providerNames[message.provider]
      const { title, preview, text, action, note, advice } = links[message.kind]
      return {
        title: title(provider),
        preview: preview(name, provider),
        paragraphs: [text(name, provider)],
        action: { label: action(provider), link: message.link, note },
        advice,
      }
    }
    case 'factor-reset': {
      const { title, preview, text, still, action, advice } = links[message.kind]
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name), still],
        action: { label: action, link: message.link, note: lastsMinutes(message.minutes) },
        advice: { ...advice, visit: true },
      }
    }
    case 'email-change': {
      const { title, preview, text, action, advice } = links[message.kind]
      return {
        title,
        preview: preview(name),
        paragraphs: [text(name, printed(message.account))],
        action: { label: action, link: message.link, note: lastsMinutes(message.minutes) },
        advice,
      }
    }
  }
}

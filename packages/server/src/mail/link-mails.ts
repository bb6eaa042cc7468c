import type { SSOProvider } from '@gatehouse/wire'
import type { MailBody } from './layout.ts'
import { notYou, providerNames } from './phrases.ts'
import { printed, printedBrowser, printedIp } from './values.ts'

/** The browser that asked for a one-time link, for the mail to name. Missing in requests that an older version queued. */
export type AskingBrowser = { address: string; userAgent: string }

/** Mail whose link does something. Every link is a secret, except that of `sso-link`, which leads to a provider. */
export type LinkMail =
  | { kind: 'password-reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; hours: number }
  /** `from`: the browser that asked; `asksNumber`: whether the link asks for the waiting tab's number in another browser. */
  | { kind: 'one-time-link'; link: string; minutes: number; from?: AskingBrowser; asksNumber?: boolean; code?: string }
  | { kind: 'sso-link'; link: string; provider: SSOProvider }
  | { kind: 'factor-reset'; link: string; minutes: number }
  /** To the new address. */
  | { kind: 'email-change'; link: string; minutes: number; account: string }

const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

const lastsFor = (lifetime: string) => `This link expires in ${lifetime} and works once. A newer email replaces it.`

const asksFor = ' In another browser, it asks for the number that the tab shows where you asked.'

const unasked = (text: string) => ({ title: 'If you didn’t ask for this', text })

/** @param name the product's */
export const linkMailBody = (message: LinkMail, name: string): MailBody => {
  switch (message.kind) {
    case 'password-reset':
      return {
        title: 'Reset your password',
        preview: `Choose a new password for your ${name} account.`,
        paragraphs: [
          `Someone asked to reset the password of your ${name} account. When you choose a new password, you’re signed out everywhere.`,
        ],
        action: { label: 'Choose a new password', link: message.link, note: lastsFor(counted(message.minutes, 'minute')) },
        advice: unasked('You can ignore this email. Your password hasn’t changed.'),
      }
    case 'invitation':
      return {
        title: 'Set up your account',
        preview: `You have a ${name} account. Choose a password to get started.`,
        paragraphs: [`An administrator created a ${name} account for you. Choose a password, then sign in with it and this email address.`],
        action: { label: 'Choose a password', link: message.link, note: lastsFor(counted(message.hours, 'hour')) },
        advice: {
          title: 'If you didn’t expect this',
          text: 'You can ignore this email. If you’re not sure, ask your administrator before you open the link.',
        },
      }
    case 'one-time-link':
      return {
        title: 'Your one-time link',
        preview: `Sign in to ${name} without your password.`,
        paragraphs: [
          `Here is the link you asked for to sign in to ${name}. If your account has a second factor, you’ll be asked for it next.`,
        ],
        action: {
          label: 'Sign in',
          link: message.link,
          note: lastsFor(counted(message.minutes, 'minute')) + (message.asksNumber ? asksFor : ''),
        },
        ...(message.code !== undefined && {
          code: {
            label: 'Or enter this code in the tab where you asked:',
            value: message.code,
            note: 'Never pass the code on, not even to your administrator. Anyone who asks you for it wants to sign in as you.',
          },
        }),
        ...(message.from && {
          facts: [
            ['Asked from', printedBrowser(message.from.userAgent)],
            ['IP address', printedIp(message.from.address)],
          ],
        }),
        advice: unasked('You can ignore this email. Don’t forward it: anyone with the link can use it.'),
      }
    case 'sso-link': {
      const provider = providerNames[message.provider]
      return {
        title: `Sign in with ${provider}`,
        preview: `Sign in to ${name} with ${provider}.`,
        paragraphs: [`You asked for a link to sign in to ${name}. Your account uses ${provider}, and this link takes you there.`],
        action: {
          label: `Continue with ${provider}`,
          link: message.link,
          note: 'This link doesn’t sign you in by itself and doesn’t expire.',
        },
        advice: unasked('You can ignore this email.'),
      }
    }
    case 'factor-reset':
      return {
        title: 'Replace your second factor',
        preview: `Get a new QR code for your ${name} account.`,
        paragraphs: [
          `You asked to replace the second factor of your ${name} account. Get a new QR code, scan it, then enter its code in the tab where you asked.`,
          'Until you do, your old authenticator keeps working.',
        ],
        action: { label: 'Get a new QR code', link: message.link, note: lastsFor(counted(message.minutes, 'minute')) },
        advice: {
          title: 'If you didn’t ask for this',
          text: `Someone knows your password. Don’t open the link. ${notYou.text}`,
          visit: true,
        },
      }
    case 'email-change':
      return {
        title: 'Confirm your new address',
        preview: `Use this address for your ${name} account.`,
        paragraphs: [
          `Someone signed in to ${name} as ${printed(message.account)} asked to use this email address from now on. If that was you, confirm it, then sign in with this address.`,
        ],
        action: { label: 'Confirm this address', link: message.link, note: lastsFor(counted(message.minutes, 'minute')) },
        advice: unasked('You can ignore this email. Nothing changes unless you confirm.'),
      }
  }
}

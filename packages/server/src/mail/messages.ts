import type { SSOProvider } from '@gatehouse/wire'
import { htmlOf, type Letter, type Product, textOf } from './layout.ts'
import { oneLine, printed, printedBrowser, printedIp } from './values.ts'

/** When and from where: `at` in the reader's time zone, the address of the caller and what the browser says of itself. */
type Happening = { at: string; address: string; userAgent: string }

/** Every mail that the server sends. Those that carry no link are notices and hold no secret. */
export type MailMessage =
  | { kind: 'password-reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; hours: number }
  | { kind: 'one-time-link'; link: string; minutes: number }
  /** To a user who signs in with a provider. The link leads to the provider and is not a secret. */
  | { kind: 'sso-link'; link: string; provider: SSOProvider }
  | { kind: 'factor-reset'; link: string; minutes: number }
  /** To the new address. */
  | { kind: 'email-change'; link: string; minutes: number; account: string }
  | ({
      kind:
        | 'factor-reset-held'
        | 'password-changed'
        | 'factor-added'
        | 'factor-reset-done'
        | 'factor-removed'
        | 'recovery-codes-anew'
        | 'wrong-codes'
    } & Happening)
  /** After too many wrong passwords; `until` null: the password works no more before it is reset. */
  | ({ kind: 'locked'; until: string | null } & Happening)
  | ({ kind: 'recovery-code-used'; left: number } & Happening)
  | ({ kind: 'provider-linked' | 'provider-unlinked'; provider: SSOProvider } & Happening)
  /** To the old address; `newEmail` is masked. */
  | ({ kind: 'email-changed'; newEmail: string } & Happening)
  /** No device is asked to approve for a while. */
  | ({ kind: 'push-paused'; why: 'denied' | 'unanswered' } & Happening)
  /** To administrators. */
  | { kind: 'factor-skipped'; who: string; skips: number; at: string; address: string }
  | { kind: 'factor-reset-of'; who: string; at: string; address: string }
  | { kind: 'push-paused-of'; who: string; why: 'denied' | 'unanswered'; at: string; address: string }

const providerNames: Record<SSOProvider, string> = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak' }

const counted = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

const lastsFor = (lifetime: string) => `This link expires in ${lifetime} and works once. A newer email replaces it.`

const facts = ({ at, address, userAgent }: Happening): [string, string][] => [
  ['When', printed(at)],
  ['IP address', printedIp(address)],
  ['Browser', printedBrowser(userAgent)],
]

const unasked = (text: string) => ({ title: 'If you didn’t ask for this', text })

/** The last words before the product's address, which is the sign-in page's. */
const viaForgot = 'Choose “Forgot your password?” on the sign-in page:'

const notYou = {
  title: 'If this wasn’t you',
  text: `Reset your password now and tell your administrator. ${viaForgot}`,
  visit: true,
}

const passwordKnown = { ...notYou, text: `Someone knows your password. ${notYou.text}` }

const letterFor = (message: MailMessage, name: string): Letter => {
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
        action: { label: 'Sign in', link: message.link, note: lastsFor(counted(message.minutes, 'minute')) },
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
    case 'factor-reset-held':
      return {
        title: 'Your second factor was not reset',
        preview: `It can’t be reset by email, because your ${name} password was set without it.`,
        paragraphs: [
          `Someone asked to reset the second factor of your ${name} account. Because your password was set by email or after signing in with a provider, your second factor can’t also be reset by email.`,
          'Sign in once with your second factor or a recovery code, or ask your administrator to remove the second factor.',
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'password-changed':
      return {
        title: 'Your password was changed',
        preview: `Your ${name} password was changed.`,
        paragraphs: [`The password of your ${name} account was changed. If that was you, you can ignore this email.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-added':
      return {
        title: 'A second factor was added',
        preview: `You’ll need it to sign in to ${name}.`,
        paragraphs: [`Your ${name} account has a new second factor. You’ll need a second factor to sign in from now on.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-reset-done':
      return {
        title: 'Your second factor was replaced',
        preview: `You’ll need the new one to sign in to ${name}.`,
        paragraphs: [
          `The second factor of your ${name} account was replaced. The old one no longer works, and all your other sessions were ended.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-removed':
      return {
        title: 'A second factor was removed',
        preview: `It can no longer be used to sign in to ${name}.`,
        paragraphs: [`A second factor of your ${name} account was removed. It can no longer be used to sign in.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'recovery-codes-anew':
      return {
        title: 'New recovery codes were created',
        preview: `Your ${name} account has new recovery codes.`,
        paragraphs: [`Ten new recovery codes were created for your ${name} account. Any older codes no longer work.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'locked':
      return message.until === null
        ? {
            title: 'Your password is disabled',
            preview: `Too many wrong passwords were entered for your ${name} account.`,
            paragraphs: [
              `Too many wrong passwords in a row were entered for your ${name} account. None of those attempts got in. To sign in with a password again, you need to reset it.`,
            ],
            facts: facts(message),
            advice: { title: 'To sign in again', text: `Reset your password. ${viaForgot}`, visit: true },
          }
        : {
            title: 'Your account is locked for now',
            preview: `Too many wrong passwords were entered for your ${name} account.`,
            paragraphs: [
              `Too many wrong passwords in a row were entered for your ${name} account. None of those attempts got in. You can sign in with your password again when the lock ends.`,
            ],
            facts: [...facts(message), ['Locked until', printed(message.until)]],
            advice: {
              title: 'If this wasn’t you',
              text: `If you think someone knows your password, reset it. ${viaForgot}`,
              visit: true,
            },
          }
    case 'wrong-codes':
      return {
        title: 'Sign-in stopped at the second factor',
        preview: 'The password was right, but the codes were wrong.',
        paragraphs: [
          `Someone entered the right password for your ${name} account, but the wrong codes for your second factor. They weren’t signed in.`,
        ],
        facts: facts(message),
        advice: passwordKnown,
      }
    case 'recovery-code-used':
      return {
        title: 'A recovery code was used',
        preview: `It was used instead of your second factor at ${name}.`,
        paragraphs: [
          `Someone signed in to your ${name} account with a recovery code instead of the second factor. ${message.left === 1 ? '1 code is' : `${message.left || 'No'} codes are`} left. If you no longer have your authenticator, set up a new one soon.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'provider-linked':
    case 'provider-unlinked': {
      const provider = providerNames[message.provider]
      const linked = message.kind === 'provider-linked'
      return {
        title: linked ? `Sign-in with ${provider} was added` : `Sign-in with ${provider} was removed`,
        preview: linked ? `You can now sign in to ${name} with ${provider}.` : `You can no longer sign in to ${name} with ${provider}.`,
        paragraphs: [
          linked
            ? `Your ${name} account is now linked to a ${provider} account. Anyone who can use that account can sign in here.`
            : `Your ${name} account is no longer linked to ${provider}.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    }
    case 'email-changed':
      return {
        title: 'Your email address was changed',
        preview: `Your ${name} account has a new address.`,
        paragraphs: [`Your ${name} account now has another email address. You can no longer sign in with the old address.`],
        facts: [['New address', printed(message.newEmail)], ...facts(message)],
        advice: {
          title: 'If this wasn’t you',
          text: 'Tell your administrator right away. Your old address can no longer be used to reset the password.',
        },
      }
    case 'factor-skipped':
      return {
        title: 'Second factor skipped',
        about: printed(message.who),
        preview: `A user signed in to ${name} without a second factor.`,
        paragraphs: [`This user signed in to ${name} and skipped setting up a second factor.`],
        facts: [
          ['User', printed(message.who)],
          ['Skips so far', String(message.skips)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'Ask whether they need help setting one up. If they didn’t sign in at this time, end their sessions.',
        },
      }
    case 'push-paused':
      return {
        title: 'Phone approvals are paused',
        preview: `Someone may know your ${name} password.`,
        paragraphs: [
          `${message.why === 'denied' ? `You denied two sign-in requests for ${name}` : `Three sign-in requests in a row for ${name} got no answer`}. None of them got in. We won’t send requests to your phones for a day, or until you sign in with another second factor.`,
        ],
        facts: facts(message),
        advice: passwordKnown,
      }
    case 'push-paused-of':
      return {
        title: 'Phone approvals are paused',
        about: printed(message.who),
        preview: `Someone may know this user’s ${name} password.`,
        paragraphs: [
          message.why === 'denied'
            ? `This user denied two sign-in requests for their ${name} account.`
            : `Three sign-in requests in a row for this user’s ${name} account got no answer.`,
        ],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'Ask them. If they didn’t try to sign in, someone else knows their password: force a new one.',
        },
      }
    case 'factor-reset-of':
      return {
        title: 'Second factor replaced',
        about: printed(message.who),
        preview: `A user of ${name} replaced their second factor.`,
        paragraphs: [`This user replaced the second factor of their ${name} account. The old one no longer works.`],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: { title: 'What you can do', text: 'If you didn’t expect this, ask them. If it wasn’t them, end their sessions.' },
      }
  }
}

/** A message as it is sent. `product.url` is our public address; no mail leads anywhere but there and to the message's link. */
export const writeMail = (message: MailMessage, product: Product) => {
  const ours = { name: oneLine(product.name), url: product.url }
  const letter = letterFor(message, ours.name)
  const about = letter.about ? `: ${letter.about}` : ''
  return { subject: `${letter.title}${about} · ${ours.name}`, text: textOf(letter, ours), html: htmlOf(letter, ours) }
}

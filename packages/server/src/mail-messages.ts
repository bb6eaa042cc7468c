import type { SSOProvider } from '@gatehouse/wire'
import { htmlOf, type Letter, type Product, textOf } from './mail-layout.ts'
import { oneLine, printed, printedBrowser, printedIp } from './mail-values.ts'

/** When and from where: `at` in the reader's time zone, the address of the caller and what the browser says of itself. */
type Happening = { at: string; address: string; userAgent: string }

/** Every mail that the server sends. Those that carry no link are notices and hold no secret. */
export type MailMessage =
  | { kind: 'password-reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; hours: number }
  | { kind: 'one-time-link'; link: string; minutes: number }
  /** To one who signs in by a provider; its link leads there and is no secret. */
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

const usedUpBy = (lifetime: string) =>
  `The link works for ${lifetime}, and only the newest one does. Opening it changes nothing: pressing the button on its page uses it up.`

const facts = ({ at, address, userAgent }: Happening): [string, string][] => [
  ['When', printed(at)],
  ['IP address', printedIp(address)],
  ['Browser', printedBrowser(userAgent)],
]

const unasked = (text: string) => ({ title: 'If you did not ask for this', text })

const viaForgot = 'with “Forgot your password?” on the sign-in page'

const notYou = {
  title: 'If this was not you',
  text: `Choose a new password now, ${viaForgot}, and tell your administrator:`,
  visit: true,
}

const letterFor = (message: MailMessage, name: string): Letter => {
  switch (message.kind) {
    case 'password-reset':
      return {
        title: 'Reset your password',
        preview: `Choose a new password for your ${name} account.`,
        paragraphs: [`We were asked to reset the password of your ${name} account. Choosing a new one signs you out everywhere.`],
        action: { label: 'Choose a new password', link: message.link, note: usedUpBy(counted(message.minutes, 'minute')) },
        advice: unasked('You need not do anything. Your password stays as it is.'),
      }
    case 'invitation':
      return {
        title: 'Set up your account',
        preview: `There is an account for you at ${name}. Choose a password to begin.`,
        paragraphs: [
          `An administrator has made an account for you at ${name}. Choose a password, then sign in with it and this email address.`,
        ],
        action: { label: 'Choose a password', link: message.link, note: usedUpBy(counted(message.hours, 'hour')) },
        advice: {
          title: 'If you did not expect this',
          text: 'You need not do anything. If you are not sure, ask your administrator before you open the link.',
        },
      }
    case 'one-time-link':
      return {
        title: 'Your one-time link',
        preview: `Sign in to ${name} without your password.`,
        paragraphs: [
          `This is the link you asked for to sign in to ${name}. If your account has a second factor, you will be asked for it next.`,
        ],
        action: { label: 'Sign in', link: message.link, note: usedUpBy(counted(message.minutes, 'minute')) },
        advice: unasked('You need not do anything. Do not pass this mail on: the link works for whoever has it.'),
      }
    case 'sso-link': {
      const provider = providerNames[message.provider]
      return {
        title: `Sign in with ${provider}`,
        preview: `Your way into ${name} is ${provider}.`,
        paragraphs: [`You asked for a link to sign in to ${name}. Your account signs in with ${provider}, and this link takes you there.`],
        action: {
          label: `Continue with ${provider}`,
          link: message.link,
          note: 'The link signs nobody in by itself and does not run out.',
        },
        advice: unasked('You need not do anything.'),
      }
    }
    case 'factor-reset':
      return {
        title: 'Replace your second factor',
        preview: `Get a new QR code for your ${name} account.`,
        paragraphs: [
          `You asked to replace the second factor of your ${name} account. Get a new QR code, scan it, and enter its code on the page where you asked.`,
          'Until then your old authenticator keeps working.',
        ],
        action: { label: 'Get a new QR code', link: message.link, note: usedUpBy(counted(message.minutes, 'minute')) },
        advice: {
          title: 'If you did not ask for this',
          text: `Somebody knows your password. Leave the link alone, choose a new password ${viaForgot}, and tell your administrator:`,
          visit: true,
        },
      }
    case 'email-change':
      return {
        title: 'Confirm your new address',
        preview: `Use this address for your ${name} account.`,
        paragraphs: [
          `Somebody who is signed in to ${name} as ${printed(message.account)} asked to use this email address from now on. If that was you, confirm it, then sign in with this address.`,
        ],
        action: { label: 'Confirm this address', link: message.link, note: usedUpBy(counted(message.minutes, 'minute')) },
        advice: unasked('You need not do anything. Without your confirmation nothing changes.'),
      }
    case 'factor-reset-held':
      return {
        title: 'Your second factor was not reset',
        preview: `Your ${name} password was set without your second factor, so that one is not reset by email.`,
        paragraphs: [
          `A reset of your second factor was asked for. Your ${name} password was set by email, or after signing in elsewhere, and whoever has your mail must not get both. Sign in once with a code or a recovery code, or ask your administrator to remove the second factor.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'password-changed':
      return {
        title: 'Your password was changed',
        preview: `The password of your ${name} account is a new one.`,
        paragraphs: [`The password of your ${name} account was changed. If that was you, you need not do anything.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-added':
      return {
        title: 'A second factor was added',
        preview: `Signing in to ${name} asks for it from now on.`,
        paragraphs: [`Your ${name} account has a new second factor. Signing in asks for it from now on.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-reset-done':
      return {
        title: 'Your second factor was replaced',
        preview: `Signing in to ${name} asks for the new one from now on.`,
        paragraphs: [
          `The second factor of your ${name} account was replaced. The old one no longer works, and every other session was ended.`,
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
        title: 'You have new recovery codes',
        preview: `The recovery codes of your ${name} account are new.`,
        paragraphs: [`Ten new recovery codes were made for your ${name} account. If there were others before, they no longer work.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'locked':
      return message.until === null
        ? {
            title: 'Your password is switched off',
            preview: `Too many wrong passwords were tried at your ${name} account.`,
            paragraphs: [
              `Too many wrong passwords in a row were tried at your ${name} account. None of them got in. Your password works again once you reset it.`,
            ],
            facts: facts(message),
            advice: { title: 'To sign in again', text: `Choose a new password, ${viaForgot}:`, visit: true },
          }
        : {
            title: 'Signing in is paused',
            preview: `Too many wrong passwords were tried at your ${name} account.`,
            paragraphs: [
              `Too many wrong passwords in a row were tried at your ${name} account. None of them got in. Signing in is possible again after the pause.`,
            ],
            facts: [...facts(message), ['Paused until', printed(message.until)]],
            advice: {
              title: 'If this was not you',
              text: `Your account is safe as long as nobody knows your password. If somebody might, choose a new one, ${viaForgot}:`,
              visit: true,
            },
          }
    case 'wrong-codes':
      return {
        title: 'Sign-in stopped at the second factor',
        preview: `Your password was right, the code was not.`,
        paragraphs: [
          `Somebody entered the right password of your ${name} account, but not the right code of your second factor. They were not signed in.`,
        ],
        facts: facts(message),
        advice: { ...notYou, text: `Somebody knows your password. Choose a new one now, ${viaForgot}, and tell your administrator:` },
      }
    case 'recovery-code-used':
      return {
        title: 'A recovery code was used',
        preview: `It took the place of your second factor at ${name}.`,
        paragraphs: [
          `A recovery code took the place of the second factor of your ${name} account. ${message.left === 1 ? '1 code is' : `${message.left || 'No'} codes are`} left. If you no longer have your authenticator, set up a new one soon.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'provider-linked':
    case 'provider-unlinked': {
      const provider = providerNames[message.provider]
      const linked = message.kind === 'provider-linked'
      return {
        title: linked ? `Sign-in by ${provider} was added` : `Sign-in by ${provider} was removed`,
        preview: linked
          ? `Your ${name} account can now be entered by ${provider}.`
          : `Your ${name} account can no longer be entered by ${provider}.`,
        paragraphs: [
          linked
            ? `Your ${name} account is linked with an account at ${provider}. Whoever is signed in there can sign in here.`
            : `Your ${name} account is no longer linked with ${provider}.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    }
    case 'email-changed':
      return {
        title: 'Your email address was changed',
        preview: `Your ${name} account has a new address.`,
        paragraphs: [`Your ${name} account now has another email address. The one that this mail came to no longer signs in.`],
        facts: [['New address', printed(message.newEmail)], ...facts(message)],
        advice: {
          title: 'If this was not you',
          text: 'Tell your administrator at once. Your old address can no longer reset the password.',
        },
      }
    case 'factor-skipped':
      return {
        title: 'Second factor skipped',
        about: printed(message.who),
        preview: `Somebody signed in to ${name} without one.`,
        paragraphs: [`This user signed in to ${name} and put off setting up a second factor.`],
        facts: [
          ['User', printed(message.who)],
          ['Skips so far', String(message.skips)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: {
          title: 'What you can do',
          text: 'Ask whether they need help with it. If they did not sign in at this time, end their sessions.',
        },
      }
    case 'push-paused':
      return {
        title: 'Your devices are not asked for now',
        preview: `Somebody seems to know your ${name} password.`,
        paragraphs: [
          `${message.why === 'denied' ? 'You answered twice that it was not you who asked to sign in' : 'Three requests in a row to approve a sign-in were not answered'} at ${name}. For a day, or until you have signed in with another second factor, your devices are not asked any more. Nobody was let in.`,
        ],
        facts: facts(message),
        advice: { ...notYou, text: `Somebody knows your password. Choose a new one now, ${viaForgot}, and tell your administrator:` },
      }
    case 'push-paused-of':
      return {
        title: 'Requests to approve a sign-in are paused',
        about: printed(message.who),
        preview: `Somebody seems to know this user's password of ${name}.`,
        paragraphs: [
          message.why === 'denied'
            ? `This user of ${name} answered twice that it was somebody else who asked to sign in.`
            : `Three requests in a row to approve a sign-in of this user at ${name} were not answered.`,
        ],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: { title: 'What you can do', text: 'Ask them. If it was not them, force a new password: theirs is known to somebody.' },
      }
    case 'factor-reset-of':
      return {
        title: 'Second factor replaced',
        about: printed(message.who),
        preview: `Signing in to ${name} asks for the new one from now on.`,
        paragraphs: [`This user of ${name} replaced their second factor. The old one no longer works.`],
        facts: [
          ['User', printed(message.who)],
          ['When', printed(message.at)],
          ['IP address', printedIp(message.address)],
        ],
        advice: { title: 'What you can do', text: 'If you did not expect this, ask them. If it was not them, end their sessions.' },
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

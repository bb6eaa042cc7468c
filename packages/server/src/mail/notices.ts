import type { SSOProvider } from '@gatehouse/wire'
import type { MailBody } from './layout.ts'
import { notYou, passwordKnown, providerNames, viaForgot } from './phrases.ts'
import { printed, printedBrowser, printedIp } from './values.ts'

/**
 * Tells a user what happened to their account, without a link or a secret.
 * @typeParam Time how it gives an instant: epoch milliseconds, or text in the recipient's time zone
 */
export type Notice<Time extends number | string> =
  | {
      kind: 'factor-reset-held' | 'factor-added' | 'factor-reset-done' | 'factor-removed' | 'recovery-codes-anew' | 'wrong-codes'
    }
  /** `passkeys`: after a reset by mail, those that still sign the user in. */
  | { kind: 'password-changed'; passkeys?: string[] }
  /** `name` is the pass's. `ends`: the last day on which it works. */
  | { kind: 'pass-created'; name: string }
  | { kind: 'pass-ends'; name: string; ends: Time }
  | { kind: 'passkey-added' | 'passkey-added-automatically' | 'passkey-removed' | 'passkey-copied'; name: string }
  /** After too many wrong passwords; `until` is null where only a reset lets the user sign in by password again. */
  | { kind: 'locked'; until: Time | null }
  | { kind: 'recovery-code-used'; left: number }
  | { kind: 'provider-linked' | 'provider-unlinked'; provider: SSOProvider }
  /** To the old address; `newEmail` is masked. */
  | { kind: 'email-changed'; newEmail: string }
  | { kind: 'push-paused'; why: 'denied' | 'unanswered' }

/** When it happened, in the recipient's time zone, and which address and browser the request came from. */
export type Happening = { at: string; address: string; userAgent: string }

const facts = ({ at, address, userAgent }: Happening): [string, string][] => [
  ['When', printed(at)],
  ['IP address', printedIp(address)],
  ['Browser', printedBrowser(userAgent)],
]

/** @param name the product's */
export const noticeBody = (message: Notice<string> & Happening, name: string): MailBody => {
  switch (message.kind) {
    case 'factor-reset-held':
      return {
        title: 'Second factor not reset',
        preview: `Someone asked to reset it, but your ${name} password hasn’t been used with it yet.`,
        paragraphs: [
          `Someone asked to reset the second factor of your ${name} account. It can’t be reset by email yet, because no one has signed in with both your current password and your current second factor.`,
          'Sign in once with your password and your second factor or a recovery code. Or ask your administrator to remove the second factor.',
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'password-changed':
      return {
        title: 'Password changed',
        preview: `Your ${name} password was changed.`,
        paragraphs: [
          `The password of your ${name} account was changed. If that was you, you can ignore this email.`,
          ...(message.passkeys && message.passkeys.length > 0
            ? [
                'The new password doesn’t change your passkeys. Check that all of them are yours, and remove the others on your account page.',
              ]
            : []),
        ],
        facts: [
          ...facts(message),
          ...(message.passkeys ?? []).map((passkey, i): [string, string] => [`Passkey ${i + 1}`, printed(passkey)]),
        ],
        advice: notYou,
      }
    case 'factor-added':
      return {
        title: 'Second factor added',
        preview: `You’ll need it to sign in to ${name}.`,
        paragraphs: [`Your ${name} account has a new second factor. You’ll need a second factor to sign in from now on.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'pass-created':
      return {
        title: 'Pass created',
        preview: `A program can now use ${name} in your name.`,
        paragraphs: [
          `Your ${name} account has a new pass. A program that has it can open protected applications in your name, without your password.`,
        ],
        facts: [['Pass', printed(message.name)], ...facts(message)],
        advice: notYou,
      }
    case 'pass-ends':
      return {
        title: 'Pass ends soon',
        preview: 'The program that uses it will lose access.',
        paragraphs: [`A pass of your ${name} account ends soon. The program that uses it then loses access.`],
        facts: [
          ['Pass', printed(message.name)],
          ['Ends', printed(message.ends)],
        ],
        advice: {
          title: 'What you can do',
          text: 'If you still need it, create a new pass on your account page and give it to the program.',
          visit: true,
        },
      }
    case 'passkey-added':
      return {
        title: 'Passkey added',
        preview: `It can sign in to ${name} without your password.`,
        paragraphs: [`Your ${name} account has a new passkey. Anyone who can use it can sign in, without your password.`],
        facts: [['Passkey', printed(message.name)], ...facts(message)],
        advice: notYou,
      }
    case 'passkey-added-automatically':
      return {
        title: 'Passkey added',
        preview: `Next time you can sign in to ${name} without your password.`,
        paragraphs: [
          `When you signed in with your password, your password manager created a passkey for your ${name} account. Next time you can sign in with it. Your password still works, and you can remove the passkey on your account page.`,
        ],
        facts: [['Passkey', printed(message.name)], ...facts(message)],
        advice: notYou,
      }
    case 'passkey-removed':
      return {
        title: 'Passkey removed',
        preview: `It can no longer be used to sign in to ${name}.`,
        paragraphs: [`A passkey of your ${name} account was removed. It can no longer be used to sign in.`],
        facts: [['Passkey', printed(message.name)], ...facts(message)],
        advice: notYou,
      }
    case 'passkey-copied':
      return {
        title: 'Passkey refused',
        preview: `A copy of a passkey of your ${name} account may exist.`,
        paragraphs: [
          `Someone tried to sign in to ${name} with a passkey that should exist on one device only. Its use counter went back, so a copy of it may exist. They weren’t signed in.`,
          'Remove this passkey on your account page and add a new one.',
        ],
        facts: [['Passkey', printed(message.name)], ...facts(message)],
        advice: notYou,
      }
    case 'factor-reset-done':
      return {
        title: 'Second factor replaced',
        preview: `You’ll need the new one to sign in to ${name}.`,
        paragraphs: [
          `The second factor of your ${name} account was replaced. The old one no longer works, and all your other sessions were ended.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'factor-removed':
      return {
        title: 'Second factor removed',
        preview: `It can no longer be used to sign in to ${name}.`,
        paragraphs: [`A second factor of your ${name} account was removed. It can no longer be used to sign in.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'recovery-codes-anew':
      return {
        title: 'New recovery codes created',
        preview: `Your ${name} account has new recovery codes.`,
        paragraphs: [`Ten new recovery codes were created for your ${name} account. Any older codes no longer work.`],
        facts: facts(message),
        advice: notYou,
      }
    case 'locked':
      return message.until === null
        ? {
            title: 'Password disabled',
            preview: `Too many wrong passwords were entered for your ${name} account.`,
            paragraphs: [
              `Too many wrong passwords in a row were entered for your ${name} account. None of those attempts got in. To sign in with a password again, you need to reset it.`,
            ],
            facts: facts(message),
            advice: { title: 'To sign in again', text: `Reset your password. ${viaForgot}`, visit: true },
          }
        : {
            title: 'Account locked',
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
        title: 'Sign-in stopped: wrong codes',
        preview: 'The password was right, but the codes were wrong.',
        paragraphs: [
          `Someone entered the right password for your ${name} account, but the wrong codes for your second factor. They weren’t signed in.`,
        ],
        facts: facts(message),
        advice: passwordKnown,
      }
    case 'recovery-code-used':
      return {
        title: 'Recovery code used',
        preview: `It was used instead of your second factor at ${name}.`,
        paragraphs: [
          `Someone signed in to your ${name} account with a recovery code instead of the second factor. ${message.left === 1 ? '1 code is' : `${message.left || 'No'} codes are`} left. If you no longer have your second factor, set up a new one soon.`,
        ],
        facts: facts(message),
        advice: notYou,
      }
    case 'provider-linked':
    case 'provider-unlinked': {
      const provider = providerNames[message.provider]
      const linked = message.kind === 'provider-linked'
      return {
        title: linked ? `${provider} account linked` : `${provider} account unlinked`,
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
        title: 'Email address changed',
        preview: `Your ${name} account has a new address.`,
        paragraphs: [`Your ${name} account now has another email address. You can no longer sign in with the old address.`],
        facts: [['New address', printed(message.newEmail)], ...facts(message)],
        advice: {
          title: 'If this wasn’t you',
          text: 'Tell your administrator right away. Your old address can no longer be used to reset the password.',
        },
      }
    case 'push-paused':
      return {
        title: 'Phone approvals paused',
        preview: `Someone may know your ${name} password.`,
        paragraphs: [
          `${message.why === 'denied' ? `You blocked two sign-in requests for ${name}` : `Three sign-in requests in a row for ${name} got no answer`}. None of them got in. We won’t send requests to your phones for a day, or until you sign in with another second factor.`,
        ],
        facts: facts(message),
        advice: passwordKnown,
      }
  }
}

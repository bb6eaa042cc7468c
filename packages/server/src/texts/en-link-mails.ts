import { text } from '@gatehouse/language/text.ts'
import type { LinkMailTexts } from './mail-texts.ts'

const unasked = (advice: string) => ({ title: 'If you didn’t ask for this', text: advice })

export const linkMails: LinkMailTexts = {
  lastsMinutes: text(
    'This link expires in {count, plural, one {# minute} other {# minutes}} and works once. A newer email replaces it.',
    'count',
  ),
  lastsHours: text(
    'This link expires in {count, plural, one {# hour} other {# hours}} and works once. A newer email replaces it.',
    'count',
  ),
  'password-reset': {
    title: 'Reset your password',
    preview: text('Choose a new password for your {product} account.', 'product'),
    text: text(
      'Someone asked to reset the password of your {product} account. When you choose a new password, you’re signed out everywhere.',
      'product',
    ),
    action: 'Choose a new password',
    advice: unasked('You can ignore this email. Your password hasn’t changed.'),
  },
  invitation: {
    title: 'Set up your account',
    preview: text('You have a {product} account. Choose a password to get started.', 'product'),
    text: text(
      'An administrator created a {product} account for you. Choose a password, then sign in with it and this email address.',
      'product',
    ),
    action: 'Choose a password',
    advice: {
      title: 'If you didn’t expect this',
      text: 'You can ignore this email. If you’re not sure, ask your administrator before you open the link.',
    },
  },
  'one-time-link': {
    title: 'Your one-time link',
    preview: text('Sign in to {product} without your password.', 'product'),
    text: text(
      'Here is the link you asked for to sign in to {product}. If your account has a second factor, you’ll be asked for it next.',
      'product',
    ),
    action: 'Sign in',
    lastsMinutesAsksNumber: text(
      'This link expires in {count, plural, one {# minute} other {# minutes}} and works once. A newer email replaces it. In another browser, it asks for the number that the tab shows where you asked.',
      'count',
    ),
    code: 'Or enter this code in the tab where you asked:',
    codeNote: 'Never pass the code on, not even to your administrator. Anyone who asks you for it wants to sign in as you.',
    advice: unasked('You can ignore this email. Don’t forward it: anyone with the link can use it.'),
  },
  'sso-link': {
    title: text('Sign in with {provider}', 'provider'),
    preview: text('Sign in to {product} with {provider}.', 'product', 'provider'),
    text: text(
      'You asked for a link to sign in to {product}. Your account uses {provider}, and this link takes you there.',
      'product',
      'provider',
    ),
    action: text('Continue with {provider}', 'provider'),
    note: 'This link doesn’t sign you in by itself and doesn’t expire.',
    advice: unasked('You can ignore this email.'),
  },
  'factor-reset': {
    title: 'Replace your second factor',
    preview: text('Get a new QR code for your {product} account.', 'product'),
    text: text(
      'You asked to replace the second factor of your {product} account. Get a new QR code, scan it, then enter its code in the tab where you asked.',
      'product',
    ),
    still: 'Until you do, your old authenticator keeps working.',
    action: 'Get a new QR code',
    advice: unasked(
      'Someone knows your password. Don’t open the link. Reset your password now and tell your administrator. Choose ‘Forgot your password?’ on the sign-in page:',
    ),
  },
  'email-change': {
    title: 'Confirm your new address',
    preview: text('Use this address for your {product} account.', 'product'),
    text: text(
      'Someone signed in to {product} as {account} asked to use this email address from now on. If that was you, confirm it, then sign in with this address.',
      'product',
      'account',
    ),
    action: 'Confirm this address',
    advice: unasked('You can ignore this email. Nothing changes unless you confirm.'),
  },
}

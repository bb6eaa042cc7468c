import { text } from '@gatehouse/language/text.ts'
import type { NoticeTexts } from './mail-texts.ts'

export const notices: NoticeTexts = {
  'factor-reset-held': {
    title: 'Second factor not reset',
    preview: text('Someone asked to reset it, but your {product} password hasn’t been used with it yet.', 'product'),
    text: text(
      'Someone asked to reset the second factor of your {product} account. It can’t be reset by email yet, because no one has signed in with both your current password and your current second factor.',
      'product',
    ),
    more: 'Sign in once with your password and your second factor or a recovery code. Or ask your administrator to remove the second factor.',
  },
  'password-changed': {
    title: 'Password changed',
    preview: text('Your {product} password was changed.', 'product'),
    text: text('The password of your {product} account was changed. If that was you, you can ignore this email.', 'product'),
    withPasskeys:
      'The new password doesn’t change your passkeys. Check that all of them are yours, and remove the others on your account page.',
  },
  'factor-added': {
    title: 'Second factor added',
    preview: text('You’ll need it to sign in to {product}.', 'product'),
    text: text('Your {product} account has a new second factor. You’ll need a second factor to sign in from now on.', 'product'),
  },
  'pass-created': {
    title: 'Pass created',
    preview: text('A program can now use {product} in your name.', 'product'),
    text: text(
      'Your {product} account has a new pass. A program that has it can open protected applications in your name, without your password.',
      'product',
    ),
  },
  'pass-ends': {
    title: 'Pass ends soon',
    preview: text('The program that uses it will lose access.', 'product'),
    text: text('A pass of your {product} account ends soon. The program that uses it then loses access.', 'product'),
    advice: {
      title: 'What you can do',
      text: 'If you still need it, create a new pass on your account page and give it to the program.',
    },
  },
  'passkey-added': {
    title: 'Passkey added',
    preview: text('It can sign in to {product} without your password.', 'product'),
    text: text('Your {product} account has a new passkey. Anyone who can use it can sign in, without your password.', 'product'),
  },
  'passkey-added-automatically': {
    title: 'Passkey added',
    preview: text('Next time you can sign in to {product} without your password.', 'product'),
    text: text(
      'When you signed in with your password, your password manager created a passkey for your {product} account. Next time you can sign in with it. Your password still works, and you can remove the passkey on your account page.',
      'product',
    ),
  },
  'passkey-removed': {
    title: 'Passkey removed',
    preview: text('It can no longer be used to sign in to {product}.', 'product'),
    text: text('A passkey of your {product} account was removed. It can no longer be used to sign in.', 'product'),
  },
  'passkey-copied': {
    title: 'Passkey refused',
    preview: text('A copy of a passkey of your {product} account may exist.', 'product'),
    text: text(
      'Someone tried to sign in to {product} with a passkey that should exist on one device only. Its use counter went back, so a copy of it may exist. They weren’t signed in.',
      'product',
    ),
    more: 'Remove this passkey on your account page and add a new one.',
  },
  'factor-reset-done': {
    title: 'Second factor replaced',
    preview: text('You’ll need the new one to sign in to {product}.', 'product'),
    text: text(
      'The second factor of your {product} account was replaced. The old one no longer works, and all your other sessions were ended.',
      'product',
    ),
  },
  'factor-removed': {
    title: 'Second factor removed',
    preview: text('It can no longer be used to sign in to {product}.', 'product'),
    text: text('A second factor of your {product} account was removed. It can no longer be used to sign in.', 'product'),
  },
  'recovery-codes-anew': {
    title: 'New recovery codes created',
    preview: text('Your {product} account has new recovery codes.', 'product'),
    text: text('Ten new recovery codes were created for your {product} account. Any older codes no longer work.', 'product'),
  },
  disabled: {
    title: 'Password disabled',
    preview: text('Too many wrong passwords were entered for your {product} account.', 'product'),
    text: text(
      'Too many wrong passwords in a row were entered for your {product} account. None of those attempts got in. To sign in with a password again, you need to reset it.',
      'product',
    ),
    advice: { title: 'To sign in again', text: 'Reset your password. Choose ‘Forgot your password?’ on the sign-in page:' },
  },
  locked: {
    title: 'Account locked',
    preview: text('Too many wrong passwords were entered for your {product} account.', 'product'),
    text: text(
      'Too many wrong passwords in a row were entered for your {product} account. None of those attempts got in. You can sign in with your password again when the lock ends.',
      'product',
    ),
    advice: {
      title: 'If this wasn’t you',
      text: 'If you think someone knows your password, reset it. Choose ‘Forgot your password?’ on the sign-in page:',
    },
  },
  'wrong-codes': {
    title: 'Sign-in stopped: wrong codes',
    preview: text('The password was right, but the codes were wrong.', 'product'),
    text: text(
      'Someone entered the right password for your {product} account, but the wrong codes for your second factor. They weren’t signed in.',
      'product',
    ),
  },
  'recovery-code-used': {
    title: 'Recovery code used',
    preview: text('It was used instead of your second factor at {product}.', 'product'),
    text: text(
      'Someone signed in to your {product} account with a recovery code instead of the second factor. {left, plural, =0 {No codes are left.} one {# code is left.} other {# codes are left.}} If you no longer have your second factor, set up a new one soon.',
      'product',
      'left',
    ),
  },
  'provider-linked': {
    title: text('{provider} account linked', 'provider'),
    preview: text('You can now sign in to {product} with {provider}.', 'product', 'provider'),
    text: text(
      'Your {product} account is now linked to a {provider} account. Anyone who can use that account can sign in here.',
      'product',
      'provider',
    ),
  },
  'provider-unlinked': {
    title: text('{provider} account unlinked', 'provider'),
    preview: text('You can no longer sign in to {product} with {provider}.', 'product', 'provider'),
    text: text('Your {product} account is no longer linked to {provider}.', 'product', 'provider'),
  },
  'email-changed': {
    title: 'Email address changed',
    preview: text('Your {product} account has a new address.', 'product'),
    text: text('Your {product} account now has another email address. You can no longer sign in with the old address.', 'product'),
    advice: {
      title: 'If this wasn’t you',
      text: 'Tell your administrator right away. Your old address can no longer be used to reset the password.',
    },
  },
  'push-paused': {
    title: 'Phone approvals paused',
    preview: text('Someone may know your {product} password.', 'product'),
    denied: text(
      'You blocked two sign-in requests for {product}. None of them got in. We won’t send requests to your phones for a day. If you sign in with another second factor before then, this pause ends.',
      'product',
    ),
    unanswered: text(
      'Three sign-in requests in a row for {product} got no answer. None of them got in. We won’t send requests to your phones for a day. If you sign in with another second factor before then, this pause ends.',
      'product',
    ),
  },
}

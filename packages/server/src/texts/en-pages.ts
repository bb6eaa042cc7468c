import { text } from '@gatehouse/language/text.ts'
import { access } from './en-access.ts'
import { misconfiguration } from './en-misconfigurations.ts'
import type { PageTexts } from './page-texts.ts'

export const pages: PageTexts = {
  backToSignIn: 'Back to sign-in',
  errors: {
    tooMany: {
      title: 'Too many attempts',
      text: text('Too many attempts from your network. Try again in {minutes, plural, one {# minute} other {# minutes}}.', 'minutes'),
    },
    busy: { title: 'The server is busy', text: 'Too many people are signing in right now. Try again in a moment.' },
    otherSite: {
      title: 'This form was sent from another site',
      text: 'Nothing was changed. Go to the sign-in page and fill in the form there.',
    },
    formUnread: { title: 'This form couldn’t be read', text: 'Nothing was changed. Go back and fill it in again.' },
    pageUnread: { title: 'This page can’t be shown', text: 'Check the address and try again.' },
    fault: {
      title: 'Something went wrong',
      text: text('Try again in a moment. If it keeps happening, give your administrator this ID: {id}', 'id'),
    },
  },
  signIn: {
    expired: {
      title: 'This sign-in expired',
      text: 'You have a few minutes to complete each step.',
      action: 'Sign in again',
    },
    tooManyCodes: { title: 'Too many wrong codes', text: 'This sign-in was stopped to protect your account.', action: 'Sign in again' },
    factorResetHeld: {
      title: 'You can’t reset two factor authentication',
      text: 'You haven’t yet signed in with both this password and your current second factor. Use a recovery code, or ask your administrator to remove your second factor.',
      action: 'Use a recovery code',
    },
    forcedReset: {
      title: 'Reset your password',
      text: 'Your password has been reset by an administrator. Please reset your password.',
      action: 'Reset your password',
    },
    linkUsed: {
      title: 'This link no longer works',
      text: 'This sign-in link has been used, has expired or belongs to another browser.',
    },
    toDashboard: 'Continue to the dashboard',
    toSignIn: 'Sign in',
  },
  passkeyDue: {
    title: 'Add a passkey',
    soon: text(
      'From {day} on, you need a passkey here: a code or an approval no longer suffices. Add one now on your account page. It takes a minute.',
      'day',
    ),
    now: 'You need a passkey here. You’re signed in and can add one on your account page. If you already have a passkey, sign out and sign in with it.',
    add: 'Add a passkey',
    later: 'Not now',
  },
  providers: {
    unknown: { title: 'Unknown sign-in provider', text: 'Sign in with your email address and password, or ask your administrator.' },
    absent: {
      title: text('{provider} is not set up here', 'provider'),
      atSignIn: 'Sign in with your email address and password, or ask your administrator.',
      onReturn: 'Sign in another way, or ask your administrator.',
    },
    unavailable: {
      title: text('{provider} isn’t responding', 'provider'),
      text: text('We couldn’t reach {provider}. Try again in a moment, or sign in with your password.', 'provider'),
    },
    over: {
      title: 'This sign-in expired',
      text: text('Your sign-in with {provider} took too long or was opened in another browser. Start again.', 'provider'),
    },
    cancelled: {
      title: 'Sign-in canceled',
      text: text('The sign-in with {provider} was canceled. Nothing has changed.', 'provider'),
    },
    failed: {
      title: text('Sign-in with {provider} failed', 'provider'),
      text: text('{provider}’s reply couldn’t be verified. Start again. If it keeps happening, tell your administrator.', 'provider'),
    },
    'unknown-identity': {
      title: text('This {provider} account is not linked', 'provider'),
      text: text(
        'No user here is linked to the {provider} account that you chose. Sign in with your email address and password, then link it on your account page. Or ask your administrator.',
        'provider',
      ),
    },
    'name-taken': {
      title: text('Link your {provider} account first', 'provider'),
      text: text(
        'A user with this email address already exists but is not linked to {provider}. Sign in with your password, then link {provider} on your account page.',
        'provider',
      ),
    },
    taken: {
      title: text('This {provider} account can’t be linked', 'provider'),
      text: text(
        'Either it is already linked to another user, or your account is linked to another {provider} account. Unlink that one first.',
        'provider',
      ),
    },
    'forced-reset': {
      title: 'Reset your password first',
      text: 'Your password has been reset by an administrator. Please reset your password.',
      action: 'Reset your password',
    },
    toAccount: 'Back to your account',
    notes: {
      aMomentAgo: text('{provider} didn’t respond a moment ago', 'provider'),
      aMinuteAgo: text('{provider} didn’t respond a minute ago', 'provider'),
    },
  },
  access,
  administration: {
    withoutFactor: {
      title: 'Sign in with a second factor',
      text: 'Administration needs a second factor, and you signed in without one. Sign out, sign in again and set one up.',
    },
    withoutPasskey: {
      title: 'Sign in with a passkey',
      text: 'Administration needs a passkey. Add one on your account page. If you have one, sign out and sign in with it.',
    },
  },
  nothingHere: { title: 'Page not found', text: 'Check the address, or go back to sign-in.' },
  misconfiguration,
  approver: { name: text('{product} approver', 'product'), description: 'Approve your sign-ins with this device.' },
}

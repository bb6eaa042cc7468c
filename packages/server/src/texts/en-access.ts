import { text } from '@gatehouse/language/text.ts'
import type { AccessTexts } from './page-texts.ts'

export const access: AccessTexts = {
  refused: {
    title: 'You don’t have access',
    text: text(
      'You’re signed in as {user}, who has no access to {host}. Ask your administrator, or sign out and use another account.',
      'user',
      'host',
    ),
  },
  withoutPasskey: {
    title: 'Passkey required',
    text: text(
      'You’re signed in as {user} without a passkey, but {host} requires one. Add a passkey on your account page. If you have one, sign in again with it.',
      'user',
      'host',
    ),
  },
  withoutFactor: {
    title: 'Second factor required',
    text: text(
      'You’re signed in as {user} without a second factor, but {host} requires one. Sign in again with a second factor, or set one up.',
      'user',
      'host',
    ),
  },
  tooOld: {
    title: 'Confirm that it’s you',
    text: {
      hours: text(
        'You’re signed in as {user}. This page of {host} requires that you signed in within the last {count, plural, one {# hour} other {# hours}}. Sign in again to continue there.',
        'user',
        'host',
        'count',
      ),
      minutes: text(
        'You’re signed in as {user}. This page of {host} requires that you signed in within the last {count, plural, one {# minute} other {# minutes}}. Sign in again to continue there.',
        'user',
        'host',
        'count',
      ),
      seconds: text(
        'You’re signed in as {user}. This page of {host} requires that you signed in within the last {count, plural, one {# second} other {# seconds}}. Sign in again to continue there.',
        'user',
        'host',
        'count',
      ),
    },
  },
  tooOldForForm: {
    title: 'Confirm that it’s you',
    text: {
      hours: text(
        'Nothing was sent. {host} requires that you signed in within the last {count, plural, one {# hour} other {# hours}}. Sign in again in a new tab. Then go back in this one, and send the form again.',
        'host',
        'count',
      ),
      minutes: text(
        'Nothing was sent. {host} requires that you signed in within the last {count, plural, one {# minute} other {# minutes}}. Sign in again in a new tab. Then go back in this one, and send the form again.',
        'host',
        'count',
      ),
      seconds: text(
        'Nothing was sent. {host} requires that you signed in within the last {count, plural, one {# second} other {# seconds}}. Sign in again in a new tab. Then go back in this one, and send the form again.',
        'host',
        'count',
      ),
    },
  },
  signInAgain: 'Sign in again',
  toAccount: 'Go to your account',
  back: 'Back',
}

import { text } from '@gatehouse/language/text.ts'
import type { AdministrationMessages } from './administration-messages.ts'

/** The dialogs of an administrator's actions on users, in English. */
export const englishActions: AdministrationMessages['acts'] = {
  running: 'Working…',
  unlock: {
    button: 'Unlock',
    title: text('Unlock {who}', 'who'),
    text: [
      'Unlocks the password and the second factor immediately.',
      'Failed-attempt counters are reset.',
      'No email is sent. This is recorded in the audit log.',
    ],
    done: text('{who} was unlocked.', 'who'),
  },
  forceReset: {
    button: 'Force new password',
    title: text('Force a new password for {who}', 'who'),
    text: [
      'Signs the user out everywhere immediately.',
      'Links in emails already sent stop working.',
      'At the next sign-in the user must choose a new password through an emailed link. Administrators never see the link or the password.',
      'This is recorded in the audit log.',
    ],
    done: text('{who} was signed out everywhere and must choose a new password.', 'who'),
  },
  setGroups: {
    button: 'Change groups',
    title: text('Change the groups of {who}', 'who'),
    text: [
      'Rules for protected applications name groups. The change applies to the next request.',
      'Groups from the rules file or a provider stay.',
      'This is recorded in the audit log.',
    ],
    field: 'Groups, separated by spaces',
    wrong: text(
      'A group can’t be named {name}. Use lower-case letters, digits, dots, dashes and underscores; administrators, users, everyone, pass and services are reserved.',
      'name',
    ),
    done: text('The groups of {who} were changed.', 'who'),
  },
  endSessions: {
    button: 'End all sessions',
    title: text('End all sessions of {who}', 'who'),
    text: ['Signs the user out everywhere immediately.', 'The user can sign in again as before.', 'This is recorded in the audit log.'],
    done: text('{who} was signed out everywhere.', 'who'),
  },
  endSession: {
    button: 'End session',
    title: text('End a session of {who}', 'who'),
    text: ['Signs the user out immediately in the browser of this session.', 'Other sessions go on.', 'This is recorded in the audit log.'],
    done: text('A session of {who} was ended.', 'who'),
  },
  sendLink: {
    button: 'Email a link',
    title: text('Email a link to {who}', 'who'),
    text: [
      'Emails the user a link to choose a password. Administrators never see the link or the password.',
      'The link works for 24 hours if the user has no password and has never signed in, and for 30 minutes otherwise.',
      'This is recorded in the audit log.',
    ],
    done: text('A link to choose a password is on its way to {who}.', 'who'),
  },
  removeFactor: {
    button: 'Remove second factor',
    title: text('Remove a second factor of {who}', 'who'),
    text: [
      'It stops working immediately. If it is the last second factor, the recovery codes are deleted too.',
      'The user is signed out everywhere, and links in emails already sent stop working.',
      'The user is notified by email.',
      'At the next sign-in the user is asked to set up a new second factor, unless second factors are off. This is recorded in the audit log.',
    ],
    done: text('A second factor of {who} was removed.', 'who'),
    oneself: 'To remove your own second factor, use your account page.',
  },
  delete: {
    button: 'Delete user',
    title: text('Delete {who}', 'who'),
    text: [
      'Signs the user out everywhere immediately.',
      'The password, second factors, recovery codes, linked providers, passes, sessions and locks are permanently deleted.',
      'No email is sent. The audit log keeps the user’s history and records this deletion.',
    ],
    field: text('Type {who} to confirm', 'who'),
    mismatch: 'This is not the address of this user.',
    done: text('{who} was deleted.', 'who'),
    oneself: 'You can’t delete your own account. Ask another administrator.',
  },
  add: {
    button: 'Add user',
    title: 'Add a user',
    text: ['We’ll email an invitation, valid for 24 hours. The user chooses their own password.'],
    field: 'Email',
    missing: 'Enter an email address.',
    taken: 'There is already a user with this address.',
    zone: 'Time zone',
    done: text('{who} was added. An invitation is on its way.', 'who'),
  },
}

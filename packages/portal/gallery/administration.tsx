import type { ListRoute, Route } from '../src/administration/route.ts'
import { boardOf, days, hours } from './administration-board.ts'
import { page, quiet } from './administration-page.tsx'
import { passScenes } from './administration-pass-scenes.tsx'
import { ada, authenticator, chrome, detail, firefox, longest, other, people } from './administration-users.ts'
import { answers, type Group, refused, type Scene, staleSession, tooMany, unreachable } from './scene.ts'
import { click, fill, see } from './user-steps.ts'

const wrongPassword = { way: 'Password', outcome: 'WrongPassword' } as const

const pendingMails = (mails: readonly { mailTo: string | null; mailKind: string; mailRefused?: number }[]) =>
  mails.map((mail, index) => ({
    ...mail,
    mailId: String(index),
    mailCreated: '2026-11-20T02:40:00Z',
    mailAttempts: 3 + index,
    mailNext: '2026-11-20T03:01:00Z',
    mailExpires: '2026-11-20T03:10:00Z',
  }))

const longestOrigin = `https://${'long-name-of-a-dashboard.'.repeat(4)}example.com:8443`
const board: Route = { at: 'board', range: 'Day' }
const users: ListRoute = { at: 'users', search: '', filter: 'All', sort: 'Address', descending: false, after: undefined }
const factors: Route = { ...users, at: 'second-factors', filter: 'Skipped' }
const counts = { All: 100_000, WithoutFactor: 312, Skipped: 40, Locked: 3, ForcedReset: 1, Administrators: 2, WithPasskey: 0 }
const none = { All: 0, WithoutFactor: 0, Skipped: 0, Locked: 0, ForcedReset: 0, Administrators: 0, WithPasskey: 0 }
const attempts: Route = {
  at: 'attempts',
  look: 'WrongPassword',
  from: '2026-11-20T02:00:00.000Z',
  until: '2026-11-20T03:00:00.000Z',
  after: undefined,
}
const user: Route = { at: 'user', userId: 'u_1' }
const withUser = { user: answers(detail) }
const confirmed = async () => {
  await click('Unlock')
  await see('Unlocks the password')
  await click('Unlock')
  await see('Confirm it’s you')
}

/** One scene for each verdict. */
const verdicts: Scene[] = (
  [
    ['can sign in', other({}), 'Can sign in'],
    ['must choose a new password', other({ userForcedReset: true }), 'Must choose'],
    ['password disabled', other({ locks: [{ of: 'Password', until: null, attempts: 100 }] }), 'Password disabled'],
    ['codes locked', other({ locks: [{ of: 'SecondFactor', until: '2026-11-20T15:20:30Z', attempts: 5 }] }), 'Second factor locked'],
    ['codes disabled', other({ locks: [{ of: 'SecondFactor', until: null, attempts: 100 }] }), 'Second factor disabled'],
    [
      'invited',
      other({ ways: [], lastSignIn: null, sessions: 0, factors: 0 }, { factors: [], sessions: [], activity: [] }),
      'Has not chosen',
    ],
    [
      'approvals paused',
      other({}, { factors: [{ ...authenticator, factorFactorType: 'Push' }], approvalsPausedUntil: '2026-11-21T02:20:00Z' }),
      'Phone approvals paused',
    ],
    ['must set up a second factor', other({ factors: 0 }, { factors: [], skipsLeft: 0 }), 'must set one up'],
    ['may skip', other({ factors: 0 }, { factors: [], skipsLeft: 2 }), 'may skip 2 more times'],
  ] as const
).map(([name, value, words]) => ({ name: `User, ${name}`, draw: () => page(user, { user: answers(value) }), act: () => see(words) }))

/** The administration page in every state. */
export const administration: Group = {
  name: 'Pages of administration',
  scenes: [
    { name: 'Board', draw: () => page(board, { board: answers(boardOf(hours, 'Hour')) }), act: () => see('Blocked by') },
    {
      name: 'Board, 90 days, as a table',
      draw: () => page({ at: 'board', range: 'Quarter' }, { board: answers(boardOf(days, 'Day', 120)) }),
      act: async () => {
        await click('Show as table')
        await see('Hide table')
      },
    },
    {
      name: 'Board, empty',
      draw: () => page(board, { board: answers({ ...boardOf(hours, 'Hour'), series: [] }) }),
      act: () => see('No sign-in attempts'),
    },
    { name: 'Board, loading', draw: () => page(board), act: () => see('Loading') },
    { name: 'Board, no network', draw: () => page(board, { board: unreachable }), act: () => see('couldn’t be loaded') },
    {
      name: 'Attempts behind a bar',
      draw: () =>
        page(attempts, {
          attempts: answers({
            attempts: [
              { ...wrongPassword, auditAt: '2026-11-20T02:50:31Z', user: ada, from: chrome },
              {
                ...wrongPassword,
                auditAt: '2026-11-20T02:40:12Z',
                user: { userId: 'u_4', userIdent: 'grace@example.com' },
                from: { ...firefox, address: '192.0.2.44' },
              },
              { ...wrongPassword, auditAt: '2026-11-20T02:12:00Z', from: { address: '198.51.100.4', place: 'Elsewhere' } },
            ],
            after: '1795140067512 6f1c',
          }),
        }),
      act: () => see('Unknown address'),
    },
    {
      name: 'Attempts behind a bar, the longest addresses',
      draw: () =>
        page(attempts, {
          attempts: answers({
            attempts: [
              { ...wrongPassword, auditAt: '2026-11-20T02:40:12Z', user: { userId: 'u_3', userIdent: longest }, from: firefox },
              { ...wrongPassword, auditAt: '2026-11-20T02:12:00Z', from: { address: '198.51.100.4', place: 'Elsewhere' } },
            ],
          }),
        }),
      act: () => see('Unknown address'),
    },
    {
      name: 'Attempts behind a tile',
      draw: () =>
        page(
          { ...attempts, look: 'Failed' },
          {
            attempts: answers({
              attempts: [
                { auditAt: '2026-11-20T02:50:31Z', way: 'TOTP', outcome: 'WrongCode', user: ada, from: chrome },
                { auditAt: '2026-11-20T02:49:58Z', way: 'Password', outcome: 'ForcedReset', user: ada, from: firefox },
                { auditAt: '2026-11-20T02:12:00Z', way: 'Google', outcome: 'Refused', from: chrome },
              ],
            }),
          },
        ),
      act: () => see('Wrong code'),
    },
    {
      name: 'Attempts behind a bar, none',
      draw: () => page(attempts, { attempts: answers({ attempts: [] }) }),
      act: () => see('No sign-in attempts'),
    },
    {
      name: 'Users, sorted by last sign-in',
      draw: () => page({ ...users, sort: 'LastSignIn', descending: true }, { users: answers({ users: people, counts }) }),
      act: () => see('grace@'),
    },
    {
      name: 'Users',
      draw: () => page(users, { users: answers({ users: people, after: 'begins grace@example.com', counts }) }),
      act: () => see('grace@'),
    },
    {
      name: 'Users, nobody found',
      draw: () => page({ ...users, search: 'nobody' }, { users: answers({ users: [], counts: none }) }),
      act: () => see('nobody'),
    },
    {
      name: 'Users, signed out meanwhile, mail in trouble',
      draw: () =>
        page(users, {
          users: refused('Only an administrator who signed in within the last 15 minutes may do this', 403),
          overview: answers({ ...quiet, mailsWaiting: 7, mailsTriedInVain: 2 }),
        }),
      act: () => see('no longer an administrator'),
    },
    {
      name: 'Second factors skipped',
      draw: () => page(factors, { users: answers({ users: people.slice(2), after: null, counts }) }),
      act: () => see('Skipped 2 of 3'),
    },
    {
      name: 'Users, open-door alarm',
      draw: () =>
        page(users, {
          users: answers({ users: people.slice(2), after: null, counts }),
          overview: answers({
            ...quiet,
            doors: [
              { origin: 'https://grafana.example.com', state: 'Open', path: '/', status: 200, since: '2026-11-20T02:40:00Z' },
              { origin: longestOrigin, state: 'CertificateEnds', path: '/api/x', status: 302, since: '2026-11-19T02:40:00Z' },
            ],
          }),
        }),
      act: () => see('open to everyone'),
    },
    { name: 'User', draw: () => page(user, withUser), act: () => see('Actions') },
    ...verdicts,
    {
      name: 'User, a sign-in opened',
      draw: () => page(user, withUser),
      act: async () => {
        await see('Recent activity')
        document.querySelector('summary')?.click()
        document.querySelectorAll('summary')[1]?.click()
      },
    },
    {
      name: 'User, gone',
      draw: () => page(user, { user: refused('userId: there is no such user', 404) }),
      act: () => see('no longer exists'),
    },
    {
      name: 'Add a user, no address',
      draw: () => page(users, { users: answers({ users: people, counts }) }),
      act: async () => {
        await click('Add user')
        await see('Add a user')
        await click('Add user')
        await see('Enter an email')
      },
    },
    { name: 'Force new password', draw: () => page(user, withUser), act: () => click('Force new password') },
    { name: 'End a session', draw: () => page(user, withUser), act: () => click('End the session on') },
    { name: 'Email a link', draw: () => page(user, { user: answers(other({ userForcedReset: true })) }), act: () => click('Email a link') },
    {
      name: 'Signing out, not possible',
      draw: () => page(user, { ...withUser, logoutBySelf: unreachable }),
      act: async () => {
        await click('Sign out')
        await see('still signed in')
      },
    },
    { name: 'Remove a factor', draw: () => page(user, withUser), act: () => click('Remove Authenticator') },
    {
      name: 'Delete, another address',
      draw: () => page(user, withUser),
      act: async () => {
        await click('Delete user')
        await fill('Type ', 'grace@example.com')
        await click('Delete user')
        await see('not the address')
      },
    },
    {
      name: 'Unlocking',
      draw: () => page(user, withUser),
      act: async () => {
        await click('Unlock')
        await see('Unlocks the password')
        await click('Unlock')
      },
    },
    {
      name: 'Unlocked',
      draw: () => page(user, { ...withUser, unlock: answers(undefined) }),
      act: async () => {
        await click('Unlock')
        await see('Unlocks the password')
        await click('Unlock')
        await see('was unlocked')
      },
    },
    {
      name: 'Unlock, not possible',
      draw: () => page(user, { ...withUser, unlock: tooMany }),
      act: async () => {
        await click('Unlock')
        await see('Unlocks the password')
        await click('Unlock')
        await see('Too many requests')
      },
    },
    { name: 'Signed in too long ago', draw: () => page(user, { ...withUser, unlock: staleSession }), act: confirmed },
    {
      name: 'Signed in too long ago, wrong password',
      draw: () => page(user, { ...withUser, unlock: staleSession, userPasswordConfirm: refused('password: is wrong', 403) }),
      act: async () => {
        await confirmed()
        await fill('Password', 'correct horse battery staple')
        await click('Continue')
        await see('The password is wrong.')
      },
    },
    ...passScenes,
    {
      name: 'Pending emails',
      draw: () =>
        page(
          { at: 'mails' },
          {
            overview: answers({ ...quiet, mailsWaiting: 112, mailsTriedInVain: 1, mailsRefused: 1 }),
            mails: answers({
              waiting: 112,
              mails: pendingMails([
                { mailTo: 'ada@example.com', mailKind: 'password-reset' },
                { mailTo: 'grace@exmaple.com', mailKind: 'invitation', mailRefused: 550 },
                { mailTo: 'linus@example.com', mailKind: 'one-time-link' },
              ]),
            }),
          },
        ),
      act: () => see('Invitation'),
    },
    {
      name: 'Pending emails, the longest address',
      draw: () =>
        page(
          { at: 'mails' },
          {
            mails: answers({
              waiting: 2,
              mails: pendingMails([
                { mailTo: longest, mailKind: 'invitation', mailRefused: 550 },
                { mailTo: null, mailKind: 'unreadable' },
              ]),
            }),
          },
        ),
      act: () => see('Invitation'),
    },
    {
      name: 'Pending emails, none',
      draw: () => page({ at: 'mails' }, { mails: answers({ waiting: 0, mails: [] }) }),
      act: () => see('No pending'),
    },
  ],
}

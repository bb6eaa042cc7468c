import type { ListedUser, UserDetail } from '@gatehouse/wire'

export const ada: ListedUser = {
  userId: 'u_1',
  userIdent: 'ada@example.com',
  userCreated: '2026-08-01T09:00:00Z',
  userForcedReset: false,
  administrator: false,
  lastSignIn: '2026-11-20T02:41:07Z',
  ways: ['Password', 'Google'],
  factors: 1,
  skipCount: 0,
  skipMost: 3,
  sessions: 2,
  locks: [{ of: 'Password', until: '2026-11-20T15:20:30Z', attempts: 12 }],
}
export const longest = `${'long.name.'.repeat(6)}@${'sub.'.repeat(12)}example.com`
export const people: ListedUser[] = [
  ada,
  { ...ada, userId: 'u_2', userIdent: 'admin@example.com', administrator: true, ways: ['Password'], locks: [], sessions: 1 },
  {
    ...ada,
    userId: 'u_3',
    userIdent: longest,
    userForcedReset: true,
    factors: 0,
    skipCount: 2,
    lastSignIn: null,
    ways: ['Password', 'Google', 'Azure', 'Pak'],
    locks: [{ of: 'SecondFactor', until: null, attempts: 100 }],
  },
  { ...ada, userId: 'u_4', userIdent: 'grace@example.com', factors: 0, locks: [], sessions: 0, ways: [] },
]
export const firefox = { address: '2001:db8:85a3:8d3:1319:8a2e:370:7348', place: 'Elsewhere', browser: 'Firefox', system: 'Linux' } as const
export const chrome = { address: '203.0.113.7', place: 'Elsewhere', browser: 'Chrome', system: 'Android' } as const
export const authenticator = {
  factorUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  factorFriendlyName: 'Authenticator app',
  factorFactorType: 'TOTP',
  factorDateVerified: '2026-08-01T09:04:10Z',
  factorDateLastUsed: '2026-11-20T02:41:07Z',
} as const
const step = (
  auditAt: string,
  auditEvent: string,
  auditResult: string,
  signIn: string | null,
  from = firefox as UserDetail['activity'][number]['from'],
) =>
  ({
    auditAt: `2026-11-${auditAt}Z`,
    auditEvent,
    auditResult,
    signIn,
    from,
    by: auditResult === 'wrong-password' ? 'Nobody' : 'Self',
  }) as const
export const detail: UserDetail = {
  user: ada,
  userTZLabel: 'Europe/Amsterdam',
  groups: ['oncall'],
  groupsElsewhere: ['operators'],
  recoveryCodes: 9,
  wrongPasswordAddresses: 2,
  secondFactorPolicy: 'Skippable',
  skipsLeft: 3,
  factors: [authenticator],
  sessions: [
    { sessionId: 's_1', own: false, sessionCreated: '2026-11-20T02:41:07Z', sessionSeen: '2026-11-20T02:59:12Z', from: firefox },
    { sessionId: 's_2', own: false, sessionCreated: '2026-11-19T18:20:00Z', sessionSeen: '2026-11-20T02:12:40Z', from: chrome },
  ],
  activity: [
    step('20T02:50:31', 'sign-in', 'wrong-password', null, chrome),
    step('20T02:49:02', 'second-factor', 'wrong-code', 'b', chrome),
    step('20T02:48:40', 'sso', 'google: second-factor-required', 'b', chrome),
    step('20T02:41:07', 'session-started', 'successful', 'a'),
    step('20T02:41:06', 'second-factor', 'successful: TOTP', 'a'),
    step('20T02:40:41', 'second-factor', 'wrong-code', 'a'),
    step('20T02:40:30', 'sign-in', 'second-factor-required', 'a'),
    step('20T02:40:12', 'sign-in', 'wrong-password', 'a'),
    step('20T02:39:58', 'sign-in', 'wrong-password', 'a'),
    { ...step('19T18:31:00', 'factor-removed', 'successful', null, null), by: 'Administrator' },
    { ...step('19T08:12:00', 'user-unlocked', 'successful', null, null), by: 'CommandLine' },
  ],
}
const free: ListedUser = { ...ada, locks: [] }
/** A user's details, with changes. */
export const other = (user: Partial<ListedUser>, facts: Partial<UserDetail> = {}): UserDetail => ({
  ...detail,
  user: { ...free, ...user },
  ...facts,
})

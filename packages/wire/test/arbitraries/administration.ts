import fc from 'fast-check'
import { secondFactorType } from './factors.ts'
import { any, count, flag, listedPass, origin, passScope, record, time, word } from './values.ts'

const signInWay = fc.constantFrom(
  'Password',
  'OneTimeLink',
  'Google',
  'Azure',
  'Pak',
  'TOTP',
  'Push',
  'RecoveryCode',
  'Skip',
  'Passkey',
  'PasskeyFactor',
)
const signInOutcome = fc.constantFrom('SignedIn', 'Passed', 'WrongPassword', 'WrongCode', 'Locked', 'ForcedReset', 'Refused')
const listedUser = record(
  {
    userId: any,
    userIdent: any,
    userCreated: time,
    userForcedReset: flag,
    administrator: flag,
    ways: fc.array(fc.constantFrom('Password', 'Google', 'Azure', 'Pak')),
    factors: count,
    skipCount: count,
    skipMost: count,
    sessions: count,
    locks: fc.array(record({ of: fc.constantFrom('Password', 'SecondFactor'), attempts: count }, { until: time })),
  },
  { lastSignIn: time, passkeys: count, passkeysAlone: count },
)
const administeredPass = record(listedPass, { used: time, usedFrom: any, user: record({ userId: any, userIdent: any }), service: any })
const query = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })

/** The administration page. */
export const administrationArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  AdministrationOverview: record(
    {
      users: count,
      withoutFactor: count,
      skipped: count,
      locked: count,
      forcedReset: count,
      mailsWaiting: count,
      mailsTriedInVain: count,
    },
    { mailsRefused: count, withPasskey: count, outageEnded: time, outageChecks: count },
  ),
  UserListRequest: query({
    search: word,
    filter: fc.constantFrom('All', 'WithoutFactor', 'Skipped', 'Locked', 'ForcedReset', 'Administrators', 'WithPasskey'),
    sort: fc.constantFrom('Address', 'LastSignIn', 'Added'),
    descending: flag,
    after: word,
  }),
  ListedUser: listedUser,
  UserList: record(
    {
      users: fc.array(listedUser, { maxLength: 3 }),
      counts: record({
        All: count,
        WithoutFactor: count,
        Skipped: count,
        Locked: count,
        ForcedReset: count,
        Administrators: count,
        WithPasskey: count,
      }),
    },
    { after: any },
  ),
  UserAdditionRequest: record({ userIdent: word, userTZLabel: word }),
  UserActRequest: record({ userId: word }),
  FactorRemovalRequest: record({ userId: word, factorUUID: word }),
  UserGroupsRequest: record({ userId: word, groups: fc.array(word, { maxLength: 3 }) }),
  SessionRemovalRequest: record({ userId: word, sessionId: word }),
  UserRemovalRequest: record({ userId: word, userIdent: word }),
  UserDetail: record(
    {
      user: listedUser,
      userTZLabel: any,
      groups: fc.array(word, { maxLength: 2 }),
      groupsElsewhere: fc.array(word, { maxLength: 2 }),
      recoveryCodes: count,
      wrongPasswordAddresses: count,
      secondFactorPolicy: fc.constantFrom('Off', 'Skippable', 'Required'),
      skipsLeft: count,
      factors: fc.array(
        record(
          { factorUUID: any, factorFriendlyName: any, factorFactorType: secondFactorType },
          { factorDateVerified: time, factorDateLastUsed: time },
        ),
        { maxLength: 2 },
      ),
      sessions: fc.array(record({ sessionId: any, own: flag, sessionCreated: time, sessionSeen: time, from: origin }), { maxLength: 2 }),
      activity: fc.array(
        record(
          { auditAt: time, auditEvent: any, auditResult: any, by: fc.constantFrom('Self', 'Administrator', 'CommandLine', 'Nobody') },
          { signIn: any, from: origin },
        ),
        { maxLength: 2 },
      ),
    },
    { approvalsPausedUntil: time, passes: count },
  ),
  WaitingMails: record({
    waiting: count,
    mails: fc.array(
      record(
        { mailId: any, mailKind: any, mailCreated: time, mailAttempts: count, mailNext: time, mailExpires: time },
        { mailTo: any, mailRefused: count },
      ),
      { maxLength: 2 },
    ),
  }),
  PassListRequest: query({ search: word, holders: fc.constantFrom('All', 'Users', 'Services'), userId: word, service: word, after: word }),
  AdministeredPass: administeredPass,
  PassList: record(
    {
      passes: fc.array(administeredPass, { maxLength: 3 }),
      counts: record({ All: count, Users: count, Services: count }),
      origins: fc.array(word, { maxLength: 3 }),
      services: count,
      most: count,
    },
    { after: any },
  ),
  ServicePassRequest: record({ service: word, name: word, ...passScope, days: count }),
  PassesEndRequest: query({ userId: word, service: word }),
  BoardRequest: query({ range: fc.constantFrom('Day', 'Week', 'Month', 'Quarter') }),
  AttemptListRequest: fc.record(
    {
      from: time,
      until: time,
      ways: fc.array(signInWay, { minLength: 1, maxLength: 9 }),
      outcomes: fc.array(signInOutcome, { minLength: 1, maxLength: 7 }),
      after: word,
    },
    { requiredKeys: ['from', 'until', 'ways', 'outcomes'] },
  ),
  AttemptList: record(
    {
      attempts: fc.array(
        record({ auditAt: time, way: signInWay, outcome: signInOutcome }, { user: record({ userId: any, userIdent: any }), from: origin }),
        { maxLength: 2 },
      ),
    },
    { after: any },
  ),
  SignInBoard: record({
    zone: any,
    step: fc.constantFrom('Hour', 'Day'),
    slots: fc.array(time, { maxLength: 3 }),
    series: fc.array(
      record({
        way: signInWay,
        outcome: signInOutcome,
        counts: fc.array(count, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
  }),
}

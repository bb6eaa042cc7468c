import type { OwnAccount, OwnPasses } from '@gatehouse/wire'
import type { AccountPage } from '../account/account-page.tsx'

type AccountApi = Parameters<typeof AccountPage>[0]['api']

const at = (day: number, time: string) => `2026-11-${String(day).padStart(2, '0')}T${time}:00.000Z`

/** When Ada looks at her account. */
export const now = at(20, '03:14')

/** Ada's account, with something in most sections. No provider can be linked. */
export const adas: OwnAccount = {
  userIdent: 'ada@example.com',
  userTZLabel: 'Europe/Amsterdam',
  administrator: false,
  hasPassword: true,
  minPasswordLength: 15,
  providers: [],
  sessions: [
    {
      sessionId: 'here',
      own: true,
      sessionCreated: at(20, '03:00'),
      sessionSeen: at(20, '03:12'),
      from: { address: '192.168.1.20', place: 'Here', browser: 'Firefox', system: 'Linux' },
    },
    {
      sessionId: 'road',
      own: false,
      sessionCreated: at(19, '17:30'),
      sessionSeen: at(20, '02:41'),
      from: { address: '203.0.113.7', place: 'Elsewhere', browser: 'Safari', system: 'iPhone' },
    },
    {
      sessionId: 'program',
      own: false,
      sessionCreated: at(19, '21:05'),
      sessionSeen: at(20, '02:15'),
      from: { address: '2001:db8:85a3:8d3:1319:8a2e:370:7348', place: 'Elsewhere' },
    },
  ],
  browsers: [
    {
      browserId: 'here',
      own: true,
      browserFirstSeen: at(2, '07:30'),
      browserSignedIn: at(20, '03:00'),
      from: { address: '192.168.1.20', place: 'Here', browser: 'Firefox', system: 'Linux' },
    },
    {
      browserId: 'road',
      own: false,
      browserFirstSeen: at(19, '17:30'),
      browserSignedIn: at(19, '17:30'),
      from: { address: '203.0.113.7', place: 'Elsewhere', browser: 'Safari', system: 'iPhone' },
    },
    { browserId: 'old', own: false, browserSignedIn: at(1, '12:00') },
  ],
  factors: [
    {
      factorUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      factorFriendlyName: 'Authenticator app',
      factorDateCreated: at(10, '08:00'),
      factorDateLastUsed: at(20, '03:00'),
    },
    {
      factorUUID: '550e8400-e29b-41d4-a716-446655440000',
      factorFriendlyName: 'Old phone in the drawer',
      factorFactorType: 'TOTP',
      factorDateCreated: at(12, '19:20'),
    },
  ],
  mayChangeFactors: true,
  mayBeWithout: true,
  mostFactors: 5,
  passes: true,
  recoveryCodesLeft: 9,
  skipsUsed: 0,
  activity: {
    rows: [
      { kind: 'SignedIn', at: at(20, '03:00'), from: { address: '192.168.1.20', place: 'Here', browser: 'Firefox', system: 'Linux' } },
      { kind: 'PasswordWrong', at: at(20, '02:59'), from: { address: '198.51.100.66', place: 'Elsewhere' } },
      { kind: 'AccountUnlocked', at: at(18, '09:00') },
    ],
    more: 'more',
  },
}

/** Ada's passes: one in use, and one of limited scope that was never used. */
export const adasPasses: OwnPasses = {
  passes: [
    {
      passId: 'backup',
      name: 'Nightly backup',
      to: ['https://grafana.example.com/api/*', 'https://prometheus.example.com/*'],
      methods: [],
      from: [],
      created: at(1, '12:00'),
      expires: '2027-11-01T12:00:00.000Z',
      used: at(20, '02:30'),
      usedFrom: '10.0.0.5',
    },
    {
      passId: 'exporter',
      name: 'Exporter',
      to: ['https://prometheus.example.com/metrics'],
      methods: ['GET', 'HEAD'],
      from: ['10.0.0.0/8', '192.168.0.0/16'],
      created: at(20, '03:14'),
      expires: '2026-12-20T03:14:00.000Z',
    },
  ],
  origins: ['https://grafana.example.com', 'https://prometheus.example.com'],
  most: 20,
}

const never = () => new Promise<never>(() => {})

/** The calls of the account page. Calls without an answer here never end. */
export const accountApi = (answers: Partial<AccountApi> = {}): AccountApi => ({
  logoutBySelf: never,
  userAccount: never,
  userActivity: never,
  userLanguage: never,
  userTimeZone: never,
  userPasswordConfirm: never,
  userPasswordUpdate: never,
  userPasswordCreate: never,
  userEmailChange: never,
  userSessionEnd: never,
  userSessionEndOthers: never,
  userBrowserForget: never,
  userBrowserForgetOthers: never,
  userPasses: never,
  userPassAdd: never,
  userPassEnd: never,
  userFactorAdd: never,
  userFactorAddPush: never,
  userFactorPushProgress: never,
  userFactorPushAgain: never,
  userFactorVerify: never,
  userFactorRename: never,
  userFactorRemove: never,
  userRecoveryCodesAnew: never,
  userProviderLink: never,
  userProviderUnlink: never,
  ...answers,
})

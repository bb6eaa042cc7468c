import { dateTimeFormat } from '@gatehouse/wire'
import { expect, it } from 'vitest'
import { helpFor, noteOf, sentenceOf, toneOf, type VerdictFacts, verdictOf } from './verdict.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const dates = dateTimeFormat('Europe/Amsterdam')

const user: VerdictFacts['user'] = {
  userId: 'u',
  userIdent: 'ada@example.com',
  userCreated: '2026-08-01T09:00:00Z',
  userForcedReset: false,
  administrator: false,
  ways: ['Password'],
  factors: 1,
  skipCount: 0,
  skipMost: 3,
  sessions: 0,
  locks: [],
}
const totp = { factorUUID: 'f', factorFriendlyName: 'App', factorFactorType: 'TOTP' } as const
const phone = { ...totp, factorFactorType: 'Push' } as const
type Changes = Partial<Omit<VerdictFacts, 'user'>> & { user?: Partial<VerdictFacts['user']> }
const factsWith = ({ user: changed, ...facts }: Changes): VerdictFacts => ({
  wrongPasswordAddresses: 2,
  approvalsPausedUntil: null,
  secondFactorPolicy: 'Skippable',
  skipsLeft: 0,
  factors: [totp],
  ...facts,
  user: { ...user, ...changed },
})
const today = '2026-11-20T15:18:30Z'
const tomorrow = '2026-11-21T11:00:00Z'
const password = { of: 'Password', until: today, attempts: 12 } as const
const disabled = { of: 'Password', until: null, attempts: 100 } as const
const codes = { of: 'SecondFactor', until: today, attempts: 5 } as const

it.each<[string, ReturnType<typeof toneOf>, ReturnType<typeof helpFor>, string | undefined, Changes]>([
  ['Can sign in', 'good', undefined, undefined, {}],
  ['Can sign in', 'good', undefined, undefined, { user: { factors: 0 }, factors: [], secondFactorPolicy: 'Off' }],
  ['Locked until 16:18 after 12 wrong passwords from 2 addresses', 'bad', 'unlock', undefined, { user: { locks: [password] } }],
  [
    'Locked until 21\u00a0Nov, 12:00 after 10 wrong passwords from 1 address',
    'bad',
    'unlock',
    'Sign-in with Google or Azure still works.',
    {
      user: { locks: [{ ...password, until: tomorrow, attempts: 10 }], ways: ['Password', 'Google', 'Azure'] },
      wrongPasswordAddresses: 1,
    },
  ],
  // Audit rows from older versions may contain no address.
  ['Locked until 16:18 after 12 wrong passwords', 'bad', 'unlock', undefined, { user: { locks: [password] }, wrongPasswordAddresses: 0 }],
  [
    'Password disabled after 100 wrong passwords from 2 addresses',
    'bad',
    'unlock',
    'Until you unlock it, or the user resets it by email.',
    { user: { locks: [disabled] } },
  ],
  [
    'Password disabled after 100 wrong passwords from 2 addresses',
    'bad',
    'unlock',
    'Sign-in with Pak still works.',
    { user: { locks: [disabled], ways: ['Password', 'Pak'] } },
  ],
  [
    'Locked until 16:18 after 12 wrong passwords from 2 addresses',
    'bad',
    'unlock',
    'Sign-in with Google or a passkey still works.',
    { user: { locks: [password], ways: ['Password', 'Google'], passkeys: 1 } },
  ],
  [
    'Locked until 16:18 after 12 wrong passwords from 2 addresses',
    'bad',
    'unlock',
    'Sign-in with Google still works.',
    { user: { locks: [password], ways: ['Password', 'Google'], passkeys: 1, passkeysAlone: 0 } },
  ],
  ['Can sign in', 'good', undefined, undefined, { user: { ways: [], passkeys: 1 } }],
  ['Can sign in', 'good', undefined, undefined, { user: { ways: [], passkeys: 2, passkeysAlone: 1 } }],
  [
    'Has not chosen a password yet',
    'warning',
    'sendLink',
    'The link in an invitation works for 24 hours.',
    { user: { ways: [], passkeys: 1, passkeysAlone: 0 } },
  ],
  ['Second factor locked until 16:18 after 5 wrong codes', 'bad', 'unlock', undefined, { user: { locks: [codes] } }],
  ['Second factor disabled after 1 wrong code', 'bad', 'unlock', undefined, { user: { locks: [{ ...codes, until: null, attempts: 1 }] } }],
  // The verdict names the obstacle that the user meets first.
  ['Locked until 16:18 after 12 wrong passwords from 2 addresses', 'bad', 'unlock', undefined, { user: { locks: [codes, password] } }],
  [
    'Must choose a new password',
    'warning',
    'sendLink',
    'The user gets a link by email, or from ‘Forgot your password?’ on the sign-in page.',
    { user: { userForcedReset: true, locks: [password, codes] } },
  ],
  ['Has not chosen a password yet', 'warning', 'sendLink', 'The link in an invitation works for 24 hours.', { user: { ways: [] } }],
  // A user who has signed in before gets the link that works for 30 minutes.
  ['Has not chosen a password yet', 'warning', 'sendLink', undefined, { user: { ways: [], lastSignIn: '2026-11-01T09:00:00Z' } }],
  [
    'Phone approvals paused until 21\u00a0Nov, 12:00',
    'bad',
    'unlock',
    'Too many requests were denied or not answered. A recovery code still works.',
    { factors: [phone], approvalsPausedUntil: tomorrow },
  ],
  ['Can sign in', 'good', undefined, undefined, { factors: [phone, totp], approvalsPausedUntil: tomorrow }],
  ['Has no second factor; may skip 2 more times', 'warning', undefined, undefined, { user: { factors: 0 }, factors: [], skipsLeft: 2 }],
  ['Has no second factor; may skip 1 more time', 'warning', undefined, undefined, { user: { factors: 0 }, factors: [], skipsLeft: 1 }],
  [
    'Has no second factor; must set one up at the next sign-in',
    'warning',
    undefined,
    undefined,
    { user: { factors: 0 }, factors: [], secondFactorPolicy: 'Required' },
  ],
])('says ‘%s’', (sentence, tone, help, note, changes) => {
  const facts = factsWith(changes)
  const verdict = verdictOf(facts)
  expect(sentenceOf(verdict, dates, now)).toBe(sentence)
  expect([toneOf(verdict), helpFor(verdict)]).toEqual([tone, help])
  expect(noteOf(verdict, facts, way => way)).toBe(note)
})

it('has a verdict for every combination of facts, and says that users can sign in only where nothing stops them', () => {
  const all = [true, false].flatMap(userForcedReset =>
    [[], [password], [disabled], [codes], [password, codes]].flatMap(locks =>
      [[], ['Password'], ['Google']].flatMap(ways =>
        (['Off', 'Skippable', 'Required'] as const).flatMap(secondFactorPolicy =>
          [0, 2].flatMap(skipsLeft =>
            [[], [totp], [phone]].map(factors =>
              factsWith({
                user: { userForcedReset, locks, ways: ways as VerdictFacts['user']['ways'], factors: factors.length },
                secondFactorPolicy,
                skipsLeft,
                factors,
              }),
            ),
          ),
        ),
      ),
    ),
  )
  expect(all).toHaveLength(540)
  for (const facts of all) {
    const verdict = verdictOf(facts)
    expect(sentenceOf(verdict, dates, now)).toMatch(/^[A-Z].{9,}[^.]$/)
    const isFree = !facts.user.userForcedReset && facts.user.locks.length === 0 && facts.user.ways.length > 0
    const hasAll = facts.user.factors > 0 || facts.secondFactorPolicy === 'Off'
    expect([verdict.is === 'CanSignIn', toneOf(verdict) === 'good']).toEqual(Array(2).fill(isFree && hasAll))
    if (!isFree) expect(helpFor(verdict)).toBeDefined()
  }
})

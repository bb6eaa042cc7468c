// @vitest-environment jsdom
import { pseudoTag } from '@gatehouse/language/pseudo.ts'
import { textIn } from '@gatehouse/language/text.ts'
import {
  dateTimeFormat,
  type ListedUser,
  type SignInBoard,
  signInOutcomes,
  signInWays,
  type UserDetail,
  unnamedAuthenticator,
} from '@gatehouse/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administrationTexts, speak } from '../messages/current.ts'
import { englishAdministration } from '../messages/en-administration.ts'
import { stubDialogs } from '../testing/account-page.ts'
import { counts, detail, open, user } from '../testing/administration-page.tsx'
import { plainWordsOf, pseudoOf } from '../testing/pseudo-language.ts'
import { draw, press } from '../testing/render.ts'
import { allEnglish } from '../testing/speak-english.ts'
import { boardFigures } from './board-figures.ts'
import { BoardTable } from './board-table.tsx'
import { allPasses, allUsers, type Route, withoutFactor } from './route.ts'
import { stepText } from './step-text.ts'
import { sentenceOf } from './verdict.ts'

beforeEach(stubDialogs)
afterEach(() => speak('en', allEnglish))

// No Latin letters in the data.
const at = '2026-11-20T03:04:05Z'
const from = { address: '203.0.113.7', place: 'Elsewhere', browser: 'Браузер', system: 'Система' } as const
const ada: ListedUser = {
  ...user,
  userIdent: 'ада@почта.рф',
  lastSignIn: at,
  administrator: true,
  userForcedReset: true,
  ways: ['Password', 'Google'],
  factors: 2,
  locks: [
    { of: 'Password', until: at, attempts: 12 },
    { of: 'SecondFactor', until: null, attempts: 5 },
  ],
}
const { events, results, steps } = englishAdministration.audit
const lines = [
  ...Object.keys(events).map(auditEvent => ({ auditEvent, auditResult: 'successful' })),
  ...Object.keys(results).map(auditResult => ({ auditEvent: 'sign-in', auditResult })),
  ...Object.keys(results).map(code => ({ auditEvent: 'sso', auditResult: `google: not linked: ${code}` })),
  ...Object.keys(steps).map(step => ({ auditEvent: step.split(' ')[0] ?? '', auditResult: step.slice(step.indexOf(' ') + 1) })),
  { auditEvent: 'second-factor', auditResult: 'wrong-code: clock-ahead: 3 min' },
  { auditEvent: 'sso', auditResult: 'google: successful' },
  { auditEvent: 'sso', auditResult: 'google: successful: Provider' },
]
const adas: UserDetail = {
  ...detail,
  user: ada,
  userTZLabel: '+03:00',
  factors: (['TOTP', 'Push', 'Passkey'] as const).map(factorFactorType => ({
    factorUUID: factorFactorType,
    factorFriendlyName: 'Телефон',
    factorFactorType,
    factorDateVerified: at,
  })),
  sessions: [true, false].map(own => ({ sessionId: String(own), own, sessionCreated: at, sessionSeen: at, from })),
  activity: lines.map((line, index) => ({
    ...line,
    auditAt: at,
    from,
    signIn: index % 3 === 0 ? null : `sign-in ${Math.floor(index / 3)}`,
    by: index % 2 === 0 ? 'Administrator' : 'CommandLine',
  })),
}
const ok = <T,>(value: T) => Promise.resolve({ ok: true, value } as const)
const mail = { mailId: '1', mailTo: 'ада@почта.рф', mailCreated: at, mailAttempts: 2, mailNext: at, mailExpires: at }
const board: SignInBoard = {
  zone: '+03:00',
  step: 'Hour',
  slots: [at, '2026-11-20T04:04:05Z'],
  series: signInWays.flatMap(way => signInOutcomes.map(outcome => ({ way, outcome, counts: [1234, 1] }))),
}
const api = {
  overview: () =>
    ok({
      users: 1,
      withoutFactor: 1,
      skipped: 0,
      locked: 1,
      forcedReset: 1,
      mailsWaiting: 3,
      mailsTriedInVain: 2,
      mailsRefused: 1,
      outageEnded: at,
      outageChecks: 3,
      doors: Object.keys(englishAdministration.doorBanner.states).map((state, status) => ({
        origin: `://${status}`,
        state: state as keyof typeof englishAdministration.doorBanner.states,
        path: '/',
        status: status === 0 ? null : 200,
        since: at,
      })),
    }),
  users: () => ok({ users: [ada, { ...ada, userId: '2', factors: 0, skipCount: 1, locks: [] }], after: '2', counts }),
  user: () => ok(adas),
  mails: () =>
    ok({
      waiting: 1234,
      mails: [...Object.keys(englishAdministration.mails.kinds), 'of-a-newer-server'].map((mailKind, index) => ({
        ...mail,
        mailId: mailKind,
        mailKind,
        ...(index === 0 && { mailRefused: 550 }),
      })),
    }),
  attempts: () =>
    ok({
      attempts: signInWays.flatMap(way =>
        signInOutcomes.map(outcome => ({ auditAt: at, way, outcome, from, user: { userId: 'u', userIdent: 'ада@почта.рф' } })),
      ),
    }),
  board: () => ok({ ...board, series: [] }),
  passes: () =>
    ok({
      passes: [
        {
          passId: '1',
          name: 'Копия',
          to: ['://1'],
          methods: [],
          from: [],
          created: at,
          expires: at,
          used: at,
          usedFrom: '203.0.113.7',
          service: '1',
        },
      ],
      after: '2',
      counts: { All: 1234, Users: 1, Services: 1 },
      origins: ['://1'],
      services: 1,
      most: 5,
    }),
}

describe('in another language', () => {
  it.each<Route>([
    allUsers,
    withoutFactor,
    { ...allUsers, search: 'ада', after: '1' },
    { at: 'user', userId: 'u' },
    { at: 'board', range: 'Day' },
    { at: 'attempts', look: 'Failed', from: at, until: at, after: '1' },
    { at: 'attempts', look: 'Password', from: at, until: at, after: undefined },
    { at: 'mails' },
    allPasses,
    { ...allPasses, service: '1' },
  ])('shows no English at $at', async route => {
    speak(pseudoTag, pseudoOf(allEnglish))
    await open(route, api, { username: 'дана@почта.рф', zone: '+03:00' })
    expect(document.body.textContent).toContain(administrationTexts.sections.users)
    expect(plainWordsOf(document.body).filter(word => word !== 'Gatehouse')).toEqual([])
  })

  it.each<[string, Route, () => string]>([
    ...(['setGroups', 'forceReset', 'endSessions', 'delete', 'sendLink'] as const).map((kind): [string, Route, () => string] => [
      kind,
      { at: 'user', userId: 'u' },
      () => administrationTexts.acts[kind].button,
    ]),
    ['removeFactor', { at: 'user', userId: 'u' }, () => administrationTexts.user.factor.remove],
    ['endSession', { at: 'user', userId: 'u' }, () => administrationTexts.user.session.end],
    ['add', allUsers, () => administrationTexts.acts.add.button],
    ['addPass', allPasses, () => administrationTexts.passes.acts.addPass.button],
    ['endPass', allPasses, () => administrationTexts.passes.columns.end],
    ['endPasses', { ...allPasses, service: '1' }, () => administrationTexts.passes.acts.endPasses.button],
  ])('shows no English in the dialog %s', async (_, route, button) => {
    speak(pseudoTag, pseudoOf(allEnglish))
    await open(route, api, { username: 'дана@почта.рф', zone: '+03:00' })
    await press(button())
    expect(document.querySelector('dialog h2')?.textContent).toMatch(/[àéöû]/iu)
    expect(plainWordsOf(document.querySelector('dialog') ?? document)).toEqual([])
  })

  it.each(boardFigures(board).figures.map((_, index) => index))('shows no English in the table of chart %i', async index => {
    speak(pseudoTag, pseudoOf(allEnglish))
    const figure = boardFigures(board).figures[index]
    if (!figure) throw new TypeError('no such chart')
    await draw(<BoardTable figure={figure} slots={board.slots} step="Hour" dates={dateTimeFormat('UTC', pseudoTag)} shown />)
    expect(document.querySelectorAll('tbody tr')).toHaveLength(2)
    expect(plainWordsOf(document.body)).toEqual([])
  })
})

it('names an authenticator app that its user has not named', async () => {
  speak(pseudoTag, pseudoOf(allEnglish))
  const factors = adas.factors.map(factor => ({ ...factor, factorFriendlyName: unnamedAuthenticator })).slice(0, 1)
  await open({ at: 'user', userId: 'u' }, { ...api, user: () => ok({ ...adas, factors }) }, { username: 'дана@почта.рф', zone: '+03:00' })
  expect(plainWordsOf(document.body).filter(word => word !== 'Gatehouse')).toEqual([])
  const { factor, factorTypes } = administrationTexts.user
  await press(factor.remove)
  expect(document.querySelector(`[aria-label="${factor.removeOf(factorTypes.TOTP)}"]`)).not.toBeNull()
})

it('uses the plural forms, the numbers and the dates of the language', () => {
  const text = textIn('uk')
  const { verdict } = englishAdministration
  speak('uk', {
    administration: {
      ...englishAdministration,
      verdict: {
        ...verdict,
        secondFactorLocked: text(
          'Другий фактор заблоковано до {until} після {attempts, plural, one {# неправильного коду} other {# неправильних кодів}}',
          'until',
          'attempts',
        ),
      },
    },
  })
  const locked = (attempts: number) =>
    sentenceOf({ is: 'SecondFactorLocked', until: at, attempts }, dateTimeFormat('UTC', 'uk'), Date.parse('2027-01-01T00:00:00Z'))
  expect(locked(21)).toBe('Другий фактор заблоковано до 20\u00a0лист., 03:04 після 21 неправильного коду')
  expect(locked(1234)).toBe('Другий фактор заблоковано до 20\u00a0лист., 03:04 після 1\u00a0234 неправильних кодів')
})

it('keeps the capital letter after a colon in German, but not in Spanish', () => {
  const step = { auditEvent: 'sso', auditResult: 'google: second-factor-required' }
  const of = (steps: Record<string, string>) => ({
    administration: { ...englishAdministration, audit: { ...englishAdministration.audit, steps } },
  })
  speak('de', of({ 'second-factor-required': 'Zweiter Faktor erforderlich' }))
  expect(stepText(step)).toBe('Google: Zweiter Faktor erforderlich')
  speak('es', of({ 'second-factor-required': 'Segundo factor obligatorio' }))
  expect(stepText(step)).toBe('Google: segundo factor obligatorio')
})

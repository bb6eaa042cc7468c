// @vitest-environment jsdom
import type { UserDetail } from '@gatehouse/wire'
import { beforeEach, expect, it } from 'vitest'
import { stubDialogs } from '../testing/account-page.ts'
import { detail, done, open, refused, said, submit, user } from '../testing/administration-page.tsx'
import { button, press } from '../testing/render.ts'
import { allUsers } from './route.ts'

beforeEach(stubDialogs)

/** Figures for an overview without warnings. */
const figures = { users: 1, withoutFactor: 0, skipped: 0, locked: 0, forcedReset: 0, mailsWaiting: 0, mailsTriedInVain: 0 }

it('shows the verdict with the button that unlocks the user, and ends one session', async () => {
  const ended: unknown[] = []
  const from = { address: '2001:db8::7', place: 'Elsewhere', browser: 'Firefox', system: 'Linux' } as const
  const session = { sessionId: 's', own: false, sessionCreated: '2026-11-20T03:00:00Z', sessionSeen: '2026-11-20T03:00:00Z', from }
  const value: UserDetail = {
    ...detail,
    user: { ...user, ways: ['Password'], locks: [{ of: 'Password', attempts: 100 }] },
    wrongPasswordAddresses: 1,
    sessions: [session, { ...session, sessionId: 'own', own: true }],
  }
  await open(
    { at: 'user', userId: 'u' },
    {
      user: () => Promise.resolve({ ok: true, value }),
      endSession: request => {
        ended.push(request)
        return done()
      },
    },
  )
  const status = document.querySelector('section')
  expect(status?.textContent).toContain('Password disabled after 100 wrong passwords from 1 address')
  expect([...(status?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)).toEqual(['Unlock'])
  // Administrators end their own session by signing out.
  expect([...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'End')).toHaveLength(1)
  expect(button('End').getAttribute('aria-label')).toBe('End the session on Firefox on Linux, 2001:db8::7')
  await press('End')
  expect(document.querySelector('dialog h2')?.textContent).toBe('End a session of ada@example.com')
  await submit()
  expect(ended).toEqual([{ userId: 'u', sessionId: 's' }])
  expect(said()).toContain('A session of ada@example.com was ended.')
})

it('shows a sign-in as one closed entry, with its steps in words', async () => {
  const step = { auditAt: '2026-11-20T03:00:00Z', signIn: 'a', by: 'Self' } as const
  const activity = [
    { ...step, auditEvent: 'second-factor', auditResult: 'wrong-code' },
    { ...step, auditEvent: 'sso', auditResult: 'google: second-factor-required' },
    { ...step, auditEvent: 'user-unlocked', auditResult: 'successful', signIn: null, by: 'Administrator' as const },
  ]
  await open({ at: 'user', userId: 'u' }, { user: () => Promise.resolve({ ok: true, value: { ...detail, activity } }) })
  const signIn = document.querySelector('details')
  expect(signIn?.open).toBe(false)
  expect(signIn?.querySelector('summary')?.textContent).toContain('Not signed in: wrong code')
  expect(signIn?.querySelector('summary')?.textContent).toContain('Google: second factor required, then wrong code')
  expect([...(signIn?.querySelectorAll('li') ?? [])].map(one => one.textContent)).toEqual([
    'Google: second factor required03:00:00',
    'Wrong code03:00:00',
  ])
  expect(document.body.textContent).toContain('By an administrator')
})

it('signs the administrator out, or says that they are still signed in', async () => {
  let ok = false
  const pushed = await open(allUsers, { logoutBySelf: () => (ok ? done() : refused('Too many requests', 429)) })
  await press('Sign out')
  expect(document.querySelector('[role=alert]')?.parentElement?.textContent).toContain('still signed in')
  ok = true
  await press('Sign out')
  expect(pushed).toEqual(['visit: /base/'])
})

it('says that requests were allowed while the database was unreachable', async () => {
  const value = { ...figures, outageEnded: '2026-11-20T03:04:00Z', outageChecks: 12 }
  await open({ at: 'user', userId: 'u' }, { overview: () => Promise.resolve({ ok: true, value }) })
  expect(document.body.textContent).toContain(
    'The database was unreachable until 20 Nov 2026, 03:04. Meanwhile, 12 requests of signed-in users were allowed.',
  )
})

it('lists five applications that are open or unreachable, says what to do, and counts the others', async () => {
  const doors = Array.from({ length: 6 }, (_, i) => ({
    origin: `https://app-${i}.example.com`,
    state: i === 0 ? ('Open' as const) : ('Unreachable' as const),
    path: '/api/x',
    status: i === 0 ? 200 : null,
    since: '2026-11-20T03:04:00Z',
  }))
  await open({ at: 'user', userId: 'u' }, { overview: () => Promise.resolve({ ok: true, value: { ...figures, doors } }) })
  const [first, ...others] = [...document.querySelectorAll('[role=alert] p')].map(one => one.textContent)
  expect(first).toBe(
    'https://app-0.example.com, since 20 Nov 2026, 03:04: open to everyone. Take the application offline, or make the proxy ask Gatehouse before each request. Request: /api/x. Status: 200.',
  )
  expect(others).toHaveLength(5)
  expect(others[0]).toContain('Status: no answer.')
  expect(others.at(-1)).toBe('And 1 more application.')
})

it.each([
  ['users', allUsers, true],
  ['mails', { at: 'mails' }, false],
] as const)('warns of delayed emails in the section %s, with a link unless the section lists them', async (_, route, isLinked) => {
  const value = { ...figures, mailsWaiting: 1, mailsTriedInVain: 1 }
  await open(route, { overview: () => Promise.resolve({ ok: true, value }) })
  expect(document.querySelector('[role=alert] p')?.textContent).toBe('1 email is delayed. Check the mail server.')
  expect(document.querySelector('[role=alert] a') !== null).toBe(isLinked)
})

it('says on a separate line that emails were rejected', async () => {
  const value = { ...figures, mailsWaiting: 2, mailsTriedInVain: 1, mailsRefused: 1 }
  await open({ at: 'mails' }, { overview: () => Promise.resolve({ ok: true, value }) })
  expect([...document.querySelectorAll('[role=alert] p')].map(line => line.textContent)).toEqual([
    '1 email is delayed. Check the mail server.',
    'The mail server permanently rejected the address of 1 email.',
  ])
})

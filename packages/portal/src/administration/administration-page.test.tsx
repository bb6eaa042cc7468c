// @vitest-environment jsdom
import type { ErrorCode, ListedUser, UserDetail, UserListRequest } from '@gatehouse/wire'
import { act } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { button, draw, errorOf, field, heading, press } from '../testing/render.ts'
import type { AdministrationApi } from './administration-api.ts'
import { AdministrationPage } from './administration-page.tsx'
import { allUsers, type Route, routeOf } from './route.ts'

const never = () => new Promise<never>(() => {})
const done = () => Promise.resolve({ ok: true, value: undefined } as const)
const refused = (message: string, status: number, code?: ErrorCode) =>
  Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status, ...(code && { code }) } } as const)

const user: ListedUser = {
  userId: 'u',
  userIdent: 'ada@example.com',
  userCreated: '2026-11-20T03:00:00Z',
  userForcedReset: false,
  administrator: false,
  ways: [],
  factors: 0,
  skipCount: 0,
  skipMost: 3,
  sessions: 0,
  locks: [],
}
const detail: UserDetail = {
  groups: [],
  groupsElsewhere: [],
  user,
  userTZLabel: 'UTC',
  recoveryCodes: 0,
  wrongPasswordAddresses: 0,
  secondFactorPolicy: 'Off',
  skipsLeft: 0,
  factors: [],
  sessions: [],
  activity: [],
}
const counts = { All: 1, WithoutFactor: 1, Skipped: 0, Locked: 0, ForcedReset: 0, Administrators: 0, WithPasskey: 0 }

const open = async (start: Route, api: Partial<AdministrationApi>, own: { hasPasskey?: boolean; passkeys?: PasskeyAccess } = {}) => {
  const pushed: string[] = []
  const silent: AdministrationApi = {
    overview: never,
    users: never,
    user: () => Promise.resolve({ ok: true, value: detail }),
    mails: never,
    board: never,
    attempts: never,
    add: never,
    unlock: never,
    forceReset: never,
    endSession: never,
    endSessions: never,
    sendLink: never,
    setGroups: never,
    removeFactor: never,
    remove: never,
    userPasswordConfirm: never,
    logoutBySelf: never,
  }
  const addresses = {
    read: () => start,
    push: (address: string) => pushed.push(address),
    replace: (address: string) => pushed.push(`in place: ${address}`),
    listen: () => () => {},
  }
  const who = { username: 'admin@example.com', zone: 'UTC', hasPasskey: false, ...own }
  await draw(
    <AdministrationPage
      {...who}
      base="/base"
      api={{ ...silent, ...api }}
      addresses={addresses}
      visit={place => pushed.push(`visit: ${place}`)}
    />,
  )
  return pushed
}
const type = (name: string, text: string) =>
  act(async () => {
    const input = field(name)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
const submit = () =>
  act(async () => document.querySelector('dialog form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })))
const said = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent).join(' ')

HTMLDialogElement.prototype.showModal = function () {
  this.open = true
}
HTMLDialogElement.prototype.close = function () {
  this.open = false
}

it('takes a passkey in place of the password of an administrator who has one', async () => {
  const removed: unknown[] = []
  const confirm = vi.fn<PasskeyAccess['confirm']>(() => done())
  const remove: AdministrationApi['remove'] = request => {
    removed.push(request)
    return removed.length === 1 ? refused('sign in again', 403, 'ReauthenticationRequired') : done()
  }
  const passkeys = { isSupported: () => true, add: vi.fn(), prove: vi.fn(), confirm, tidy: vi.fn() }
  await open({ at: 'user', userId: 'u' }, { remove }, { hasPasskey: true, passkeys })
  await press('Delete user')
  await type('userIdent', 'ada@example.com')
  await submit()
  expect(document.querySelector('dialog h2')?.textContent).toBe('Confirm it’s you')
  await press('Use a passkey')
  expect([confirm.mock.calls.length, removed.length]).toEqual([1, 2])
  expect(document.querySelector('dialog')).toBeNull()
})

it('asks for the password when the session is too old, then runs the action with what was typed before', async () => {
  const removed: unknown[] = []
  const passwords: unknown[] = []
  const pushed = await open(
    { at: 'user', userId: 'u' },
    {
      remove: request => {
        removed.push(request)
        return removed.length === 1 ? refused('sign in again', 403, 'ReauthenticationRequired') : done()
      },
      userPasswordConfirm: request => {
        passwords.push(request)
        return request.password === 'right' ? done() : refused('password: is wrong', 403)
      },
    },
  )
  await press('Delete user')
  await type('userIdent', 'grace@example.com')
  await submit()
  expect(errorOf(field('userIdent'))).toContain('not the address')
  expect(removed).toEqual([])
  await type('userIdent', ' ADA@example.com ')
  await submit()
  expect(document.querySelector('dialog h2')?.textContent).toBe('Confirm it’s you')
  await type('password', 'wrong')
  await submit()
  expect(errorOf(field('password'))).toBe('The password is wrong.')
  await type('password', 'right')
  await submit()
  expect(passwords).toEqual([{ password: 'wrong' }, { password: 'right' }])
  expect(removed).toEqual(Array(2).fill({ userId: 'u', userIdent: 'ADA@example.com' }))
  expect(document.querySelector('dialog')).toBeNull()
  expect(said()).toContain('ada@example.com was deleted.')
  expect(pushed).toEqual(['/base/administration/users'])
})

it('changes the groups of a user, and refuses names that the rules reserve', async () => {
  const sent: unknown[] = []
  const value: UserDetail = { ...detail, groups: ['oncall', 'sre'], groupsElsewhere: ['platform'] }
  await open(
    { at: 'user', userId: 'u' },
    {
      user: () => Promise.resolve({ ok: true, value }),
      setGroups: request => {
        sent.push(request)
        return done()
      },
    },
  )
  expect(document.body.textContent).toContain('Groupsoncall, sreGroups from rules or a providerplatform')
  await press('Change groups')
  expect(field('groups').value).toBe('oncall sre')
  for (const wrong of ['oncall administrators', 'Oncall', 'a_b$']) {
    await type('groups', wrong)
    await submit()
    expect(errorOf(field('groups'))).toContain('A group can’t be named')
  }
  expect(sent).toEqual([])
  await type('groups', ' oncall,  ops-eu ')
  await submit()
  expect(sent).toEqual([{ userId: 'u', groups: ['oncall', 'ops-eu'] }])
  expect(said()).toContain('The groups of ada@example.com were changed.')
})

it('keeps the dialog open while an action runs, and shows the result until the administrator leaves the section', async () => {
  let answer: (reply: Awaited<ReturnType<AdministrationApi['unlock']>>) => void = () => {}
  const asked: unknown[] = []
  await open(
    { at: 'user', userId: 'u' },
    {
      user: () => Promise.resolve({ ok: true, value: { ...detail, user: { ...user, locks: [{ of: 'Password', attempts: 100 }] } } }),
      unlock: request => {
        asked.push(request)
        return new Promise(resolve => (answer = resolve))
      },
    },
  )
  await press('Unlock')
  await submit()
  await submit()
  await press('Cancel')
  expect(document.querySelector('dialog h2')?.textContent).toBe('Unlock ada@example.com')
  await act(async () => answer({ ok: true, value: undefined }))
  expect(document.querySelector('dialog')).toBeNull()
  expect(asked).toEqual([{ userId: 'u' }])
  expect(said()).toContain('ada@example.com was unlocked.')
  await press('Users')
  expect(said()).not.toContain('ada@example.com was unlocked.')
})

it('does not show the users of one filter under another', async () => {
  let answer: (reply: Awaited<ReturnType<AdministrationApi['users']>>) => void = () => {}
  const asked: unknown[] = []
  const pushed = await open(routeOf('/administration/users', ''), {
    users: (request, signal) => {
      asked.push(request)
      return new Promise(resolve => {
        if (request.filter === 'All') answer = resolve
        signal?.addEventListener('abort', () => {})
      })
    },
  })
  await press('Locked')
  expect(pushed).toEqual(['/base/administration/users?filter=Locked'])
  await act(async () => answer({ ok: true, value: { users: [user], counts } }))
  expect(document.body.textContent).not.toContain('ada@example.com')
  expect(asked).toHaveLength(2)
  expect(heading()).toBe('Users')
  expect(button('Locked').getAttribute('aria-current')).toBe('true')
})

it('searches while the administrator types, once per pause, and shows the old list until the new one is there', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: UserListRequest[] = []
  const answers: ((reply: Awaited<ReturnType<AdministrationApi['users']>>) => void)[] = []
  const pushed = await open(allUsers, {
    users: request => {
      asked.push(request)
      return new Promise(resolve => answers.push(resolve))
    },
  })
  const busy = () => document.querySelector('[aria-busy=true]')
  await act(async () => answers[0]?.({ ok: true, value: { users: [user], counts: { ...counts, All: 40 } } }))
  expect(button('All users 40').getAttribute('aria-current')).toBe('true')
  for (const text of ['g', 'gr', 'gra']) await type('search', text)
  expect(asked).toHaveLength(1)
  await act(async () => void vi.advanceTimersByTime(250))
  expect(asked.map(request => request.search)).toEqual([undefined, 'gra'])
  expect(pushed).toEqual(['in place: /base/administration/users?search=gra'])
  expect(busy()?.textContent).toContain('ada@example.com')
  const grace = { ...user, userId: 'g', userIdent: 'grace@example.com' }
  await act(async () => answers[1]?.({ ok: true, value: { users: [grace], counts: { ...counts, Locked: 1 } } }))
  expect(busy()).toBeNull()
  expect(document.body.textContent).not.toContain('ada@example.com')
  expect(button('Locked 1')).toBeDefined()
  expect(said()).toContain('1 user')
  // Enter does not wait.
  await type('search', 'grace')
  await act(async () => document.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })))
  expect(asked.at(-1)?.search).toBe('grace')
  expect(document.activeElement?.tagName).not.toBe('H1')
})

it('sorts by a column and reverses it, from the start of the list', async () => {
  const asked: UserListRequest[] = []
  const pushed = await open(
    { ...allUsers, after: 'begins b' },
    {
      users: request => {
        asked.push(request)
        return Promise.resolve({ ok: true, value: { users: [user], counts } })
      },
    },
  )
  const sorts = () => [...document.querySelectorAll('th')].map(th => th.getAttribute('aria-sort'))
  expect(sorts()).toEqual(['ascending', null, null, null, null, null])
  await press('Last sign-in↑')
  expect(sorts()).toEqual([null, 'descending', null, null, null, null])
  await press('Last sign-in↓')
  expect(sorts()).toEqual([null, 'ascending', null, null, null, null])
  expect(pushed).toEqual(['/base/administration/users?sort=LastSignIn&descending=yes', '/base/administration/users?sort=LastSignIn'])
  expect(asked.map(({ sort, descending, after }) => [sort, descending, after])).toEqual([
    ['Address', false, 'begins b'],
    ['LastSignIn', true, undefined],
    ['LastSignIn', false, undefined],
  ])
})

it('shows the verdict with the button that helps, and ends one session', async () => {
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
  // The own session is ended by signing out.
  expect([...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'End')).toHaveLength(1)
  expect(button('End').getAttribute('aria-label')).toBe('End the session on Firefox on Linux, 2001:db8::7')
  await press('End')
  expect(document.querySelector('dialog h2')?.textContent).toBe('End a session of ada@example.com')
  await submit()
  expect(ended).toEqual([{ userId: 'u', sessionId: 's' }])
  expect(said()).toContain('A session of ada@example.com was ended.')
})

it('opens the steps of a sign-in, in words', async () => {
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

it('signs out, or says why not', async () => {
  let ok = false
  const pushed = await open(allUsers, { logoutBySelf: () => (ok ? done() : refused('Too many requests', 429)) })
  await press('Sign out')
  expect(document.querySelector('[role=alert]')?.parentElement?.textContent).toContain('still signed in')
  ok = true
  await press('Sign out')
  expect(pushed).toEqual(['visit: /base/'])
})

it('says that requests passed while the database was unreachable', async () => {
  const figures = { users: 1, withoutFactor: 0, skipped: 0, locked: 0, forcedReset: 0, mailsWaiting: 0, mailsTriedInVain: 0 }
  const value = { ...figures, outageEnded: '2026-11-20T03:04:00Z', outageChecks: 12 }
  await open({ at: 'user', userId: 'u' }, { overview: () => Promise.resolve({ ok: true, value }) })
  expect(document.body.textContent).toContain(
    'The database was unreachable until 20 Nov 2026, 03:04. 12 requests of signed-in users passed',
  )
})

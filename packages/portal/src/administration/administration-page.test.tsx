// @vitest-environment jsdom
import type { ErrorCode } from '@gatehouse/wire'
import { act } from 'react'
import { expect, it } from 'vitest'
import { button, draw, errorOf, field, heading, press } from '../testing/render.ts'
import type { AdministrationApi } from './administration-api.ts'
import { AdministrationPage } from './administration-page.tsx'
import { type Route, routeOf } from './route.ts'

const never = () => new Promise<never>(() => {})
const done = () => Promise.resolve({ ok: true, value: undefined } as const)
const refused = (message: string, status: number, code?: ErrorCode) =>
  Promise.resolve({ ok: false, failure: { is: 'refused', message, detail: '', status, ...(code && { code }) } } as const)

const user = {
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
const detail = { user, userTZLabel: 'UTC', recoveryCodes: 0, factors: [], sessions: [], activity: [] }

const open = async (start: Route, api: Partial<AdministrationApi>) => {
  const pushed: string[] = []
  const silent: AdministrationApi = {
    overview: never,
    users: never,
    user: () => Promise.resolve({ ok: true, value: detail }),
    mails: never,
    board: never,
    add: never,
    unlock: never,
    forceReset: never,
    endSessions: never,
    removeFactor: never,
    remove: never,
    userPasswordConfirm: never,
    logoutBySelf: never,
  }
  const addresses = { read: () => start, push: (address: string) => pushed.push(address), listen: () => () => {} }
  const who = { username: 'admin@example.com', zone: 'UTC' }
  await draw(<AdministrationPage {...who} base="/base" api={{ ...silent, ...api }} addresses={addresses} visit={() => {}} />)
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

it('keeps the dialog open while an action runs, and shows the result until the administrator leaves the section', async () => {
  let answer: (reply: Awaited<ReturnType<AdministrationApi['unlock']>>) => void = () => {}
  const asked: unknown[] = []
  await open(
    { at: 'user', userId: 'u' },
    {
      user: () => Promise.resolve({ ok: true, value: { ...detail, user: { ...user, locks: [{ of: 'Password' }] } } }),
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
  await act(async () => answer({ ok: true, value: { users: [user] } }))
  expect(document.body.textContent).not.toContain('ada@example.com')
  expect(asked).toHaveLength(2)
  expect(heading()).toBe('Users')
  expect(button('Locked').getAttribute('aria-current')).toBe('true')
})

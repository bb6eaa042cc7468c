// @vitest-environment jsdom
import type { UserListRequest } from '@gatehouse/wire'
import { act } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { counts, open, said, type, user } from '../testing/administration-page.tsx'
import { button, heading, press } from '../testing/render.ts'
import type { AdministrationApi } from './administration-api.ts'
import { allUsers, routeOf } from './route.ts'

it('ignores a late response for a filter that is no longer selected', async () => {
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

it('searches once per pause in typing, and shows the old list until the new list arrives', async () => {
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
  // Enter searches immediately.
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

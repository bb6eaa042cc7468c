// @vitest-environment jsdom
import type { UserDetail } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { stubDialogs } from '../testing/account-page.ts'
import { detail, done, open, refused, said, submit, type, user } from '../testing/administration-page.tsx'
import { errorOf, field, press } from '../testing/render.ts'
import type { AdministrationApi } from './administration-api.ts'
import { allUsers } from './route.ts'

beforeEach(stubDialogs)

it('accepts a passkey instead of the password from an administrator who has one', async () => {
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

it.each<[string, Partial<AdministrationApi>, string]>([
  ['the user no longer exists', { remove: () => refused('userId: there is no such user', 404) }, 'This user no longer exists.'],
  [
    'the account is the administrator’s own',
    { remove: () => refused('userId: administrators cannot do this', 409) },
    'You can’t delete your own account.',
  ],
  ['the caller is no longer an administrator', { remove: () => refused('Only an administrator may', 403) }, 'no longer an administrator.'],
  ['another reason', { remove: () => refused('Not now', 409) }, 'The server couldn’t do this (error 409).'],
])('shows in the dialog why the server refuses a deletion: %s', async (_, api, text) => {
  await open({ at: 'user', userId: 'u' }, api)
  await press('Delete user')
  await type('userIdent', 'ada@example.com')
  await submit()
  expect(document.querySelector('dialog [role=alert]')?.textContent).toContain(text)
  expect(document.querySelector('dialog')?.textContent).not.toMatch(/userId:|Only an administrator may/)
})

it('says beside the field that another user has the address', async () => {
  await open(allUsers, { add: () => refused('userIdent: there is a user of this address already', 409) })
  await press('Add user')
  await type('userIdent', 'ada@example.com')
  await submit()
  expect(errorOf(field('userIdent'))).toBe('There is already a user with this address.')
})

it('reports a refused address or time zone beside its field', async () => {
  const add = vi.fn(() => refused('timezone: in other words', 400, 'TimeZoneUnknown'))
  await open(allUsers, { add })
  await press('Add user')
  await type('userIdent', 'ada@example.com')
  await type('zone', 'Mars/Olympus')
  await submit()
  expect(errorOf(field('zone'))).toBe('The server doesn’t know this time zone. Enter one like Europe/Amsterdam.')
  add.mockImplementation(() => refused('username: in other words', 400, 'AddressMalformed'))
  await submit()
  expect(errorOf(field('userIdent'))).toBe('Enter an email address.')
})

it('names the group that the server refuses', async () => {
  const setGroups = () => refused('groups: in other words', 400, 'GroupUnfit', 'oncall')
  await open({ at: 'user', userId: 'u' }, { user: () => Promise.resolve({ ok: true, value: detail }), setGroups })
  await press('Change groups')
  await type('groups', 'sre oncall')
  await submit()
  expect(errorOf(field('groups'))).toContain('A group can’t be named oncall.')
})

// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { AccountPage } from '../account/account-page.tsx'
import { done, refused, stale, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas, now } from '../testing/own-account.ts'
import { alerts, button, draw, errorOf, field, press, toasted } from '../testing/render.ts'

beforeEach(stubDialogs)

const [old] = adas.factors.slice(1)

/** Opens the dialog that removes Ada's old phone. */
const opened = async (api: Parameters<typeof accountApi>[0], hasPassword = true) => {
  const leave = vi.fn()
  const account = { ...adas, hasPassword, factors: old ? [...adas.factors] : [] }
  const props = { account, base: '', now, languages: [], visit: () => {}, leave, save: () => {}, print: () => {} }
  await draw(
    <AccountPage {...props} api={accountApi({ userAccount: () => done({ ...account, factors: account.factors.slice(0, 1) }), ...api })} />,
  )
  await act(async () => document.querySelector<HTMLElement>(`[aria-label="Remove ${old?.factorFriendlyName}"]`)?.click())
  return { leave }
}
const dialog = () => document.querySelector('dialog')?.textContent ?? ''
/** Presses the dialog's button several times in one frame. */
const submit = (times = 1) =>
  act(async () => {
    const found = document.querySelector<HTMLElement>('dialog button[type=submit]')
    for (let i = 0; i < times; i++) found?.click()
  })
const confirm = async (password: string) => {
  field('password').value = password
  await press('Continue')
}

it('asks for the password when the session is too old, then runs the action', async () => {
  const userFactorRemove = vi.fn().mockReturnValueOnce(stale()).mockReturnValueOnce(done(undefined))
  const userPasswordConfirm = vi.fn().mockReturnValueOnce(refused(403, 'password: is wrong')).mockReturnValueOnce(done(undefined))
  await opened({ userFactorRemove, userPasswordConfirm })
  await submit(2)
  expect(dialog()).toContain('Confirm it’s you')
  expect(document.activeElement).toBe(field('password'))
  await press('Continue')
  expect([errorOf(field('password')), userPasswordConfirm.mock.calls.length]).toEqual(['Enter your password.', 0])
  await confirm('wrong')
  expect(errorOf(field('password'))).toBe('The password is wrong.')
  await confirm('correct horse')
  expect([dialog(), await toasted()]).toEqual(['', 'Old phone in the drawer removed. You’re signed out everywhere else.'])
  expect(userPasswordConfirm.mock.calls.map(([request]) => request)).toEqual([{ password: 'wrong' }, { password: 'correct horse' }])
  expect(userFactorRemove).toHaveBeenCalledTimes(2)
  // The page shows the new state.
  expect(document.querySelectorAll('[aria-labelledby=second-factor] li')).toHaveLength(1)
})

it('tells a user who set the password by email to sign in again with the second factor', async () => {
  const userFactorRemove = vi.fn().mockReturnValueOnce(stale())
  await opened({ userFactorRemove, userPasswordConfirm: () => refused(403, 'use your second factor', 'SecondFactorRequired') })
  await submit(2)
  await confirm('a password that came by email')
  expect(alerts()).toContain('To change this, sign out and sign in again with your password and your second factor.')
})

it.each([
  ['a password', true, 'To change this, sign out and sign in again with your password and your second factor.'],
  ['no password', false, 'To change this, set a password on this page first. Then sign out and sign in again with that password'],
])('tells a user with %s whose provider reports a second factor how to sign in with their own', async (_, hasPassword, message) => {
  await opened({ userFactorRemove: () => refused(403, 'use your second factor', 'SecondFactorRequired') }, hasPassword)
  await submit()
  expect(alerts()).toContain(message)
})

it('does not run the action if the user closes the dialog during the password check', async () => {
  let answer = (_: Reply<void>) => {}
  const userFactorRemove = vi.fn(stale)
  await opened({ userFactorRemove, userPasswordConfirm: () => new Promise(resolve => (answer = resolve)) })
  await submit()
  await confirm('correct horse')
  expect(button('Checking').matches(':disabled')).toBe(true)
  await press('Cancel')
  await act(async () => answer({ ok: true, value: undefined }))
  expect([dialog(), userFactorRemove.mock.calls.length]).toEqual(['', 1])
  // The next action can start.
  await press('Add an authenticator')
  expect(dialog()).toContain('Give it a name')
})

it('tells a user without a password to sign in again', async () => {
  const { leave } = await opened({ userFactorRemove: vi.fn(stale) }, false)
  await submit()
  expect(alerts()).toContain('sign out and sign in again')
  expect(leave).not.toHaveBeenCalled()
})

it.each([
  ['the act', { userFactorRemove: () => refused(401, 'Sign in first') }],
  ['the password', { userFactorRemove: stale, userPasswordConfirm: () => refused(401, 'Sign in first') }],
  ['the page', { userFactorRemove: () => done(undefined), userAccount: () => refused(401, 'Sign in first') }],
])('opens the sign-in page when the session has ended: %s', async (_, api) => {
  const { leave } = await opened(api)
  await submit()
  if ('userPasswordConfirm' in api) await confirm('correct horse')
  expect(leave).toHaveBeenCalled()
})

it('shows what went wrong, and the user can try again', async () => {
  await opened({ userFactorRemove: vi.fn().mockReturnValueOnce(refused(429, 'Too many requests.')).mockReturnValueOnce(done(undefined)) })
  await submit()
  expect(alerts()).toContain('The server couldn’t do this (error 429).')
  await submit()
  expect(await toasted()).toContain('removed.')
})

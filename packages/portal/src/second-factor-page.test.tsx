// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { AuthOutcome } from '@gatehouse/wire'
import { expect, it, vi } from 'vitest'
import { SecondFactorPage } from './second-factor-page.tsx'
import { alerts, button, draw, heading, press, restore } from './testing/drawn.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const never = () => new Promise<never>(() => {})
const refusal = (status: number, message: string): Reply<never> => ({
  ok: false,
  failure: { is: 'refused', message, detail: '', status },
})

/** Opens the page; the server gives its answers one after the other, and the last again and again. */
const opened = async (...answers: (AuthOutcome | Reply<never>)[]) => {
  const continueSignIn = vi.fn((_?: AbortSignal): Promise<Reply<AuthOutcome>> => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (!answer) return never()
    return Promise.resolve('ok' in answer ? answer : { ok: true, value: answer })
  })
  const leave = vi.fn(never)
  const goOn = vi.fn(() => <p>the sign-in area</p>)
  await draw(<SecondFactorPage base="/gate" api={{ continueSignIn }} leave={leave} goOn={goOn} />)
  return { continueSignIn, leave, goOn }
}

it('asks once, by itself, and says that it does', async () => {
  const { continueSignIn } = await opened()
  expect(continueSignIn).toHaveBeenCalledTimes(1)
  expect(heading()).toBe('Signing in')
  expect(document.querySelector('[role=status]')?.textContent).toBe('One moment, please')
  expect(document.querySelector('a, button')).toBeNull()
})

it('goes on in the sign-in area with nothing typed', async () => {
  const { goOn } = await opened({ tag: 'AuthRequires2FA' })
  expect(goOn).toHaveBeenCalledWith({ at: 'verify-factor', credentials: { username: '', password: '' }, firstSetup: false })
  expect(document.body.textContent).toBe('the sign-in area')
})

it('leaves with a token, once', async () => {
  const { leave } = await opened({ tag: 'AuthSuccessful', contents: token })
  expect(leave.mock.calls).toEqual([[token, expect.any(AbortSignal)]])
  expect(document.querySelector('[role=status]')?.textContent).toBe('Signed in, please wait')
})

it('that comes too late leads to a sign-in from the start', async () => {
  await opened({ tag: 'AuthFailureFailedLogin' })
  expect(heading()).toBe('This took too long')
  expect(document.activeElement).toBe(document.querySelector('h1'))
  expect(button('Sign in again').getAttribute('href')).toBe('/gate/')
})

it('of an account whose password was reset says so, and how to go on', async () => {
  await opened({ tag: 'AuthFailureForcedReset' })
  expect(document.body.textContent).toContain('Your password has been reset by an administrator. Please reset your password.')
  expect(button('Reset your password').getAttribute('href')).toBe('/gate/#forgot')
})

it('says that it could not go on, and tries again when asked to', async () => {
  const { goOn } = await opened(refusal(503, 'out of order'), { tag: 'AuthRequires2FA' })
  expect([heading(), alerts()]).toEqual(['This sign-in could not go on', 'Something went wrongout of order'])
  expect(button('Sign in again').getAttribute('href')).toBe('/gate/')
  await press('Try again', 2)
  expect(goOn).toHaveBeenCalledTimes(1)
})

it('asks anew when the browser brings the page back, and calls off what it had asked', async () => {
  const { continueSignIn } = await opened()
  await restore()
  expect(continueSignIn).toHaveBeenCalledTimes(2)
  expect(continueSignIn.mock.calls.map(([signal]) => signal?.aborted)).toEqual([true, false])
})

it('that was gone on with is over when the browser brings the page back', async () => {
  await opened({ tag: 'AuthRequires2FA' }, { tag: 'AuthFailureFailedLogin' })
  await restore()
  expect(heading()).toBe('This took too long')
})

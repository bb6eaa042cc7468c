// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import type { AuthOutcome } from '@gatehouse/wire'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PasskeyApi } from '../../calls/passkey-api.ts'
import { assertion, creationOptions, passkeyBrowser, requestOptions } from '../../testing/passkey-browser.ts'
import { email, fillIn, signInArea, submitButton, token, unreachable } from '../../testing/sign-in-area.tsx'

watchConsole()
beforeAll(async () => {
  await import('../../passkeys/login-passkeys.ts')
  await import('../../passkeys/passkey-sign-in.ts')
}, 60_000)

let browser: ReturnType<typeof passkeyBrowser>
beforeEach(() => {
  browser = passkeyBrowser()
})
afterEach(() => {
  browser.remove()
  vi.useRealTimers()
})

const success: AuthOutcome = { tag: 'AuthSuccessful', contents: token }

const arrive = (answer: AuthOutcome = success) => {
  const passkeys = {
    passkeyOptions: vi.fn<PasskeyApi['passkeyOptions']>(async () => ({ ok: true, value: requestOptions })),
    passkeySignIn: vi.fn<PasskeyApi['passkeySignIn']>(async () => ({ ok: true, value: answer })),
  }
  const area = signInArea({ passkeys: true }, undefined, passkeys as Partial<PasskeyApi> as PasskeyApi)
  return { ...area, passkeys }
}
const link = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Sign in with a passkey' })
const press = async (area: ReturnType<typeof arrive>) => {
  const button = link()
  if (!button) throw new Error('no button')
  await area.user.click(button)
}
const banner = () => submitButton().form?.querySelector('[role=alert]')?.textContent
/** Requests in the autofill wait; those of the button show a dialog. */
const requested = (mediation: 'conditional' | 'optional', times = 1) =>
  waitFor(() => expect(browser.asked.filter(asked => asked.mediation === mediation)).toHaveLength(times), { timeout: 3000 })

describe('without the option passkeys', () => {
  it('has no button, no autofill of passkeys, and asks the browser for none', async () => {
    vi.useFakeTimers()
    signInArea()
    expect([link(), email().autocomplete]).toEqual([null, 'username'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(browser.asked).toEqual([])
  })
})

describe('the button', () => {
  it('is absent in a browser without passkeys', () => {
    browser.remove()
    arrive()
    expect(link()).toBeNull()
  })

  it('signs in with the passkey that the user chooses in the browser’s dialog', async () => {
    const area = arrive()
    await press(area)
    expect(submitButton().textContent).toBe('Signing in')
    expect(link()?.disabled).toBe(true)
    await requested('optional')
    browser.settle('passkey')
    await waitFor(() => expect(submitButton().textContent).toBe('Signed in, please wait'))
    expect(area.passkeys.passkeyOptions.mock.calls.map(([purpose]) => purpose)).toEqual(['SignIn'])
    expect(area.passkeys.passkeySignIn.mock.calls.map(([body]) => body)).toEqual([{ credential: assertion }])
    expect(area.bodies('plowlogin')).toEqual([token])
    expect(localStorage.getItem('gatehouse-last-method')).toBe('passkey')
    area.unmount()
    arrive()
    expect(screen.getAllByText('Last used').map(mark => mark.closest('div')?.textContent)).toEqual(['Sign in with a passkeyLast used'])
    expect(link()?.getAttribute('aria-description')).toBe('Last used')
    localStorage.clear()
  })

  it('stops the offer in the autofill before it asks, and renews it after a failure', async () => {
    const area = arrive()
    await requested('conditional')
    await press(area)
    expect(browser.asked[0]?.signal?.aborted).toBe(true)
    await requested('optional')
    browser.settle('NotAllowedError')
    await requested('conditional', 2)
    area.unmount()
    expect(browser.asked.at(-1)?.signal?.aborted).toBe(true)
  })

  it.each<[string, 'NotAllowedError' | 'SecurityError' | 'passkey', AuthOutcome, string]>([
    ['the user closed the dialog', 'NotAllowedError', success, 'No passkey was used. Try again, or sign in with your password.'],
    ['the browser fails', 'SecurityError', success, 'Your passkey couldn’t be used. Try again, or sign in with your password.'],
    [
      'the server refuses the passkey',
      'passkey',
      { tag: 'AuthFailureFailedLogin', passkey: 'Refused' },
      'Your passkey couldn’t be used. Try again, or sign in with your password.',
    ],
    [
      'the server does not know the passkey',
      'passkey',
      { tag: 'AuthFailureFailedLogin', passkey: 'Unknown' },
      'This passkey no longer works here. Choose another one, or sign in with your password.',
    ],
    [
      'an administrator reset the password',
      'passkey',
      { tag: 'AuthFailureForcedReset' },
      'Your password has been reset by an administrator. Please reset your password.',
    ],
  ])('says what to do if %s', async (_, answer, outcome, text) => {
    const area = arrive(outcome)
    await press(area)
    await requested('optional')
    browser.asked.find(asked => asked.mediation === 'optional')?.settle(answer)
    await waitFor(() => expect(banner()).toBe(text))
    const isUnknown = outcome.tag === 'AuthFailureFailedLogin' && outcome.passkey === 'Unknown'
    expect(browser.signalUnknownCredential.mock.calls).toEqual(isUnknown ? [[{ rpId: 'example.com', credentialId: assertion.id }]] : [])
    expect(area.visited).toEqual([])
  })

  it('says that passkeys are off on this server, and shows other failures as usual', async () => {
    const area = arrive()
    area.passkeys.passkeyOptions.mockResolvedValue({ ok: false, failure: { is: 'refused', message: 'off', detail: '', status: 404 } })
    await press(area)
    await waitFor(() => expect(banner()).toBe('You can’t use passkeys here. Sign in with your password.'))
    area.passkeys.passkeyOptions.mockResolvedValue({ ok: false, failure: unreachable })
    await press(area)
    expect(await screen.findByText('Try again in a moment.')).toBeTruthy()
  })
})

describe('the autofill of the email field', () => {
  it('offers passkeys once the page is idle, and signs in with the one that the user chooses', async () => {
    const area = arrive()
    expect(email().autocomplete.split(' ')).toEqual(['username', 'webauthn'])
    await requested('conditional')
    expect(submitButton().textContent).toBe('Sign in')
    browser.settle('passkey')
    await waitFor(() => expect(submitButton().textContent).toBe('Signed in, please wait'))
    expect(area.passkeys.passkeySignIn.mock.calls.map(([body]) => body)).toEqual([{ credential: assertion }])
  })

  it('stops when the user signs in with the password', async () => {
    const area = arrive()
    await requested('conditional')
    await fillIn(area)
    await area.user.click(submitButton())
    expect(browser.asked[0]?.signal?.aborted).toBe(true)
  })

  it('renews the challenge before it expires, and after the user came back from another page', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const area = arrive()
    await requested('conditional')
    await act(() => vi.advanceTimersByTimeAsync(requestOptions.timeout))
    await requested('conditional', 2)
    expect(area.passkeys.passkeyOptions).toHaveBeenCalledTimes(2)
    window.dispatchEvent(new Event('pagehide'))
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(browser.asked.map(({ signal }) => signal?.aborted)).toEqual([true, true])
    window.dispatchEvent(new Event('pageshow'))
    await requested('conditional', 3)
  })

  it('gives up silently where the browser refuses at once or has no autofill of passkeys', async () => {
    const area = arrive()
    await requested('conditional')
    browser.settle('NotAllowedError')
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(browser.asked).toHaveLength(1)
    expect(banner()).toBe('')
    area.unmount()
    browser.remove()
    browser = passkeyBrowser({ hasAutofill: false })
    const other = arrive()
    await new Promise(resolve => setTimeout(resolve, 800))
    expect(other.passkeys.passkeyOptions).not.toHaveBeenCalled()
  })
})

describe('after a sign-in', () => {
  const passkeys = {
    signals: { rpId: 'example.com', userId: 'dQ', name: 'ada', displayName: 'ada', allAcceptedCredentialIds: ['YQ'] },
    upgrade: creationOptions,
  }

  it('tells the password manager which passkeys exist, then leaves', async () => {
    const area = arrive()
    await fillIn(area)
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthSuccessful', contents: token, passkeys })
    expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled()
    await area.answerPlowlogin({ ok: true, value: undefined })
    await waitFor(() => expect(area.visited).toHaveLength(1))
    expect(browser.signalAllAcceptedCredentials).toHaveBeenCalledOnce()
  })

  it('leaves after a second, whatever the password manager does', async () => {
    browser.remove()
    browser = passkeyBrowser({ capabilities: { conditionalCreate: true }, hasAutofill: false })
    const area = arrive()
    await fillIn(area)
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthSuccessful', contents: token, passkeys })
    const began = performance.now()
    await area.answerPlowlogin({ ok: true, value: undefined })
    await waitFor(() => expect(browser.create).toHaveBeenCalledOnce())
    expect(area.visited).toEqual([])
    await waitFor(() => expect(area.visited).toHaveLength(1), { timeout: 3000 })
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(browser.asked.at(-1)?.signal?.aborted).toBe(true)
  })
})

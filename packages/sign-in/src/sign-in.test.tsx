// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import {
  areaAfter,
  email,
  factor,
  fillIn,
  malformed,
  password,
  signInArea,
  submitButton,
  token,
  unreachable,
} from './testing/sign-in-area.tsx'

const written = watchConsole()

const signingIn = async (options?: Parameters<typeof signInArea>[0]) => {
  const area = signInArea(options)
  await fillIn(area)
  await area.user.click(submitButton())
  return area
}
/** Dispatches the end of an animation, which jsdom does not run. */
const leave = () => {
  for (const toast of document.querySelectorAll('.gatehouse-toast[class*=exit]')) fireEvent.animationEnd(toast)
}
const isReady = () => submitButton().textContent === 'Sign in' && !submitButton().disabled
const alerts = () => screen.getAllByRole('alert').map(alert => alert.textContent)

describe('a successful sign-in', () => {
  it('posts the token to plowlogin, then opens the token page', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    expect(area.posted).toEqual([token])
    expect(area.visited).toEqual([])
    await area.answerPlowlogin({ ok: true, value: undefined })
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok'])
  })

  it('opens the token page even if plowlogin fails', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    await area.answerPlowlogin({ ok: false, failure: unreachable })
    expect(area.visited).toHaveLength(1)
    expect(alerts().join('')).toBe('')
  })

  it('is ready again after the back/forward cache restores the page', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    await area.answerPlowlogin({ ok: true, value: undefined })
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false })))
    expect(isReady()).toBe(false)
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect(isReady()).toBe(true)
    expect(password().value, 'whoever pressed Back need not be who typed it').toBe('')
    await area.user.type(password(), 'again')
    await area.user.click(submitButton())
    expect(area.sent).toHaveLength(2)
  })
})

describe('a refused sign-in', () => {
  it.each([
    ['AuthFailureFailedLogin', 'You have failed to login. Make sure that your email and password are correct.'],
    ['AuthFailureForcedReset', 'Your password has been reset by an administrator. Please reset your password.'],
  ] as const)('%s shows its sentence', async (tag, sentence) => {
    const region = () => screen.getAllByRole('alert').at(-1)
    const area = signInArea()
    const before = region()
    await fillIn(area)
    await area.user.click(submitButton())
    await area.answer({ tag })
    expect(region()?.textContent).toBe(sentence)
    expect(region(), 'the live region was there before').toBe(before)
    expect(isReady()).toBe(true)
    await area.user.click(submitButton())
    expect(alerts().join('')).toBe('')
    expect(area.sent).toHaveLength(2)
  })
})

describe('an outcome that the page does not show', () => {
  it('logs the factor error of a failed call', async () => {
    const onError = vi.fn()
    const area = await signingIn({ onError })
    await area.fail({ ...unreachable, is: 'refused', status: 502, typedError: { tag: 'StoreError', contents: { tag: 'StoreClosed' } } })
    expect(written.lines()).toEqual(['Gatehouse: AuthFailureFactorError: Store closed'])
    expect(isReady()).toBe(true)
    expect(alerts().join('')).toBe('')
    expect(onError).not.toHaveBeenCalled()
  })

  it('logs a factor error', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthFailureFactorError', contents: { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } } })
    expect(written.lines()).toEqual(['Gatehouse: AuthFailureFactorError: No verified factors for the user'])
    expect(isReady()).toBe(true)
    expect(alerts().join('')).toBe('')
  })

  it('logs a reply that cannot be decoded', async () => {
    const area = await signingIn()
    await area.fail(malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect(isReady()).toBe(true)
    expect(alerts().join('')).toBe('')
  })

  it('logs nothing for a required factor reset (§4)', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthRequiresFactorReset', contents: '01234567-89ab-cdef-0123-456789abcdef' })
    expect(isReady()).toBe(true)
    expect(alerts().join('')).toBe('')
  })
})

describe('a call that cannot reach the server', () => {
  it('restores the state, shows one toast, and reports the failure', async () => {
    const onError = vi.fn()
    const area = await signingIn({ onError })
    await area.fail(unreachable)
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    expect(screen.getByText('More Info').closest('details')?.open).toBe(false)
    expect(screen.getByText('POST /x: connection lost')).toBeTruthy()
    expect(isReady()).toBe(true)
    expect(onError).toHaveBeenCalledWith({ message: 'Something went wrong', cause: unreachable })

    await area.user.click(submitButton())
    await area.fail({ ...unreachable, detail: 'again' })
    expect(await screen.findByText('again')).toBeTruthy()
    leave()
    expect(screen.getAllByText('Something went wrong')).toHaveLength(1)
  })
})

describe('a toast', () => {
  const toast = () => screen.queryByText('Something went wrong', { selector: '.gatehouse-toast-title' })

  it('disappears with the next call', async () => {
    const area = await signingIn()
    await area.fail(unreachable)
    await waitFor(() => expect(toast()).toBeTruthy())
    await area.user.click(submitButton())
    await waitFor(() => expect(toast()?.closest('.gatehouse-toast')?.className).toContain('exit'))
    leave()
    await area.answer({ tag: 'AuthFailureFailedLogin' })
    expect(toast()).toBeNull()
  })

  it('appears even if onError throws, and the console has the error', async () => {
    const area = await signingIn({
      onError: () => {
        throw new Error('host')
      },
    })
    await area.fail(unreachable)
    await waitFor(() => expect(toast()).toBeTruthy())
    expect(written.lines()).toEqual(['Gatehouse: options.onError threw Error: host'])
  })
})

describe('in StrictMode', () => {
  it('signs in, changes pages, and shows toasts', async () => {
    configure({ reactStrictMode: true })
    try {
      const area = await signingIn()
      await area.fail(unreachable)
      expect(await screen.findByText('POST /x: connection lost')).toBeTruthy()
      await area.user.click(submitButton())
      await area.answer({ tag: 'AuthRequires2FA' })
      expect(document.activeElement).toBe(await screen.findByLabelText('Verification Code'))
      await area.user.keyboard('123456{Enter}')
      expect(area.bodies('verifyOTP')).toHaveLength(1)
      await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
      await area.succeed('loginWithToken', undefined)
      expect(area.visited).toHaveLength(1)
    } finally {
      configure({ reactStrictMode: false })
    }
  })
})

describe('pages', () => {
  it.each([
    ['AuthRequires2FA', { tag: 'AuthRequires2FA' }, () => screen.getByLabelText('Verification Code')],
    [
      'AuthRequiresFactorCreation',
      { tag: 'AuthRequiresFactorCreation', contents: factor },
      () => screen.getByRole('heading', { name: 'Two Factor Authentication' }),
    ],
  ] as const)('%s opens its page with the focus on the first field or the heading, and leads back', async (_, outcome, first) => {
    const area = await areaAfter(outcome)
    expect(document.activeElement).toBe(first())
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(document.activeElement).toBe(email())
    expect(email().value).toBe('ada@example.com')
    expect(isReady()).toBe(true)
  })

  it('‘Forgot your password?’ opens the page with the typed address, and returns', async () => {
    const area = signInArea()
    await area.user.type(email(), 'ada@example.com')
    await area.user.click(screen.getByText('Forgot your password?'))
    await screen.findByRole('button', { name: 'Send Password Reset Email' })
    expect(document.activeElement).toBe(email())
    expect(email().value).toBe('ada@example.com')
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(document.activeElement).toBe(email())
    expect(email().value).toBe('ada@example.com')
    expect(isReady()).toBe(true)
  })
})

describe('a widget that starts on another page', () => {
  it('shows ‘initialPage’ first, and ‘Back to Login’ opens its login page', async () => {
    const area = signInArea({ initialPage: { at: 'forgot-password' } })
    await screen.findByRole('button', { name: 'Send Password Reset Email' })
    expect(document.activeElement).toBe(email())
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(isReady()).toBe(true)
    expect(area.visited).toEqual([])
  })

  it('continues a sign-in from another page without a password, and ‘Back to Login’ leads to that page', async () => {
    const area = signInArea({
      initialPage: { at: 'verify-factor', credentials: { username: '', password: '' }, firstSetup: false },
      loginUrl: '/in/',
    })
    await area.user.type(await screen.findByLabelText('Verification Code'), '123456{Enter}')
    expect(area.bodies('verifyOTP')).toEqual([{ otpUsername: '', otpPassword: '', otpVerification: 123456 }])
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(area.visited).toEqual(['/in/'])
  })
})

describe('after unmount', () => {
  it('aborts the running call, and ignores a late reply', async () => {
    const area = await signingIn()
    area.unmount()
    expect(area.sent[0]?.signal?.aborted).toBe(true)
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    expect(area.posted).toEqual([])
  })

  it('does not navigate', async () => {
    const area = await signingIn()
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    area.unmount()
    await area.answerPlowlogin({ ok: true, value: undefined })
    expect(area.visited).toEqual([])
  })
})

describe('the logo', () => {
  it('can be replaced by the host’s image or element', () => {
    signInArea().unmount()
    const { unmount } = signInArea({ logo: { src: '/acme.svg', alt: 'Acme' } })
    expect(screen.getByRole('img', { name: 'Acme' }).getAttribute('src')).toBe('/acme.svg')
    expect(screen.queryByText('Gatehouse')).toBeNull()
    unmount()
    signInArea({ logo: <b>Acme</b> })
    expect(screen.getByText('Acme')).toBeTruthy()
  })
})

describe('texts of the host', () => {
  it('replace the English ones, and all others stay English', async () => {
    const area = await areaAfter(
      { tag: 'AuthRequires2FA' },
      { messages: { login: { signIn: 'Anmelden' }, verifyFactor: { title: 'Zweiter Faktor' } } },
    )
    expect(screen.getByRole('heading').textContent).toBe('Zweiter Faktor')
    expect(screen.getByLabelText('Verification Code')).toBeTruthy()
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(submitButton().textContent).toBe('Anmelden')
    expect(screen.getByLabelText('Email')).toBeTruthy()
  })
})

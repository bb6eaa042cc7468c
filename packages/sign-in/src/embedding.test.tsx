// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SignInEvent } from './events.ts'
import { SignIn, type SignInOptions } from './sign-in.tsx'
import { areaAfter, email, factor, fillIn, signInArea, submitButton, token, unreachable } from './testing/sign-in-area.tsx'

const written = watchConsole()
afterEach(cleanup)

const next = { to: 'Dashboard', address: 'https://gate.example/in/account' } as const

describe('onEvent', () => {
  it('reports pages, attempts, outcomes, failures and the sign-in, without what the user typed', async () => {
    const events: SignInEvent[] = []
    const area = signInArea({ onEvent: event => events.push(event) })
    await fillIn(area)
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthFailureFailedLogin' })
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthRequires2FA' })
    await area.user.type(await screen.findByLabelText('Verification Code'), '123456{Enter}')
    await area.refuse('verifyOTP', { ...unreachable, is: 'refused', status: 429, retryAfter: 40 })
    await area.user.click(submitButton())
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    await area.reply('loginWithToken', { ok: true, value: undefined })
    await waitFor(() => expect(area.visited).toHaveLength(1))
    expect(events).toEqual([
      { type: 'page-shown', page: 'login' },
      { type: 'attempt', method: 'password' },
      { type: 'outcome', method: 'password', tag: 'AuthFailureFailedLogin' },
      { type: 'failed', method: 'password', why: 'failed-login' },
      { type: 'attempt', method: 'password' },
      { type: 'outcome', method: 'password', tag: 'AuthRequires2FA' },
      { type: 'page-shown', page: 'verify-factor' },
      { type: 'attempt', method: 'security-code' },
      { type: 'failed', method: 'security-code', why: 'refused', status: 429 },
      { type: 'wait', method: 'security-code', seconds: 40 },
      { type: 'attempt', method: 'security-code' },
      { type: 'outcome', method: 'security-code', tag: 'AuthSuccessful' },
      { type: 'signed-in', method: 'security-code' },
    ])
    expect(JSON.stringify(events).toLowerCase()).not.toMatch(/ada@|horse|123456|sel\/1|tok"/)
  })

  it('reports requests for emails, and how long to wait', async () => {
    const events: SignInEvent[] = []
    const area = signInArea({ initialPage: { at: 'forgot-password' }, onEvent: event => events.push(event) })
    await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
    await area.user.type(email(), 'ada@example.com')
    await area.user.click(screen.getByText('Send Password Reset Email'))
    await area.succeed('sendPasswordResetEmail', undefined)
    expect(events).toEqual([
      { type: 'page-shown', page: 'forgot-password' },
      { type: 'attempt', method: 'reset-email' },
      { type: 'outcome', method: 'reset-email', tag: 'Ok' },
      { type: 'wait', method: 'reset-email', seconds: 30 },
    ])
  })

  it('reports a page once under StrictMode, and continues if the host throws', () => {
    const onEvent = vi.fn(() => {
      throw new Error('host')
    })
    render(
      <StrictMode>
        <SignIn onEvent={onEvent} />
      </StrictMode>,
    )
    expect(onEvent).toHaveBeenCalledTimes(1)
    expect(written.lines()).toEqual(['Gatehouse: options.onEvent threw Error: host'])
  })
})

describe('onSignedIn', () => {
  const signedIn = async (onSignedIn: Parameters<typeof signInArea>[0]) => areaAfter({ tag: 'AuthSuccessful', contents: token }, onSignedIn)

  it('starts the session by handOver, keeps the page if the host returns ‘stay’, and gives the host no token', async () => {
    const onSignedIn = vi.fn(() => 'stay' as const)
    const area = await signedIn({ onSignedIn })
    expect(area.bodies('handOver')).toEqual([token])
    await area.succeed('handOver', next)
    await waitFor(() => expect(onSignedIn.mock.calls).toEqual([[next]]))
    expect([area.visited, area.posted]).toEqual([[], []])
  })

  it('also keeps the page if the host’s function is async and returns ‘stay’', async () => {
    const area = await signedIn({ onSignedIn: async () => 'stay' })
    await area.succeed('handOver', next)
    await act(async () => {})
    expect([area.visited, area.posted]).toEqual([[], []])
  })

  it('does not compile if it returns another string', () => {
    // @ts-expect-error
    const wrong: SignInOptions = { onSignedIn: () => 'stays' }
    expect(wrong).toBeTruthy()
  })

  it('opens the address that the server returns, unless the host keeps the page', async () => {
    const area = await signedIn({ onSignedIn: () => {} })
    await area.succeed('handOver', next)
    await waitFor(() => expect(area.visited).toEqual([next.address]))
  })

  it('continues after the host throws an exception', async () => {
    const area = await signedIn({
      onSignedIn: () => {
        throw new Error('host')
      },
    })
    await area.succeed('handOver', next)
    await waitFor(() => expect(area.visited).toEqual([next.address]))
    expect(written.lines()).toEqual(['Gatehouse: options.onSignedIn threw Error: host'])
  })

  it('is not called if the server does not know handOver: the token page opens', async () => {
    const onSignedIn = vi.fn()
    const area = await signedIn({ onSignedIn })
    await area.refuse('handOver', { ...unreachable, is: 'refused', status: 404 })
    await waitFor(() => expect(area.posted).toEqual([token]))
    await area.answerPlowlogin({ ok: true, value: undefined })
    await waitFor(() => expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok']))
    expect(onSignedIn).not.toHaveBeenCalled()
  })

  it('is not called after the widget is gone', async () => {
    const onSignedIn = vi.fn()
    const area = await signedIn({ onSignedIn })
    area.unmount()
    await area.succeed('handOver', next)
    expect([onSignedIn.mock.calls, area.visited]).toEqual([[], []])
  })
})

describe('page and onPageChange', () => {
  it('ask the host before the widget changes between login and forgot password', async () => {
    const onPageChange = vi.fn()
    const { rerender } = render(<SignIn page="login" onPageChange={onPageChange} />)
    email().value = 'ada@example.com'
    await act(async () => screen.getByText('Forgot your password?').click())
    expect(onPageChange.mock.calls).toEqual([['forgot-password']])
    expect(screen.getByRole('button', { name: 'Forgot your password?' })).toBeTruthy()
    rerender(<SignIn page="forgot-password" onPageChange={onPageChange} />)
    expect(await screen.findByText('Send Password Reset Email')).toBeTruthy()
    expect(email().value).toBe('ada@example.com')
    rerender(<SignIn page="login" onPageChange={onPageChange} />)
    expect(await screen.findByText('Forgot your password?')).toBeTruthy()
    expect(onPageChange).toHaveBeenCalledTimes(1)
  })

  it('show the page that follows a reply without asking the host', async () => {
    const onPageChange = vi.fn()
    const area = await areaAfter({ tag: 'AuthRequiresFactorCreation', contents: factor }, { page: 'login', onPageChange })
    expect(await screen.findByText('Next')).toBeTruthy()
    await area.user.click(screen.getByText('Back to Login'))
    expect(screen.getByText('Forgot your password?')).toBeTruthy()
    expect(onPageChange.mock.calls).toEqual([['login']])
  })
})

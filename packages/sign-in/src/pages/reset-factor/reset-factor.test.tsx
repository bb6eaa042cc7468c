// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { areaAfter, factorUUID, malformed, signInArea, submitButton, token, unreachable } from '../../testing/sign-in-area.tsx'

const written = watchConsole()
const credentials = { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ' }

const resetting = async (options?: Parameters<typeof areaAfter>[1]) => {
  const area = await areaAfter({ tag: 'AuthRequires2FA' }, options)
  await area.user.click(screen.getByRole('button', { name: 'Reset two factor authentication' }))
  return area
}
const sending = async (options?: Parameters<typeof areaAfter>[1]) => {
  const area = await resetting(options)
  await area.user.dblClick(submitButton())
  return area
}
const toastTitle = () => document.querySelector('.gatehouse-toast-title')?.textContent
const isReady = () => submitButton().textContent === 'Send reset instruction' && !submitButton().disabled

describe('the factor reset page', () => {
  it('explains the reset and focuses the heading', async () => {
    await resetting()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Reset Two Factor Authentication' }))
    expect(screen.getByText(/Follow the instructions we email you, then enter the one-time code in the next step/)).toBeTruthy()
    expect(screen.getByText('We’ll send the email to ada@example.com.')).toBeTruthy()
    expect(isReady()).toBe(true)
  })

  it('sends one request for a double click, and disables the button until the reply', async () => {
    const area = await sending()
    expect(area.bodies('resetOTP')).toEqual([credentials])
    expect([submitButton().textContent, submitButton().disabled]).toEqual(['Sending', true])
  })

  it('asks for a code of the new factor after the email, and verifies the code with setupOTP', async () => {
    const area = await sending()
    await area.succeed('resetOTP', { tag: 'AuthRequiresFactorReset', contents: factorUUID })
    const code = screen.getByLabelText('Verification Code')
    expect(document.activeElement).toBe(code)
    expect(screen.getByText(/Follow the instructions in the email/)).toBeTruthy()
    expect(screen.getByText('Sent to ada@example.com')).toBeTruthy()
    await area.user.type(code, '012345{Enter}')
    expect(area.bodies('setupOTP')).toEqual([{ ...credentials, otpVerification: 12345, otpFactorUUID: factorUUID }])
    expect(screen.getByRole('button', { name: 'Reset two factor authentication' })).toBeTruthy()
  })

  it('explains the refusal of a password that was set by email, and leads to the recovery codes', async () => {
    const area = await sending()
    await area.succeed('resetOTP', { tag: 'AuthRequiresFactorReset', contents: factorUUID, refused: 'PasswordByMail' })
    expect(
      screen.getByText(
        /haven’t yet signed in with both this password and your current second factor.*Use a recovery code, or ask your administrator/,
      ),
    ).toBeTruthy()
    await area.user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    expect(await screen.findByLabelText('Recovery code')).toBeTruthy()
  })

  it('asks for the password after a one-time link, and continues as the user that the server names', async () => {
    const page = { at: 'verify-factor', credentials: { username: '', password: '' }, firstSetup: false } as const
    const area = signInArea({ initialPage: page })
    await area.user.click(await screen.findByRole('button', { name: 'Reset two factor authentication' }))
    expect(screen.getByText(/If your account has no password, use a recovery code or ask your administrator/)).toBeTruthy()
    expect(screen.queryByText(/We’ll send the email/)).toBeNull()
    await area.user.type(screen.getByLabelText('Password'), 'Correct Horse')
    await area.user.click(submitButton())
    expect(area.bodies('resetOTP')).toEqual([{ otpUsername: '', otpPassword: 'Correct Horse' }])
    await area.succeed('resetOTP', { tag: 'AuthRequiresFactorReset', contents: factorUUID, username: 'ada@example.com' })
    await area.user.type(screen.getByLabelText('Verification Code'), '012345{Enter}')
    const first = { otpUsername: 'ada@example.com', otpPassword: 'Correct Horse', otpVerification: 12345, otpFactorUUID: factorUUID }
    expect(area.bodies('setupOTP')).toEqual([first])
  })

  it.each([
    ['approve-on-phone', ['Push']],
    ['approve-on-phone', ['Push', 'Passkey']],
    ['use-passkey', ['Passkey']],
    ['use-passkey', ['Passkey', 'Push']],
  ] as const)('is offered on %s after a one-time link to a user with %o, who sees no page for codes', async (at, factorTypes) => {
    const area = signInArea({ initialPage: { at, credentials: { username: '', password: '' }, factorTypes: [...factorTypes] } })
    await area.user.click(await screen.findByRole('button', { name: 'Reset two factor authentication' }))
    expect(screen.getByLabelText('Password')).toBeTruthy()
  })

  it.each([
    [{ tag: 'AuthFailureFailedLogin' }, 'You have failed to login. Make sure that your email and password are correct.'],
    [{ tag: 'AuthFailureForcedReset' }, 'Your password has been reset by an administrator. Please reset your password.'],
    [{ tag: 'AuthFailureFactorError', contents: { tag: 'StoreError', contents: { tag: 'StoreLocked' } } }, 'Store locked'],
    [{ tag: 'AuthSuccessful', contents: token }, 'Something went wrong'],
    [{ tag: 'AuthRequires2FA' }, 'Something went wrong'],
  ])('shows %o in a toast and is ready again', async (outcome, title) => {
    const area = await sending()
    await area.succeed('resetOTP', outcome)
    await waitFor(() => expect(toastTitle()).toBe(title))
    expect(isReady()).toBe(true)
    expect(area.visited).toEqual([])
  })

  it('shows the factor error of a failed call in a toast', async () => {
    const area = await sending()
    await area.refuse('resetOTP', {
      ...unreachable,
      is: 'refused',
      status: 502,
      typedError: { tag: 'ApiError', contents: 'no route' },
    })
    await waitFor(() => expect(toastTitle()).toBe('Messaging Provider Integration Error'))
    expect(isReady()).toBe(true)
  })

  it('names the call and its unexpected outcome', async () => {
    const onError = vi.fn()
    const area = await sending({ onError })
    await area.succeed('resetOTP', { tag: 'AuthRequires2FA' })
    expect(await screen.findByText('POST /auth/page/plow/resetOTP answered AuthRequires2FA')).toBeTruthy()
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('writes a reply that cannot be decoded to the console only', async () => {
    const area = await sending()
    await area.refuse('resetOTP', malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect(isReady()).toBe(true)
  })

  it('shows a toast if the server does not reply', async () => {
    const area = await sending()
    await area.refuse('resetOTP', unreachable)
    await waitFor(() => expect(toastTitle()).toBe('Something went wrong'))
    expect(isReady()).toBe(true)
  })

  it('ignores the reply if the user has gone back', async () => {
    const area = await sending()
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    await area.succeed('resetOTP', { tag: 'AuthRequiresFactorReset', contents: factorUUID })
    expect(screen.queryByLabelText('Verification Code')).toBeNull()
  })
})

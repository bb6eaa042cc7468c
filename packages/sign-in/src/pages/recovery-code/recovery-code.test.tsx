// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { areaAfter, email, factor, malformed, submitButton, token, unreachable } from '../../testing/sign-in-area.tsx'

const written = watchConsole()
const link = () => screen.queryByRole('button', { name: 'Use a recovery code' })
const code = () => screen.getByLabelText<HTMLInputElement>('Recovery code')
const banner = () => submitButton().form?.querySelector('[role=alert]')?.textContent

const recovering = async () => {
  const area = await areaAfter({ tag: 'AuthRequires2FA' })
  await area.user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  return area
}

describe('the link to the recovery-code page', () => {
  it('is on the verification page and leads to a field with the focus', async () => {
    await recovering()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Use a recovery code')
    expect(document.activeElement).toBe(code())
    const names = ['autocomplete', 'autocapitalize', 'spellcheck', 'maxlength', 'type']
    expect(names.map(name => code().getAttribute(name))).toEqual(['off', 'off', 'false', '64', 'text'])
  })

  it('is absent on a first set-up', async () => {
    const area = await areaAfter({ tag: 'AuthRequiresFactorCreation', contents: factor })
    await area.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.getByLabelText('Verification Code')).toBeTruthy()
    expect(link()).toBeNull()
  })

  it('is absent after a reset, which requires the new factor’s code', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.click(screen.getByRole('button', { name: 'Reset two factor authentication' }))
    await area.user.click(submitButton())
    await area.succeed('resetOTP', { tag: 'AuthRequiresFactorReset', contents: factor.factorUUID })
    expect(screen.getByLabelText('Verification Code')).toBeTruthy()
    expect(link()).toBeNull()
  })

  it('leads to a page with links back to the authenticator app and to the login page', async () => {
    const area = await recovering()
    await area.user.click(screen.getByRole('button', { name: 'Use your authenticator app' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Verification Code'))
    await area.user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    await area.user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(document.activeElement).toBe(email())
  })
})

describe('a recovery code', () => {
  it('is sent once, without surrounding spaces', async () => {
    const area = await recovering()
    await area.user.type(code(), ' ABCD efgh-2345 wxyz {Enter}')
    const form = submitButton().form
    if (form) fireEvent.submit(form)
    expect(area.bodies('recoveryCode')).toEqual([
      { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpRecoveryCode: 'ABCD efgh-2345 wxyz' },
    ])
    expect([submitButton().textContent, submitButton().disabled, code().readOnly]).toEqual(['Verifying', true, true])
  })

  it('starts the session and opens the token page if it is right', async () => {
    const area = await recovering()
    await area.user.type(code(), 'abcd{Enter}')
    await area.succeed('recoveryCode', { tag: 'AuthSuccessful', contents: token })
    expect(submitButton().textContent).toBe('Verified, please wait')
    expect(area.bodies('loginWithToken')).toEqual([token])
    await area.succeed('loginWithToken', undefined)
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok'])
  })

  it('is selected after a refusal, so the next one replaces it', async () => {
    const area = await recovering()
    await area.user.type(code(), 'abcd{Enter}')
    await area.succeed('recoveryCode', {
      tag: 'AuthFailureFactorError',
      contents: { tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } },
    })
    expect(banner()).toBe('Invalid code')
    expect(await screen.findByText('Authentication Failed', { selector: '.gatehouse-toast-title' })).toBeTruthy()
    expect(document.activeElement).toBe(code())
    await area.user.keyboard('wxyz{Enter}')
    expect(area.bodies('recoveryCode').at(-1)).toMatchObject({ otpRecoveryCode: 'wxyz' })
  })

  it('is not sent if it is empty', async () => {
    const area = await recovering()
    await area.user.type(code(), '  {Enter}')
    expect(document.getElementById(code().getAttribute('aria-describedby') ?? '')?.textContent).toBe('Enter a recovery code.')
    expect(document.activeElement).toBe(code())
    expect(area.bodies('recoveryCode')).toEqual([])
    await area.user.type(code(), 'a')
    expect(code().hasAttribute('aria-invalid')).toBe(false)
  })
})

describe('a call that fails or is aborted', () => {
  it('shows a toast, or only writes to the console if the reply cannot be decoded', async () => {
    const area = await recovering()
    await area.user.type(code(), 'abcd{Enter}')
    await area.refuse('recoveryCode', malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect(submitButton().textContent).toBe('Verify')
    await area.user.click(submitButton())
    await area.refuse('recoveryCode', unreachable)
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
  })

  it('is aborted, and the field emptied, when the back/forward cache restores the page', async () => {
    const area = await recovering()
    await area.user.type(code(), 'abcd{Enter}')
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect([submitButton().textContent, code().value]).toEqual(['Verify', ''])
    await area.succeed('recoveryCode', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([])
  })
})

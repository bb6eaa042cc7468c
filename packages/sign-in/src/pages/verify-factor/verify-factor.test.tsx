// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import type { VerifyError } from '@gatehouse/wire'
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { areaAfter, factor, factorUUID, malformed, submitButton, token, unreachable } from '../../testing/sign-in-area.tsx'

const written = watchConsole()
const failedLogin = 'You have failed to login. Make sure that your email and password are correct.'
const code = () => screen.getByLabelText<HTMLInputElement>('Verification Code')
const banner = () => submitButton().form?.querySelector('[role=alert]')?.textContent
const credentials = { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ' }

const verifying = async (typed = '123456', options?: Parameters<typeof areaAfter>[1]) => {
  const area = await areaAfter({ tag: 'AuthRequires2FA' }, options)
  await area.user.type(code(), `${typed}{Enter}`)
  return area
}
const firstSetup = async () => {
  const area = await areaAfter({ tag: 'AuthRequiresFactorCreation', contents: factor })
  await area.user.click(screen.getByRole('button', { name: 'Next' }))
  return area
}

describe('the code field', () => {
  it('is one field that browsers and password managers recognize, and has the focus', async () => {
    await areaAfter({ tag: 'AuthRequires2FA' })
    const names = ['autocomplete', 'name', 'inputmode', 'maxlength', 'pattern', 'type']
    expect(names.map(name => code().getAttribute(name))).toEqual(['one-time-code', 'otp', 'numeric', '6', String.raw`\p{Nd}{6}`, 'text'])
    expect(document.querySelectorAll('input')).toHaveLength(1)
    expect(document.activeElement).toBe(code())
  })

  it.each([
    [' 012 345 ', '012345'],
    ['012-345', '012345'],
    ['0 1 2 3 4 5', '012345'],
    ['123456789', '123456'],
  ])('turns pasted ‘%s’ into %s', async (pasted, shown) => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '99')
    await area.user.paste(pasted)
    expect(code().value).toBe(shown)
  })

  it('inserts pasted digits at the caret, as many as fit', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '19')
    code().setSelectionRange(1, 1)
    await area.user.paste('2 3')
    expect(code().value).toBe('1239')
    await area.user.paste('45678')
    expect(code().value).toBe('123459')
  })

  it('removes the space from an autofilled code', async () => {
    await areaAfter({ tag: 'AuthRequires2FA' })
    fireEvent.input(code(), { target: { value: '012 345' } })
    expect(code().value).toBe('012345')
  })

  it('moves the caret to the end on click', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '1234')
    code().setSelectionRange(0, 0)
    fireEvent.click(code())
    expect(code().selectionStart).toBe(4)
  })
})

describe('verifying', () => {
  it('sends the code as an integer with verifyOTP, without a factor ID', async () => {
    const area = await verifying('012345')
    expect(area.bodies('verifyOTP')).toEqual([{ ...credentials, otpVerification: 12345 }])
  })

  it('also works with a click, and sends the code only once', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '123456')
    await area.user.dblClick(submitButton())
    const form = submitButton().form
    if (form) fireEvent.submit(form)
    expect(area.bodies('verifyOTP')).toHaveLength(1)
    expect(fireEvent.keyDown(code(), { key: 'Enter', repeat: true })).toBe(false)
  })

  it('labels the button ‘Verify’, ‘Verifying’, then ‘Verified, please wait’, and makes the field read-only while verifying', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    expect([submitButton().textContent, submitButton().disabled]).toEqual(['Verify', false])
    await area.user.type(code(), '123456{Enter}')
    expect([submitButton().textContent, submitButton().disabled, code().readOnly]).toEqual(['Verifying', true, true])
    expect(submitButton().form?.querySelector('[role=status]')?.textContent).toBe('Verifying')
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    expect([submitButton().textContent, submitButton().disabled]).toEqual(['Verified, please wait', true])
  })

  it('starts the session with loginWithToken, then opens the token page', async () => {
    const area = await verifying()
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([token])
    expect(area.posted).toEqual([])
    expect(area.visited).toEqual([])
    await area.succeed('loginWithToken', undefined)
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok'])
  })

  it('opens the token page even if loginWithToken fails', async () => {
    const area = await verifying()
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    await area.refuse('loginWithToken', unreachable)
    expect(area.visited).toHaveLength(1)
  })
})

describe('a code that is not six digits (§4)', () => {
  it.each(['12ab56', '12345', ''])('‘%s’ sends nothing and stays in Verifying until it is edited', async typed => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    if (typed) await area.user.type(code(), typed)
    await area.user.click(submitButton())
    expect(submitButton().textContent).toBe('Verifying')
    expect(submitButton().disabled).toBe(true)
    expect(area.bodies('verifyOTP')).toEqual([])
    expect(document.activeElement).toBe(code())
    expect(document.getElementById(code().getAttribute('aria-describedby') ?? '')?.textContent).toBe('Enter the six-digit code.')

    await area.user.clear(code())
    await area.user.type(code(), '1')
    expect(submitButton().textContent).toBe('Verify')
    expect(code().hasAttribute('aria-invalid')).toBe(false)
    await area.user.type(code(), '23456{Enter}')
    expect(area.bodies('verifyOTP')).toHaveLength(1)
  })
})

describe('the error for a code that is not six digits', () => {
  const told = () => submitButton().form?.querySelector('[role=status]')?.textContent

  it('is read with the field when the field gets the focus, and is not announced again', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '12')
    await area.user.click(submitButton())
    expect(document.activeElement).toBe(code())
    expect(told()).toBe('')
  })

  it('is announced if the field already has the focus', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '12{Enter}')
    expect(told()).toBe('Enter the six-digit code.')
  })

  it('does not block a code that was filled in without an input event', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '12{Enter}')
    code().value = '123456'
    const form = submitButton().form
    if (form) fireEvent.submit(form)
    expect(area.bodies('verifyOTP')).toHaveLength(1)
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    expect(banner()).toBe(failedLogin)
  })
})

describe('the links below the form', () => {
  it('lead to the recovery codes, to a reset and back to the login page, in this order', async () => {
    await areaAfter({ tag: 'AuthRequires2FA' })
    const links = screen.getAllByRole('button').filter(button => button !== submitButton())
    expect(links.map(link => link.textContent)).toEqual(['Use a recovery code', 'Reset two factor authentication', 'Back to Login'])
  })
})

describe('a refused code', () => {
  it.each(['AuthFailureFailedLogin', 'AuthFailureForcedReset', 'AuthRequires2FA'] as const)(
    'shows the failed-login sentence for %s',
    async tag => {
      const area = await verifying()
      await area.succeed('verifyOTP', { tag })
      expect(banner()).toBe(failedLogin)
      expect(submitButton().textContent).toBe('Verify')
      expect(document.querySelector('.gatehouse-toast')).toBeNull()
    },
  )

  const factorErrors: [VerifyError, string, string][] = [
    [{ tag: 'TOTPError', contents: { status: 'Pending', reason: { tag: 'InvalidCode' } } }, 'Invalid code', 'Authentication Failed'],
    [
      { tag: 'VerifyTOTPFactorError', contents: { status: 'Unverified', reason: { tag: 'MissingSecret' } } },
      'Missing secret (internal error, please report)',
      'Verification Failed',
    ],
    [{ tag: 'ApiError', contents: 'no route' }, 'Unknown error: no route', 'Messaging Provider Integration Error'],
    [
      { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } },
      'No verified factors for the user',
      'No verified factors for the user',
    ],
  ]
  it.each(factorErrors)('shows the reason in the banner and a toast: %o', async (error, reason, toast) => {
    const area = await verifying()
    await area.succeed('verifyOTP', { tag: 'AuthFailureFactorError', contents: error })
    expect(banner()).toBe(reason)
    expect(await screen.findByText(toast, { selector: '.gatehouse-toast-title' })).toBeTruthy()
  })

  it('marks the field until it holds another code, if the code was the problem', async () => {
    const area = await verifying()
    const contents = { status: 'Pending', reason: { tag: 'InvalidCode' } } as const
    await area.succeed('verifyOTP', { tag: 'AuthFailureFactorError', contents: { tag: 'TOTPError', contents } })
    expect(code().getAttribute('aria-invalid')).toBe('true')
    await area.user.keyboard('6')
    expect([code().hasAttribute('aria-invalid'), banner()]).toEqual([false, 'Invalid code'])
    await area.user.keyboard('54321{Enter}')
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    expect(code().hasAttribute('aria-invalid')).toBe(false)
  })

  it('says below the reason that the phone’s clock is wrong', async () => {
    const area = await verifying()
    const contents = { status: 'Pending', reason: { tag: 'InvalidCode' }, clockOffset: -180 } as const
    await area.succeed('verifyOTP', { tag: 'AuthFailureFactorError', contents: { tag: 'TOTPError', contents } })
    const lines = [...(submitButton().form?.querySelectorAll('[role=alert] p') ?? [])].map(line => line.textContent)
    expect(lines).toEqual(['Invalid code', expect.stringContaining('Your phone’s clock is about 3 minutes behind.')])
  })

  it('shows the verification error of a failed call', async () => {
    const area = await verifying()
    await area.refuse('verifyOTP', {
      ...unreachable,
      is: 'refused',
      status: 502,
      typedError: { tag: 'StoreError', contents: { tag: 'StoreClosed' } },
    })
    expect(banner()).toBe('Store closed')
  })

  it('is selected, and its banner disappears with the next call', async () => {
    const area = await verifying()
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    expect(document.activeElement).toBe(code())
    expect([code().selectionStart, code().selectionEnd]).toEqual([0, 6])
    await area.user.keyboard('654321{Enter}')
    expect(area.bodies('verifyOTP').at(-1)).toEqual({ ...credentials, otpVerification: 654321 })
    expect(banner()).toBe('')
  })
})

describe('a call that fails or is aborted', () => {
  it('only writes to the console if the reply cannot be decoded', async () => {
    const area = await verifying()
    await area.refuse('verifyOTP', malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect(submitButton().textContent).toBe('Verify')
    expect(banner()).toBe('')
  })

  it('shows a toast and reports the failure if the server cannot be reached', async () => {
    const onError = vi.fn()
    const area = await verifying('123456', { onError })
    await area.refuse('verifyOTP', unreachable)
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    expect(onError).toHaveBeenCalledWith({ message: 'Something went wrong', cause: unreachable })
    expect(submitButton().textContent).toBe('Verify')
    expect(banner()).toBe('')
  })

  it('changes nothing after the widget unmounts', async () => {
    const area = await verifying()
    area.unmount()
    expect(area.calls.at(-1)?.signal?.aborted).toBe(true)
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([])
  })

  it('is aborted when the back/forward cache restores the page', async () => {
    const area = await verifying()
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    expect(submitButton().textContent).toBe('Verify')
    expect(code().value, 'the code that was used').toBe('')
    await area.succeed('verifyOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([])
  })
})

describe('submitCodeWhenComplete', () => {
  it('is off by default', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    await area.user.type(code(), '123456')
    expect(area.bodies('verifyOTP')).toEqual([])
  })

  it('does not send a refused code again until it is edited', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' }, { submitCodeWhenComplete: true })
    await area.user.type(code(), '123456')
    expect(area.bodies('verifyOTP')).toHaveLength(1)
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    await area.user.paste('123 456')
    expect(code().value).toBe('123456')
    expect(area.bodies('verifyOTP')).toHaveLength(1)
    code().setSelectionRange(6, 6)
    await area.user.keyboard('{Backspace}7')
    expect(area.bodies('verifyOTP').at(-1)).toMatchObject({ otpVerification: 123457 })
    expect(area.bodies('verifyOTP')).toHaveLength(2)
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    await area.user.paste('123456')
    expect(area.bodies('verifyOTP').at(-1)).toMatchObject({ otpVerification: 123456 })
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    code().setSelectionRange(6, 6)
    await area.user.keyboard('{Backspace}6')
    expect(area.bodies('verifyOTP').slice(3)).toEqual([{ ...credentials, otpVerification: 123456 }])
  })

  it('lets the user send the same code again', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' }, { submitCodeWhenComplete: true })
    await area.user.paste('123 456')
    await area.succeed('verifyOTP', { tag: 'AuthFailureFailedLogin' })
    await area.user.keyboard('{Enter}')
    expect(area.bodies('verifyOTP')).toHaveLength(2)
  })
})

describe('the reset link', () => {
  it('is below ‘or’ and leads to the reset page', async () => {
    const area = await areaAfter({ tag: 'AuthRequires2FA' })
    expect(screen.getByText('or')).toBeTruthy()
    await area.user.click(screen.getByRole('button', { name: 'Reset two factor authentication' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Reset Two Factor Authentication' }))
  })

  it('is absent on a first set-up, which calls setupOTP with the factor’s ID', async () => {
    const area = await firstSetup()
    expect(screen.queryByText('or')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Reset two factor authentication' })).toBeNull()
    await area.user.type(code(), '123456{Enter}')
    expect(area.bodies('setupOTP')).toEqual([{ ...credentials, otpVerification: 123456, otpFactorUUID: factorUUID }])
    expect(area.bodies('verifyOTP')).toEqual([])
  })

  it('is replaced by a link to the QR code on a first set-up', async () => {
    const area = await firstSetup()
    await area.user.click(screen.getByRole('button', { name: 'Show the QR code again' }))
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy()
  })
})

// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { email, malformed, signInArea, unreachable } from '../../testing/sign-in-area.tsx'

const written = watchConsole()
const forgot = async (options?: Parameters<typeof signInArea>[0], typed = ' Ada@Example.COM ') => {
  const area = signInArea(options)
  await area.user.click(screen.getByRole('button', { name: 'Forgot your password?' }))
  await screen.findByRole('heading', { name: 'Forgot your password?' })
  if (typed) await area.user.type(email(), typed)
  return area
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const resetEmail = () => button('Send Password Reset Email')
const magicLink = () => button('Send One Time Link Email')
const notice = () => screen.getByText('Email sent').parentElement?.textContent
const nothingShown = () => {
  expect(
    screen
      .getAllByRole('alert')
      .map(alert => alert.textContent)
      .join(''),
  ).toBe('')
  expect(screen.queryByText('Email sent')).toBeNull()
  expect(document.querySelector('.gatehouse-toast')).toBeNull()
  expect([resetEmail().disabled, magicLink().disabled, email().disabled]).toEqual([false, false, false])
}

describe('the forgot-password page', () => {
  it('has an email field with the focus, two buttons, a note and a way back', async () => {
    const area = await forgot()
    expect(document.activeElement).toBe(email())
    expect(['type', 'autocomplete', 'name'].map(name => email().getAttribute(name))).toEqual(['email', 'username', 'username'])
    const note = document.getElementById(magicLink().getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('A One Time Link Email enables a one-time log-in to your account.')
    await area.user.click(button('Back to Login'))
    expect(button('Sign in')).toBeTruthy()
  })

  it('shows what is wrong with the address and sends nothing', async () => {
    const area = await forgot({}, '')
    for (const press of [resetEmail, magicLink]) {
      await area.user.click(press())
      expect(screen.getByText('Enter your email address.')).toBeTruthy()
      expect(document.activeElement).toBe(email())
    }
    await area.user.type(email(), 'ada')
    expect(screen.queryByText('Enter your email address.')).toBeNull()
    await area.user.keyboard('{Enter}')
    expect(screen.getByText('Enter an email address like name@example.com.')).toBeTruthy()
    expect(area.calls).toEqual([])
  })
})

describe.each([
  {
    name: 'a password reset',
    call: 'sendPasswordResetEmail',
    pressed: resetEmail,
    other: magicLink,
    body: { userEmail: 'ada@example.com' },
    answer: undefined,
    sent: 'A password reset link has been sent to your email. If you do not receive the reset link, please check your spam folder.',
    failed: 'Error while trying to send reset password email',
  },
  {
    name: 'a one-time link',
    call: 'magiclinkSend',
    pressed: magicLink,
    other: resetEmail,
    body: [{ email: 'ada@example.com', redirect: { tag: 'RedirectDashboard' } }],
    answer: { tag: 'Ok' },
    sent: 'A One Time Link has been sent to your email. If you do not receive the email, please check your spam folder.',
    failed: 'Error while trying to send One Time Link email',
  },
] as const)('$name', ({ call, pressed, other, body, answer, sent, failed }) => {
  it('is sent once, with both buttons and the field disabled meanwhile', async () => {
    const area = await forgot()
    await area.user.dblClick(pressed())
    expect(area.bodies(call)).toEqual([body])
    expect(area.calls).toHaveLength(1)
    expect([pressed().disabled, other().disabled, email().disabled]).toEqual([true, true, true])
    expect(pressed().querySelector('svg')).toBeTruthy()
    expect(other().querySelector('svg')).toBeNull()
  })

  it('shows ‘Email sent’ and the address, and moves the focus to the heading', async () => {
    const area = await forgot()
    await area.user.click(pressed())
    await area.succeed(call, answer)
    expect(notice()).toBe(`Email sent${sent}`)
    expect(screen.getByText('Email sent').closest('[role=status]')).toBeTruthy()
    expect([pressed().disabled, other().disabled, email().disabled]).toEqual([false, false, false])
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Email sent' }))
    expect(screen.getByText('Sent to ada@example.com')).toBeTruthy()
  })

  it('is sent again to the same address after 30 s, and to another address at once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const area = await forgot()
      await area.user.click(pressed())
      await area.succeed(call, answer)
      expect(screen.getByText('You can send another email in 30 seconds.')).toBeTruthy()
      for (const press of [pressed, other]) {
        expect(press().getAttribute('aria-disabled')).toBe('true')
        await area.user.click(press())
      }
      await act(async () => void vi.advanceTimersByTime(20_000))
      await area.user.click(pressed())
      expect(area.calls).toHaveLength(1)

      await act(async () => void vi.advanceTimersByTime(12_000))
      expect(screen.getByText('No email yet? You can send another one.')).toBeTruthy()
      await area.user.click(pressed())
      expect(screen.queryByText('Email sent')).toBeNull()
      expect(area.bodies(call)).toHaveLength(2)
      await area.succeed(call, answer)

      await area.user.clear(email())
      await area.user.type(email(), 'grace@example.com')
      expect(pressed().getAttribute('aria-disabled')).toBeNull()
      await area.user.click(pressed())
      expect(area.bodies(call)).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([unreachable, malformed])('logs and reports a failure, and shows nothing (%o)', async failure => {
    const onError = vi.fn()
    const area = await forgot({ onError })
    await area.user.click(pressed())
    await area.refuse(call, failure)
    expect(written.lines()).toEqual([expect.stringMatching(new RegExp(`^Gatehouse: ${failed} `))])
    expect(document.activeElement).toBe(pressed())
    expect(onError.mock.calls).toEqual([[{ message: failed, cause: failure }]])
    nothingShown()
  })

  it('is aborted when the widget unmounts', async () => {
    const area = await forgot()
    await area.user.click(pressed())
    area.unmount()
    expect(area.calls[0]?.signal?.aborted).toBe(true)
    await area.refuse(call, unreachable)
  })
})

describe('a refused one-time link', () => {
  it('is logged and reported, but not shown', async () => {
    const onError = vi.fn()
    const area = await forgot({ onError })
    await area.user.click(magicLink())
    const cause = { tag: 'Error', contents: 'no mail today' }
    await area.succeed('magiclinkSend', cause)
    expect(written.lines()).toHaveLength(1)
    expect(onError.mock.calls).toEqual([[{ message: 'Error while trying to send One Time Link email', cause }]])
    nothingShown()
  })
})

describe('Enter', () => {
  it('sends the password reset', async () => {
    const area = await forgot()
    await area.user.keyboard('{Enter}')
    expect(area.calls.map(({ name }) => name)).toEqual(['sendPasswordResetEmail'])
  })
})

describe('while the tab waits for a one-time link', () => {
  const sendLink = async () => {
    const area = await forgot()
    await area.user.click(screen.getByRole('button', { name: 'Send One Time Link Email' }))
    await area.succeed('magiclinkSend', { tag: 'Ok' })
    return area
  }
  const code = () => screen.getByLabelText<HTMLInputElement>('Code from the email')
  const errorOf = (field: HTMLInputElement) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent

  it('shows the number and a field for the code below ‘Email sent’', async () => {
    const area = await sendLink()
    expect(screen.getByText('42')).toBeTruthy()
    expect(code().form?.method).toBe('post')
    expect(area.bodies('magiclinkSend')).toEqual([[{ email: 'ada@example.com', redirect: { tag: 'RedirectDashboard' } }]])
  })

  it('signs in with the code, by loginWithToken', async () => {
    const area = await sendLink()
    await area.user.type(code(), ' abcd-efgh {Enter}')
    expect(area.bodies('magiclinkCode')).toEqual([{ code: 'abcd-efgh' }])
    expect(code().readOnly).toBe(true)
    await area.succeed('magiclinkCode', { tag: 'AuthSuccessful', contents: { authTokenSelector: 's', authTokenToken: 't' } })
    await area.succeed('loginWithToken', undefined)
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/s/t'])
  })

  it('asks for the second factor after the code, and sends no email or password with it', async () => {
    const area = await sendLink()
    await area.user.type(code(), 'abcdefgh{Enter}')
    await area.succeed('magiclinkCode', { tag: 'AuthRequires2FA' })
    await area.user.type(await screen.findByLabelText('Verification Code'), '123456{Enter}')
    expect(area.bodies('verifyOTP')).toEqual([{ otpUsername: '', otpPassword: '', otpVerification: 123456 }])
  })

  it('keeps the number after a wrong code, and clears the error with the next edit; an empty field sends nothing', async () => {
    const area = await sendLink()
    await area.user.click(code())
    await area.user.keyboard('{Enter}')
    expect(errorOf(code())).toBe('Enter the code from the email.')
    await area.user.type(code(), 'abcdefgh{Enter}')
    await area.succeed('magiclinkCode', { tag: 'AuthFailureFailedLogin' })
    expect(errorOf(code())).toBe('That code didn’t work. Check the newest email, or send another one.')
    expect(screen.getByText('42')).toBeTruthy()
    await area.user.type(code(), '2')
    expect(code().hasAttribute('aria-invalid')).toBe(false)
    expect(area.bodies('magiclinkCode')).toHaveLength(1)
  })

  it('shows no number after a password reset email', async () => {
    const area = await forgot()
    await area.user.click(screen.getByRole('button', { name: 'Send Password Reset Email' }))
    await area.succeed('sendPasswordResetEmail', undefined)
    expect(screen.getByRole('heading', { name: 'Email sent' })).toBeTruthy()
    expect(screen.queryByText('42')).toBeNull()
  })
})

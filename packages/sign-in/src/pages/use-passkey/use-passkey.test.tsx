// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import type { AuthOutcome, SecondFactorType } from '@gatehouse/wire'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PasskeyApi } from '../../calls/passkey-api.ts'
import { assertion, passkeyBrowser, requestOptions } from '../../testing/passkey-browser.ts'
import { areaAfter, token, unreachable } from '../../testing/sign-in-area.tsx'

watchConsole()
let browser: ReturnType<typeof passkeyBrowser>
beforeEach(() => {
  browser = passkeyBrowser()
})
afterEach(() => {
  browser.remove()
  vi.useRealTimers()
})

const asked = { ...requestOptions, allowCredentials: [{ id: 'b25l', type: 'public-key' as const, transports: ['internal'] }] }
const requires = (...factorTypes: SecondFactorType[]): AuthOutcome => ({
  tag: 'AuthRequires2FA',
  contents: { factorTypes, passkey: asked },
})
const refused: AuthOutcome = {
  tag: 'AuthFailureFactorError',
  contents: { tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } },
}

const arrive = async (
  outcome: AuthOutcome = requires('TOTP', 'Passkey'),
  answer: AuthOutcome = { tag: 'AuthSuccessful', contents: token },
) => {
  const passkeys = {
    passkeyOptions: vi.fn<PasskeyApi['passkeyOptions']>(async () => ({ ok: true, value: { ...requestOptions, challenge: 'Yg' } })),
    passkeySignIn: vi.fn<PasskeyApi['passkeySignIn']>(),
    passkeyVerify: vi.fn<PasskeyApi['passkeyVerify']>(async () => ({ ok: true, value: answer })),
  }
  const area = await areaAfter(outcome, { passkeys: true }, undefined, passkeys as Partial<PasskeyApi> as PasskeyApi)
  // On a slow machine, typing takes so long that the login page has offered passkeys in its autofill.
  passkeys.passkeyOptions.mockClear()
  browser.asked.length = 0
  const use = async () => {
    await area.user.click(button())
    await waitFor(() => expect(browser.asked.length).toBeGreaterThan(0))
  }
  return { ...area, passkeys, use }
}
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Use your passkey|Verifying|Verified, please wait)$/ })
const banner = () => button().form?.querySelector('[role=alert]')?.textContent
const text = (buffer: ArrayBuffer | undefined) => buffer && new TextDecoder().decode(buffer)

describe('a passkey as the second factor', () => {
  it('is asked for first, with the other ways one click away', async () => {
    const area = await arrive(requires('TOTP', 'Push', 'Passkey'))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Use your passkey' }))
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Use your passkey',
      'Enter a code instead',
      'Approve on your phone',
      'Use a recovery code',
      'Back to Login',
    ])
    await area.user.click(screen.getByRole('button', { name: 'Enter a code instead' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Verification Code'))
    await area.user.click(screen.getByRole('button', { name: 'Use your passkey' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Use your passkey' }))
  })

  it('uses the challenge and the passkeys of the previous answer, then signs in', async () => {
    const area = await arrive()
    await area.use()
    expect(area.passkeys.passkeyOptions).not.toHaveBeenCalled()
    const [request] = browser.asked
    expect([request?.mediation, text(request?.publicKey?.challenge), text(request?.publicKey?.allowCredentials?.[0]?.id)]).toEqual([
      'optional',
      'a',
      'one',
    ])
    expect(button().disabled).toBe(true)
    browser.settle('passkey')
    await waitFor(() => expect(button().textContent).toBe('Verified, please wait'))
    expect(area.passkeys.passkeyVerify.mock.calls.map(([body]) => body)).toEqual([
      { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', credential: assertion },
    ])
    expect(area.bodies('loginWithToken')).toEqual([token])
  })

  it('says what to do after the user closes the dialog, and asks with a new challenge for the same passkeys', async () => {
    const area = await arrive()
    await area.use()
    browser.settle('NotAllowedError')
    await waitFor(() => expect(banner()).toBe('No passkey was used. Try again, or use another way to sign in.'))
    await waitFor(() => expect(document.activeElement).toBe(button()))
    await area.user.click(button())
    await waitFor(() => expect(browser.asked).toHaveLength(2))
    expect(area.passkeys.passkeyOptions.mock.calls.map(([purpose]) => purpose)).toEqual(['SecondFactor'])
    expect([text(browser.asked[1]?.publicKey?.challenge), text(browser.asked[1]?.publicKey?.allowCredentials?.[0]?.id)]).toEqual([
      'b',
      'one',
    ])
  })

  it('gets a new challenge if the first one is about to expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const area = await arrive()
    vi.setSystemTime(Date.now() + 4.5 * 60_000)
    await area.use()
    expect(area.passkeys.passkeyOptions).toHaveBeenCalledOnce()
  })

  it.each([
    ['the server refuses the passkey', refused],
    ['the browser fails', undefined],
  ])('says what to do if %s', async (_, answer) => {
    const area = await arrive(undefined, answer)
    await area.use()
    browser.settle(answer ? 'passkey' : 'SecurityError')
    await waitFor(() => expect(banner()).toBe('Your passkey couldn’t be used. Try again, or use another way to sign in.'))
    expect(area.visited).toEqual([])
  })

  it('shows a toast if the server cannot be reached, and enables the button again', async () => {
    const area = await arrive()
    area.passkeys.passkeyVerify.mockResolvedValue({ ok: false, failure: unreachable })
    await area.use()
    browser.settle('passkey')
    await waitFor(() => expect(button().textContent).toBe('Use your passkey'))
    expect(await screen.findByText('Try again in a moment.')).toBeTruthy()
  })

  it('stops the browser’s dialog when the user leaves the page', async () => {
    const area = await arrive()
    await area.use()
    await area.user.click(screen.getByRole('button', { name: 'Enter a code instead' }))
    expect(browser.asked[0]?.signal?.aborted).toBe(true)
    expect(screen.getByLabelText('Verification Code')).toBeTruthy()
  })
})

describe('where passkeys do not work', () => {
  it('asks for another factor, if the user has one', async () => {
    browser.remove()
    await arrive(requires('TOTP', 'Passkey'))
    expect(screen.getByLabelText('Verification Code')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull()
  })

  it('says that this browser can’t use passkeys, and links to the recovery codes', async () => {
    browser.remove()
    await arrive(requires('Passkey'))
    expect(screen.getByText('This browser can’t use passkeys here. Use another browser or another way to sign in.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Use a recovery code' })).toBeTruthy()
  })

  it('explains that passkeys do not work in a frame of another origin', async () => {
    const parent = {
      get location() {
        throw new DOMException('another origin', 'SecurityError')
      },
    }
    vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as never)
    await arrive(requires('Passkey'))
    expect(screen.getByText(/^Passkeys don’t work inside another site’s page\. Open this sign-in in its own tab/)).toBeTruthy()
    vi.restoreAllMocks()
  })
})

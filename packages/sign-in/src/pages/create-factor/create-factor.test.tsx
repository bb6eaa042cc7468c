// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PasskeyApi } from '../../calls/passkey-api.ts'
import { attestation, creationOptions, passkeyBrowser } from '../../testing/passkey-browser.ts'
import { areaAfter, factor, factorUUID, malformed, secret, token, unreachable, uri } from '../../testing/sign-in-area.tsx'

const written = watchConsole()
const failedLogin = 'You have failed to login. Make sure that your email and password are correct.'
const creating = (contents = factor) => areaAfter({ tag: 'AuthRequiresFactorCreation', contents })
const skip = () => screen.getByRole<HTMLButtonElement>('button', { name: /Skip factor|Loading|Signed in/ })
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(alert => alert.textContent)
    .join('')
const { factorBinding: _, ...unbound } = factor

describe('the factor creation page', () => {
  it('focuses its heading and says what to do', async () => {
    await creating()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Two Factor Authentication' }))
    expect(
      screen.getByText('Scan the QR code with an authenticator app such as Google Authenticator or Authy and click Next.'),
    ).toBeTruthy()
  })

  it('draws the QR code 400 px wide, black on white, with a quiet zone and a text alternative', async () => {
    await creating()
    const code = await screen.findByRole('img', { name: /^QR code/ })
    expect(code.getAttribute('width')).toBe('400')
    const [ground, modules] = code.querySelectorAll('path')
    expect([ground?.getAttribute('fill'), modules?.getAttribute('fill')]).toEqual(['#ffffff', '#000000'])
    expect(modules?.getAttribute('d')).toMatch(/^M4[ ,]4h7/)
  })

  it('reports an address that is too long for a QR code, and still shows the key', async () => {
    const binding = factor.factorBinding
    if (binding?.tag !== 'TOTPBinding') throw new Error('no binding')
    const factorTOTPBindingURI = `otpauth://totp/${'x'.repeat(4000)}`
    await creating({ ...factor, factorBinding: { tag: 'TOTPBinding', contents: { ...binding.contents, factorTOTPBindingURI } } })
    expect((await screen.findByText('Couldn’t load the QR code.')).closest('[role=alert]')).toBeTruthy()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Next' })).toBeTruthy()
    // React logs what an error boundary caught.
    expect(written.lines().join()).toContain('Data too long')
  })

  it('shows the key in groups of four, and a link for an app on the same device', async () => {
    await creating()
    // In right-to-left text, a first group of digits alone would move to the end.
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP').dir).toBe('ltr')
    // Style sheets show one of the two.
    expect(screen.getAllByRole('link').map(link => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Open in authenticator app on this device', uri],
      ['Open in an app on this device', uri],
    ])
  })

  it('shows no link for an address whose scheme is not otpauth', async () => {
    const binding = factor.factorBinding
    if (binding?.tag !== 'TOTPBinding') throw new Error('no binding')
    await creating({
      ...factor,
      factorBinding: { tag: 'TOTPBinding', contents: { ...binding.contents, factorTOTPBindingURI: 'javascript:alert(1)' } },
    })
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('copies the key without spaces', async () => {
    const area = await creating()
    await area.user.click(screen.getByRole('button', { name: 'Copy key' }))
    expect(await navigator.clipboard.readText()).toBe(secret)
    expect(await screen.findByText('Copied', { selector: '[role=status]' })).toBeTruthy()
  })

  it('selects the key if the browser does not let the page copy it', async () => {
    const area = await creating()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    await area.user.click(screen.getByRole('button', { name: 'Copy key' }))
    expect(await screen.findByRole('button', { name: 'Selected. Now copy it.' })).toBeTruthy()
    expect(getSelection()?.toString()).toBe('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')
  })

  it('leads to the first code', async () => {
    const area = await creating()
    await area.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Verification Code'))
    expect(area.calls.map(({ name }) => name)).toEqual(['getAuthTokenWithError'])
  })

  describe('for a push factor of another server', () => {
    const pushed: typeof factor = {
      ...factor,
      factorFactorType: 'Push',
      factorFriendlyName: 'Pixel 9',
      factorBinding: {
        tag: 'PushBinding',
        contents: { factorPushBindingFactorUUID: factorUUID, factorPushBindingPublicKey: 'MFkw', factorPushBindingAlg: 'ES256' },
      },
    }

    it.each([
      ['with its binding', pushed],
      ['without a binding', { ...unbound, factorFactorType: 'Push' as const, factorFriendlyName: 'Pixel 9' }],
    ])('%s, says what to do, and leads to its first code', async (_, contents) => {
      const area = await creating(contents)
      expect(alerts()).toBe('')
      expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
      expect(
        screen.getByText(
          'Your second factor is a device. Follow your organization’s instructions to set it up, then click Next and enter the code from the device.',
        ),
      ).toBeTruthy()
      expect(screen.getByText('Pixel 9')).toBeTruthy()
      await area.user.click(screen.getByRole('button', { name: 'Next' }))
      expect(screen.getByText('Enter the six-digit code from your device.')).toBeTruthy()
      await area.user.type(screen.getByLabelText('Verification Code'), '012345{Enter}')
      expect(area.bodies('setupOTP')).toEqual([
        { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpVerification: 12345, otpFactorUUID: factorUUID },
      ])
    })

    it('returns from the code to the instructions, not to a QR code', async () => {
      const area = await creating(pushed)
      await area.user.click(screen.getByRole('button', { name: 'Next' }))
      expect(screen.queryByRole('button', { name: 'Show the QR code again' })).toBeNull()
      await area.user.click(screen.getByRole('button', { name: 'Show the instructions again' }))
      expect(screen.getByText(/^Your second factor is a device/)).toBeTruthy()
    })

    it('shows no empty name', async () => {
      await creating({ ...pushed, factorFriendlyName: ' ' })
      expect(screen.getByText(/^Your second factor is a device\. Follow/)).toBeTruthy()
      expect(document.querySelector('bdi')).toBeNull()
    })

    it('can be skipped', async () => {
      const area = await creating(pushed)
      await area.user.click(skip())
      expect(area.bodies('setupOTP')).toEqual([
        { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpFactorUUID: factorUUID },
      ])
    })
  })

  it('reports a factor without anything to scan', async () => {
    await creating(unbound)
    expect(alerts()).toBe('Something went wrongThere’s no QR code to scan. Sign in again to get one.')
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  })
})

describe('where the user cannot skip', () => {
  it.each([
    ['Administrator', 'You can’t skip this step. Administrators need a second factor.'],
    ['Required', 'You can’t skip this step. Everyone needs a second factor here.'],
    ['UsedUp', 'You can’t skip this step again. Set up a second factor to sign in.'],
  ] as const)('hides the button and says why: %s', async (skipRefused, why) => {
    const area = await areaAfter({ tag: 'AuthRequiresFactorCreation', contents: factor, skipRefused })
    const shows = () => [screen.queryByText(/Skip factor/), screen.queryByText(/administrator is notified/), screen.getByText(why) !== null]
    expect(shows()).toEqual([null, null, true])
    // The page is unchanged after a visit to the next page.
    await area.user.click(screen.getByRole('button', { name: 'Next' }))
    await area.user.click(await screen.findByRole('button', { name: 'Show the QR code again' }))
    expect(shows()).toEqual([null, null, true])
  })
})

describe('a skip', () => {
  it('says that the administrator is notified', async () => {
    await creating()
    const note = document.getElementById(skip().getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('If you skip, your administrator is notified.')
  })

  it('calls setupOTP once, with the factor’s ID and without a code, and says ‘Loading’', async () => {
    const area = await creating()
    await area.user.dblClick(skip())
    expect(area.bodies('setupOTP')).toEqual([{ otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpFactorUUID: factorUUID }])
    expect([skip().textContent, skip().disabled]).toEqual(['Loading', true])
  })

  it('starts the session by loginWithToken and leaves when the server accepts it', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.succeed('setupOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([token])
    await area.succeed('loginWithToken', undefined)
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok'])
  })

  it('shows the reason for a factor error', async () => {
    const area = await creating()
    await area.user.click(skip())
    const contents = { tag: 'VerifyTOTPFactorError', contents: { status: 'Verified', reason: { tag: 'NotNeeded' } } }
    await area.succeed('setupOTP', { tag: 'AuthFailureFactorError', contents })
    expect(alerts()).toContain('Not needed')
    expect(await screen.findByText('Verification Failed')).toBeTruthy()
    expect([skip().textContent, skip().disabled]).toEqual(['Skip factor authentication', false])
    expect(document.activeElement).toBe(skip())
  })

  it.each(['AuthFailureFailedLogin', 'AuthRequires2FA'] as const)('shows the failed-login sentence after %s', async tag => {
    const area = await creating()
    await area.user.click(skip())
    await area.succeed('setupOTP', { tag })
    expect(alerts()).toBe(failedLogin)
  })

  it('reports only on the console that the reply cannot be decoded', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.refuse('setupOTP', malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect([skip().textContent, alerts()]).toEqual(['Skip factor authentication', ''])
  })

  it('shows a toast if the server does not reply', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.refuse('setupOTP', unreachable)
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    expect(skip().textContent).toBe('Skip factor authentication')
  })

  it('is aborted when the page unmounts', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(area.calls.at(-1)?.signal?.aborted).toBe(true)
    await area.succeed('setupOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([])
  })
})

describe('a passkey in place of the authenticator app', () => {
  let browser: ReturnType<typeof passkeyBrowser>
  beforeEach(() => {
    browser = passkeyBrowser()
  })
  afterEach(() => browser.remove())

  const offered = async () => {
    const passkeySetUp = vi.fn<PasskeyApi['passkeySetUp']>(async () => ({ ok: true, value: { tag: 'AuthSuccessful', contents: token } }))
    const outcome = { tag: 'AuthRequiresFactorCreation', contents: factor, passkey: creationOptions } as const
    const calls: Partial<PasskeyApi> = { passkeySetUp }
    return { ...(await areaAfter(outcome, { passkeys: true }, undefined, calls as PasskeyApi)), passkeySetUp }
  }
  const button = () => screen.queryByRole<HTMLButtonElement>('button', { name: /passkey|please wait/ })
  const begin = async () => {
    const area = await offered()
    const found = button()
    if (!found) throw new Error('no button')
    await area.user.click(found)
    return area
  }

  it('is created, becomes the second factor, and signs in', async () => {
    const area = await begin()
    expect([button()?.textContent, skip().disabled]).toEqual(['Creating your passkey', true])
    expect(browser.create.mock.calls[0]?.[0]).toHaveProperty('publicKey.rp.id', 'example.com')
    browser.settle('passkey')
    await waitFor(() => expect(button()?.textContent).toBe('Signed in, please wait'))
    expect(area.passkeySetUp.mock.calls.map(([body]) => body)).toEqual([
      { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', credential: attestation },
    ])
    expect(area.bodies('loginWithToken')).toEqual([token])
  })

  it.each([
    ['NotAllowedError', 'No passkey was created. Try again, or use an authenticator app.'],
    ['InvalidStateError', 'This device already has a passkey for your account. Use another device or an authenticator app.'],
    ['SecurityError', 'A passkey couldn’t be created. Try again, or use an authenticator app.'],
  ] as const)('says what to do after %s, and the other ways still work', async (name, text) => {
    await begin()
    browser.settle(name)
    await waitFor(() => expect(alerts()).toBe(text))
    expect(screen.getByRole('button', { name: 'Next' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(button()))
    expect(skip().disabled).toBe(false)
  })

  it('says what to do if the server refuses it', async () => {
    const area = await begin()
    area.passkeySetUp.mockResolvedValue({
      ok: true,
      value: { tag: 'AuthFailureFactorError', contents: { tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } } },
    })
    browser.settle('passkey')
    await waitFor(() => expect(alerts()).toMatch(/^Your passkey wasn’t accepted\. Sign in again/))
  })

  it('is not offered if the server or the browser does not support passkeys', async () => {
    const area = await creating()
    expect(button()).toBeNull()
    area.unmount()
    browser.remove()
    await offered()
    expect(button()).toBeNull()
  })
})

// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
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
  it('has its heading, which takes the focus, and says what to do', async () => {
    await creating()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Two Factor Authentication' }))
    expect(
      screen.getByText('Scan the QR code with an authenticator app such as Google Authenticator or Authy and click Next.'),
    ).toBeTruthy()
  })

  it('draws the QR code 400 px wide, dark on white, with a quiet zone, and says what it is', async () => {
    await creating()
    const code = await screen.findByRole('img', { name: /^QR code/ })
    expect(code.getAttribute('width')).toBe('400')
    const [ground, modules] = code.querySelectorAll('path')
    expect([ground?.getAttribute('fill'), modules?.getAttribute('fill')]).toEqual(['#ffffff', '#000000'])
    expect(modules?.getAttribute('d')).toMatch(/^M4[ ,]4h7/)
  })

  it('says so when the address is longer than a QR code can be, and the key stays', async () => {
    const binding = factor.factorBinding
    if (binding?.tag !== 'TOTPBinding') throw new Error('no binding')
    const factorTOTPBindingURI = `otpauth://totp/${'x'.repeat(4000)}`
    await creating({ ...factor, factorBinding: { tag: 'TOTPBinding', contents: { ...binding.contents, factorTOTPBindingURI } } })
    expect((await screen.findByText('Couldn’t load the QR code.')).closest('[role=alert]')).toBeTruthy()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Next' })).toBeTruthy()
    // React tells of what a boundary caught.
    expect(written.lines().join()).toContain('Data too long')
  })

  it('gives the key in groups of four, and as a link for an app on the same device', async () => {
    await creating()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')).toBe(uri)
  })

  it('makes no link of an address that is no otpauth:', async () => {
    const binding = factor.factorBinding
    if (binding?.tag !== 'TOTPBinding') throw new Error('no binding')
    await creating({
      ...factor,
      factorBinding: { tag: 'TOTPBinding', contents: { ...binding.contents, factorTOTPBindingURI: 'javascript:alert(1)' } },
    })
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('copies the key without its gaps', async () => {
    const area = await creating()
    await area.user.click(screen.getByRole('button', { name: 'Copy key' }))
    expect(await navigator.clipboard.readText()).toBe(secret)
    expect(await screen.findByText('Copied', { selector: '[role=status]' })).toBeTruthy()
  })

  it('selects the key where a page may not copy', async () => {
    const area = await creating()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    await area.user.click(screen.getByRole('button', { name: 'Copy key' }))
    expect(await screen.findByRole('button', { name: 'Selected. Now copy it.' })).toBeTruthy()
    expect(getSelection()?.toString()).toBe('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')
  })

  it('leads on to the first code', async () => {
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
    ])('%s, says what to do, and Next leads to its first code', async (_, contents) => {
      const area = await creating(contents)
      expect(alerts()).toBe('')
      expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
      expect(
        screen.getByText(
          'Your second factor is the device “Pixel 9”. Follow your organization’s instructions to set it up, then click Next and enter the code from the device.',
        ),
      ).toBeTruthy()
      await area.user.click(screen.getByRole('button', { name: 'Next' }))
      expect(screen.getByText('Enter the six-digit code from your device.')).toBeTruthy()
      await area.user.type(screen.getByLabelText('Verification Code'), '012345{Enter}')
      expect(area.bodies('setupOTP')).toEqual([
        { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpVerification: 12345, otpFactorUUID: factorUUID },
      ])
    })

    it('leads back from the code to the instructions, not to a QR code', async () => {
      const area = await creating(pushed)
      await area.user.click(screen.getByRole('button', { name: 'Next' }))
      expect(screen.queryByRole('button', { name: 'Show the QR code again' })).toBeNull()
      await area.user.click(screen.getByRole('button', { name: 'Show the instructions again' }))
      expect(screen.getByText(/^Your second factor is the device/)).toBeTruthy()
    })

    it('without a name, says so in general words', async () => {
      await creating({ ...pushed, factorFriendlyName: ' ' })
      expect(screen.getByText(/^Your second factor is a device\. Follow/)).toBeTruthy()
    })

    it('can be skipped', async () => {
      const area = await creating(pushed)
      await area.user.click(skip())
      expect(area.bodies('setupOTP')).toEqual([
        { otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpFactorUUID: factorUUID },
      ])
    })
  })

  it('says so when there is nothing to scan', async () => {
    await creating(unbound)
    expect(alerts()).toBe('Something went wrongThere’s no QR code to scan. Sign in again to get one.')
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  })
})

describe('where skipping is not allowed', () => {
  it.each([
    ['Administrator', 'You can’t skip this step. Administrators need a second factor.'],
    ['Required', 'You can’t skip this step. Everyone needs a second factor here.'],
    ['UsedUp', 'You can’t skip this step again. Set up a second factor to sign in.'],
  ] as const)('the page leaves the button out and says why: %s', async (skipRefused, why) => {
    const area = await areaAfter({ tag: 'AuthRequiresFactorCreation', contents: factor, skipRefused })
    const shows = () => [screen.queryByText(/Skip factor/), screen.queryByText(/administrator is notified/), screen.getByText(why) !== null]
    expect(shows()).toEqual([null, null, true])
    // There and back, it is the same page.
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

  it('is setupOTP with the factor’s id and no code, says ‘Loading’, and is sent once', async () => {
    const area = await creating()
    await area.user.dblClick(skip())
    expect(area.bodies('setupOTP')).toEqual([{ otpUsername: 'ada@example.com', otpPassword: ' Correct Horse ', otpFactorUUID: factorUUID }])
    expect([skip().textContent, skip().disabled]).toEqual(['Loading', true])
  })

  it('that is granted starts the session by loginWithToken and leaves', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.succeed('setupOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([token])
    await area.succeed('loginWithToken', undefined)
    expect(area.visited).toEqual(['https://gate.example/in/auth/page/plow/sel%2F1/tok'])
  })

  it('that meets a factor error shows the reason', async () => {
    const area = await creating()
    await area.user.click(skip())
    const contents = { tag: 'VerifyTOTPFactorError', contents: { status: 'Verified', reason: { tag: 'NotNeeded' } } }
    await area.succeed('setupOTP', { tag: 'AuthFailureFactorError', contents })
    expect(alerts()).toContain('Not needed')
    expect(await screen.findByText('Verification Failed')).toBeTruthy()
    expect([skip().textContent, skip().disabled]).toEqual(['Skip factor authentication', false])
    expect(document.activeElement).toBe(skip())
  })

  it.each(['AuthFailureFailedLogin', 'AuthRequires2FA'] as const)('that ends in %s shows the one sentence', async tag => {
    const area = await creating()
    await area.user.click(skip())
    await area.succeed('setupOTP', { tag })
    expect(alerts()).toBe(failedLogin)
  })

  it('whose answer cannot be decoded is only written to the console', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.refuse('setupOTP', malformed)
    expect(written.lines()).toEqual(['Gatehouse: decodeAuthOutcome: Unknow tag'])
    expect([skip().textContent, alerts()]).toEqual(['Skip factor authentication', ''])
  })

  it('without an answer is told in a toast', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.refuse('setupOTP', unreachable)
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    expect(skip().textContent).toBe('Skip factor authentication')
  })

  it('is called off when the page goes', async () => {
    const area = await creating()
    await area.user.click(skip())
    await area.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(area.calls.at(-1)?.signal?.aborted).toBe(true)
    await area.succeed('setupOTP', { tag: 'AuthSuccessful', contents: token })
    expect(area.bodies('loginWithToken')).toEqual([])
  })
})

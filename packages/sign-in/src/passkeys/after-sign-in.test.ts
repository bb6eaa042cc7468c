// @vitest-environment jsdom

import { afterEach, expect, it, vi } from 'vitest'
import type { PasskeyApi } from '../calls/passkey-api.ts'
import { attestation, creationOptions, passkeyBrowser } from '../testing/passkey-browser.ts'
import { tidyPasskeys } from './after-sign-in.ts'

let browser: ReturnType<typeof passkeyBrowser>
afterEach(() => browser.remove())

const signals = {
  rpId: 'example.com',
  userId: 'dQ',
  name: 'ada@example.com',
  displayName: 'ada@example.com',
  allAcceptedCredentialIds: ['YQ'],
}
const added = { factorUUID: '01234567-89ab-cdef-0123-456789abcdef', factorFriendlyName: 'iCloud Keychain', signals }

const tidy = (options: Partial<typeof creationOptions> | undefined, signal = new AbortController().signal) => {
  const passkeyUpgrade = vi.fn<PasskeyApi['passkeyUpgrade']>(async () => ({ ok: true, value: added }))
  const upgrade = options && { ...creationOptions, ...options }
  const done = tidyPasskeys({ signals, ...(upgrade && { upgrade }) }, { baseUrl: '' }, signal, { passkeyUpgrade })
  return { passkeyUpgrade, done }
}
const asked = () => vi.waitFor(() => expect(browser.asked).toHaveLength(1))

it('tells the password manager which passkeys exist, and the name of the user', async () => {
  browser = passkeyBrowser()
  await tidy(undefined).done
  expect(browser.signalAllAcceptedCredentials.mock.calls).toEqual([
    [{ rpId: 'example.com', userId: 'dQ', allAcceptedCredentialIds: ['YQ'] }],
  ])
  expect(browser.signalCurrentUserDetails.mock.calls).toEqual([
    [{ rpId: 'example.com', userId: 'dQ', name: 'ada@example.com', displayName: 'ada@example.com' }],
  ])
  expect(browser.create).not.toHaveBeenCalled()
})

it('adds the passkey that the password manager creates without asking', async () => {
  browser = passkeyBrowser({ capabilities: { conditionalCreate: true } })
  const { passkeyUpgrade, done } = tidy({})
  await asked()
  expect(browser.asked[0]?.mediation).toBe('conditional')
  browser.settle('passkey')
  await done
  expect(passkeyUpgrade.mock.calls).toEqual([[{ credential: attestation }]])
  expect(browser.signalUnknownCredential).not.toHaveBeenCalled()
})

it('removes a new passkey from the password manager if the server did not add it', async () => {
  browser = passkeyBrowser({ capabilities: { conditionalCreate: true } })
  const { passkeyUpgrade, done } = tidy({})
  passkeyUpgrade.mockResolvedValue({ ok: false, failure: { is: 'unreachable', message: '', detail: '' } })
  await asked()
  browser.settle('passkey')
  await done
  expect(browser.signalUnknownCredential.mock.calls).toEqual([[{ rpId: 'example.com', credentialId: attestation.id }]])
})

it.each([{}, { conditionalCreate: false }])('creates no passkey where the browser would show a dialog: %j', async capabilities => {
  browser = passkeyBrowser({ capabilities })
  await tidy({}).done
  expect(browser.create).not.toHaveBeenCalled()
})

it('never rejects, and stops when its signal aborts', async () => {
  browser = passkeyBrowser({ capabilities: { conditionalCreate: true } })
  browser.signalAllAcceptedCredentials.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  const stop = new AbortController()
  const { passkeyUpgrade, done } = tidy({}, stop.signal)
  await asked()
  stop.abort()
  await done
  expect(passkeyUpgrade).not.toHaveBeenCalled()
})

it('does nothing where the browser has no passkeys', async () => {
  browser = passkeyBrowser()
  browser.remove()
  await tidy({}).done
  expect(browser.signalAllAcceptedCredentials).not.toHaveBeenCalled()
})

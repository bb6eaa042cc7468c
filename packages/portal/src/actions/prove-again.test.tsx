// @vitest-environment jsdom
import type { PasskeyAssertion } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { AccountPage } from '../account/account-page.tsx'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { done, refused, stale, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas, now } from '../testing/own-account.ts'
import { alerts, draw, errorOf, field, press, toasted } from '../testing/render.ts'

beforeEach(stubDialogs)

const credential: PasskeyAssertion = {
  id: 'YQ',
  rawId: 'YQ',
  type: 'public-key',
  response: { clientDataJSON: 'Yw', authenticatorData: 'YQ', signature: 'cw' },
}
const passkey = {
  factorUUID: '01234567-89ab-cdef-0123-456789abcdef',
  factorFriendlyName: 'iCloud Keychain',
  factorFactorType: 'Passkey',
  factorDateCreated: '2026-11-19T03:00:00Z',
  passkey: { credentialId: 'YQ', synced: true, optional: false },
} as const

const opened = async ({ hasPassword = true, factors = [passkey] as readonly (typeof passkey)[] } = {}) => {
  const passkeys = {
    isSupported: () => true,
    add: vi.fn<PasskeyAccess['add']>(),
    prove: vi.fn<PasskeyAccess['prove']>(() => done(credential)),
    confirm: vi.fn<PasskeyAccess['confirm']>(() => done(undefined)),
    tidy: vi.fn(async () => {}),
  }
  const providers = [{ provider: 'Google', linked: true } as const]
  const account = { ...adas, hasPassword, providers, factors: [...factors], mostPasskeys: 20 }
  const userEmailChange = vi.fn(() => done(undefined))
  const userProviderUnlink = vi.fn(() => done(undefined))
  const api = accountApi({ userAccount: () => done(account), userEmailChange, userProviderUnlink })
  const page = { base: '', now, languages: [], visit: () => {}, leave: () => {}, save: () => {}, print: () => {} }
  await draw(<AccountPage {...page} account={account} api={api} passkeys={passkeys} />)
  return { ...passkeys, userEmailChange, userProviderUnlink }
}
const inDialog = (label: string) =>
  [...document.querySelectorAll<HTMLElement>('dialog button')].find(button => button.textContent === label)
const pressIn = (label: string) => act(async () => inDialog(label)?.click())
const newEmail = () => {
  field('newemail').value = 'ada@example.org'
}
const proof = { newemail: 'ada@example.org', password: '', credential }

it('lets a user without a password change the email address with a passkey', async () => {
  const { userEmailChange, prove } = await opened({ hasPassword: false })
  await press('Change email')
  expect(document.querySelector('dialog input[name=password]')).toBeNull()
  await pressIn('Send link')
  expect([errorOf(field('newemail')), prove.mock.calls.length]).toEqual(['Enter your new email address.', 0])
  newEmail()
  await pressIn('Send link')
  expect(userEmailChange.mock.calls.map(([request]: unknown[]) => request)).toEqual([proof])
  expect(await toasted()).toMatch(/^If that address is available/)
})

it('hides the email change from a user with neither password nor passkey', async () => {
  await opened({ hasPassword: false, factors: [] })
  expect([...document.querySelectorAll('button')].map(button => button.textContent)).not.toContain('Change email')
})

it('accepts a passkey instead of the password, and says if none was used', async () => {
  const { userEmailChange, prove } = await opened()
  prove.mockResolvedValueOnce('Cancelled')
  await press('Change email')
  newEmail()
  await pressIn('Use a passkey')
  expect(alerts()).toContain('No passkey was used. Try again')
  expect(userEmailChange).not.toHaveBeenCalled()
  // The server refused the passkey. Its error names the password, because the call has a `password` field.
  userEmailChange.mockReturnValueOnce(refused(403, 'password: is wrong'))
  await pressIn('Use a passkey')
  expect(alerts()).toContain('No passkey was used. Try again')
  await pressIn('Use a passkey')
  expect(userEmailChange.mock.calls.map(([request]: unknown[]) => request)).toEqual([proof, proof])
  expect(prove).toHaveBeenCalledTimes(3)
})

it('asks only once for the passkey that a change needs, even if the session is too old', async () => {
  const { userEmailChange, prove, confirm } = await opened()
  userEmailChange.mockReturnValueOnce(stale())
  await press('Change email')
  newEmail()
  await pressIn('Use a passkey')
  expect(document.querySelector('dialog')?.textContent).toContain('Confirm it’s you')
  await pressIn('Use a passkey')
  expect([confirm.mock.calls.length, prove.mock.calls.length]).toEqual([1, 1])
  expect(userEmailChange.mock.calls.map(([request]: unknown[]) => request)).toEqual([proof, proof])
})

it('unlinks a provider with a passkey in place of the password', async () => {
  const { userProviderUnlink } = await opened()
  const unlink = [...document.querySelectorAll<HTMLElement>('button')].find(button => button.textContent === 'Unlink')
  await act(async () => unlink?.click())
  await pressIn('Use a passkey')
  expect(userProviderUnlink.mock.calls.map(([request]: unknown[]) => request)).toEqual([{ provider: 'Google', password: '', credential }])
})

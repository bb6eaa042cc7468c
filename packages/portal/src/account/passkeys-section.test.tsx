// @vitest-environment jsdom
import type { OwnAccount, PasskeyAdded } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PasskeyAccess } from '../passkeys/passkey-access.ts'
import { done, stale, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas, now } from '../testing/own-account.ts'
import { draw, press, toasted } from '../testing/render.ts'
import { AccountPage } from './account-page.tsx'

beforeEach(stubDialogs)

const passkey = (n: number, details: Partial<OwnAccount['factors'][number]['passkey']> = {}): OwnAccount['factors'][number] => ({
  factorUUID: `7c9e6679-7425-40de-944b-e07fc1f90a0${n}`,
  factorFriendlyName: `Passkey ${n}`,
  factorFactorType: 'Passkey',
  factorDateCreated: '2026-11-10T08:00:00.000Z',
  passkey: { credentialId: `id${n}`, synced: true, optional: false, ...details },
})
const signals = { rpId: 'example.com', userId: 'u', name: 'ada', displayName: 'ada', allAcceptedCredentialIds: [] }
const added: PasskeyAdded = { factorUUID: passkey(9).factorUUID, factorFriendlyName: 'iCloud Keychain', signals }

type Setup = Partial<PasskeyAccess> & Pick<Partial<OwnAccount>, 'factors' | 'hasPassword' | 'providers' | 'mostPasskeys' | 'mayBeWithout'>

const opened = async ({
  factors = [],
  hasPassword = true,
  providers = adas.providers,
  mostPasskeys = 20,
  mayBeWithout = true,
  ...device
}: Setup = {}) => {
  const access = {
    isSupported: () => true,
    add: vi.fn<PasskeyAccess['add']>(() => done(added)),
    prove: vi.fn<PasskeyAccess['prove']>(),
    confirm: vi.fn<PasskeyAccess['confirm']>(() => done(undefined)),
    tidy: vi.fn(() => Promise.resolve()),
    ...device,
  }
  const account = { ...adas, factors, hasPassword, providers, mayBeWithout, mostPasskeys }
  const userFactorRemove = vi.fn(() => done(undefined))
  const userPasswordConfirm = vi.fn(() => done(undefined))
  const api = accountApi({ userAccount: () => done(account), userFactorRemove, userPasswordConfirm })
  const page = { base: '', now, languages: [], visit: () => {}, leave: () => {}, save: () => {}, print: () => {} }
  await draw(<AccountPage {...page} account={account} api={api} passkeys={access} />)
  return { ...access, userFactorRemove, userPasswordConfirm }
}
const section = (id = 'passkeys') => document.querySelector(`[aria-labelledby=${id}]`)
const rows = (id?: string) => [...(section(id)?.querySelectorAll('li') ?? [])].map(row => row.textContent)
const dialog = () => document.querySelector('dialog')
const inDialog = (label: string) => [...(dialog()?.querySelectorAll('button') ?? [])].find(button => button.textContent === label)
const pressIn = async (label: string) => {
  const button = inDialog(label)
  if (!button) throw new Error(`no button ${label}`)
  await act(async () => button.click())
}
const remove = async (n: number) => {
  const button = document.querySelector<HTMLElement>(`[aria-label="Remove Passkey ${n}"]`)
  await act(async () => button?.click())
}

describe('the passkeys of the account', () => {
  it('are hidden if passkeys are turned off on the server and the user has none', async () => {
    await opened({ mostPasskeys: null as never })
    expect(section()).toBeNull()
  })

  it('are listed separately from other second factors, with their storage location', async () => {
    await opened({ factors: [...adas.factors.slice(0, 1), passkey(1), passkey(2, { synced: false, optional: true })] })
    expect(rows()).toEqual([
      expect.stringMatching(/^Passkey 1 SyncedAdded .*not used yet/),
      expect.stringMatching(/^Passkey 2 This device onlyAdded .*Your password manager added it/),
    ])
    expect(rows('second-factor')).toHaveLength(1)
  })

  it('are mentioned in the second-factor section if the user has no other second factor', async () => {
    await opened({ factors: [passkey(1)] })
    expect(rows('second-factor')).toEqual(['No authenticator app and no phone. Your passkeys are your second factor.'])
  })

  it('can be added, and the page names the new one', async () => {
    const { add } = await opened()
    await press('Add a passkey')
    await pressIn('Add a passkey')
    expect(add).toHaveBeenCalledOnce()
    expect(await toasted()).toBe('Passkey added: iCloud Keychain.')
  })

  it.each([
    ['Cancelled', 'No passkey was created. Try again when you’re ready.'],
    ['AlreadyThere', 'This device or password manager already has a passkey for your account.'],
    ['Failed', 'Your browser couldn’t create a passkey. Try another device or browser.'],
  ] as const)('keep the dialog open, which says why no passkey was created (%s)', async (why, text) => {
    await opened({ add: () => Promise.resolve(why) })
    await press('Add a passkey')
    await pressIn('Add a passkey')
    await vi.waitFor(() => expect(dialog()?.textContent).toContain(text))
    expect(inDialog('Add a passkey')?.disabled).toBe(false)
  })

  it('cannot be added in a browser without passkeys or beyond the maximum, and the page says why', async () => {
    await opened({ isSupported: () => false })
    expect(section()?.textContent).toContain('This browser can’t use passkeys here.')
    expect(section()?.textContent).not.toContain('Add a passkey')
    document.body.innerHTML = ''
    await opened({ factors: [passkey(1), passkey(2)], mostPasskeys: 2 })
    expect(section()?.textContent).toContain('You have 2 passkeys, the most an account can have.')
    expect(section()?.textContent).not.toContain('Add a passkey')
  })

  it('are removed on the server and then in the password manager', async () => {
    const { userFactorRemove, tidy } = await opened({ factors: [...adas.factors, passkey(1)] })
    await remove(1)
    await pressIn('Remove')
    expect(userFactorRemove).toHaveBeenCalledWith({ factorUUID: passkey(1).factorUUID }, expect.anything())
    await vi.waitFor(() => expect(tidy).toHaveBeenCalledOnce())
  })

  it('cannot be removed if they are the last factor and one is required, unless they were added automatically', async () => {
    await opened({ factors: [passkey(1), passkey(2, { optional: true })], mayBeWithout: false })
    expect(rows()[0]).not.toContain('Remove')
    expect(rows()[1]).toContain('Remove')
  })

  it('cannot be removed if they are the last way to sign in, and the page says what to do first', async () => {
    const own = { factors: [...adas.factors, passkey(1)], hasPassword: false, mayBeWithout: true }
    const google = (linked: boolean) => ({ providers: [{ provider: 'Google', linked } as const] })
    await opened({ ...own, ...google(false) })
    expect(rows()[0]).toContain('This is your only way to sign in. Set a password or add another passkey first.')
    expect(rows()[0]).not.toContain('Remove')
    for (const more of [{ hasPassword: true }, google(true)]) {
      document.body.innerHTML = ''
      await opened({ ...own, ...google(false), ...more })
      expect(rows()[0]).toContain('Remove')
    }
  })
})

describe('passkeys that do not sign in alone', () => {
  const own = { hasPassword: false, providers: [{ provider: 'Google', linked: false } as const] }

  it('are marked in the list, with the reason', async () => {
    await opened({ factors: [passkey(1, { use: 'SecondFactor' }), passkey(2, { use: 'None' }), passkey(3)] })
    const shown = rows()
    const secondFactor = 'Works as a second factor only. To sign in with a passkey alone, add a new one.'
    expect(shown.map(row => row.includes(secondFactor))).toEqual([true, false, false])
    expect(shown.map(row => row.includes('It no longer works on this site.'))).toEqual([false, true, false])
  })

  it.each(['SecondFactor', 'None'] as const)('do not count as a second way to sign in, but can be removed (%s)', async use => {
    await opened({ ...own, factors: [...adas.factors, passkey(1), passkey(2, { use })] })
    expect(rows().map(row => row.includes('This is your only way to sign in.'))).toEqual([true, false])
    expect(rows().map(row => row.includes('Remove'))).toEqual([false, true])
  })

  it.each([
    ['SecondFactor', false],
    ['None', false],
    ['SignIn', true],
    [undefined, true],
  ] as const)('do not let the user unlink the last provider, unlike other passkeys (%s)', async (use, unlinks) => {
    await opened({ ...own, providers: [{ provider: 'Google', linked: true }], factors: [passkey(1, use && { use })] })
    expect(rows('ways-to-sign-in')[0]?.includes('Unlink')).toBe(unlinks)
    expect(rows('ways-to-sign-in')[0]?.includes('This is your only way to sign in.')).toBe(!unlinks)
  })

  it.each([
    ['SecondFactor', true],
    ['None', false],
  ] as const)('reauthenticate only if they work on this site (%s)', async (use, offered) => {
    await opened({ factors: [passkey(1, { use })], add: stale })
    await press('Add a passkey')
    await pressIn('Add a passkey')
    await vi.waitFor(() => expect(dialog()?.querySelector('input[name=password]')).toBeTruthy())
    expect(inDialog('Use a passkey') !== undefined).toBe(offered)
  })
})

describe('reauthentication by passkey', () => {
  it('is offered beside the password, and runs the action again', async () => {
    const add = vi.fn<PasskeyAccess['add']>(() => done(added)).mockImplementationOnce(stale)
    const { confirm, userPasswordConfirm } = await opened({ factors: [passkey(1)], add })
    await press('Add a passkey')
    await pressIn('Add a passkey')
    await vi.waitFor(() => expect(inDialog('Use a passkey')).toBeTruthy())
    expect(dialog()?.querySelector('input[name=password]')).toBeTruthy()
    await pressIn('Use a passkey')
    expect(confirm).toHaveBeenCalledOnce()
    expect(userPasswordConfirm).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(document.body.textContent).toContain('Passkey added'))
    expect(add).toHaveBeenCalledTimes(2)
  })

  it('is the only option that the dialog offers a user without a password, and the dialog reports a cancellation', async () => {
    const add = vi.fn<PasskeyAccess['add']>(stale)
    await opened({ factors: [passkey(1)], hasPassword: false, add, confirm: () => Promise.resolve('Cancelled') })
    await press('Add a passkey')
    await pressIn('Add a passkey')
    await vi.waitFor(() => expect(inDialog('Use a passkey')).toBeTruthy())
    expect(dialog()?.querySelector('input[name=password]')).toBeNull()
    await pressIn('Use a passkey')
    await vi.waitFor(() => expect(dialog()?.textContent).toContain('No passkey was used. Try again, or sign out and sign in again.'))
    expect(add).toHaveBeenCalledOnce()
  })

  it('is not offered to a user without a passkey', async () => {
    await opened({ add: stale })
    await press('Add a passkey')
    await pressIn('Add a passkey')
    await vi.waitFor(() => expect(dialog()?.querySelector('input[name=password]')).toBeTruthy())
    expect(inDialog('Use a passkey')).toBeUndefined()
  })
})

// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { ErrorCode, OwnPasses } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dialog, done, page, refusal, refused, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas, adasPasses } from '../testing/own-account.ts'
import { alerts, draw, errorOf, field, press, toasted } from '../testing/render.ts'
import { AccountPage } from './account-page.tsx'

beforeEach(stubDialogs)

const section = () => document.querySelector('[aria-labelledby=passes]')
const rows = () => [...(section()?.querySelectorAll('li') ?? [])].map(row => row.textContent?.replaceAll(/ \([^)]*:[^)]*\)/g, ''))
const addresses = () => document.querySelector<HTMLTextAreaElement>('textarea[name=to]')
const errorOfAddresses = () => document.getElementById(addresses()?.getAttribute('aria-describedby') ?? '')?.textContent

const opened = async (api: Parameters<typeof accountApi>[0] = {}, own: OwnPasses = adasPasses) => {
  const userPasses = vi.fn(() => done(own))
  const userAccount = vi.fn(() => done(adas))
  await draw(<AccountPage {...page} api={accountApi({ userPasses, userAccount, ...api })} />)
  return { userPasses, userAccount }
}
/** Presses the button of the dialog, not that of the section with the same label. */
const submit = () => act(async () => dialog()?.querySelector<HTMLElement>('button[type=submit]')?.click())

describe('the passes', () => {
  it('are listed with scope, creation, end and last use', async () => {
    await opened()
    expect(rows()).toEqual([
      'Nightly backup' +
        'https://grafana.example.com/api/*' +
        'https://prometheus.example.com/*' +
        'All methods, from any network' +
        'Created 18\u00a0days ago, ends 1 Nov 2027, 13:00' +
        'Last used 44\u00a0minutes ago from 10.0.0.5' +
        'End',
      'Exporter' +
        'https://prometheus.example.com/metrics' +
        'Only GET, HEAD, from 10.0.0.0/8, 192.168.0.0/16' +
        'Created just now, ends 20 Dec 2026, 04:14' +
        'Not used yet' +
        'End',
    ])
    expect([...document.querySelectorAll('nav a')].map(link => link.textContent)).toContain('Passes')
  })

  it('are hidden if no rule admits passes and the user has none', async () => {
    await opened({}, { passes: [], origins: [], most: 20 })
    expect(section()).toBeNull()
    const userPasses = vi.fn(() => done(adasPasses))
    await draw(<AccountPage {...page} account={{ ...page.account, passes: false }} api={accountApi({ userPasses })} />)
    expect([section(), userPasses.mock.calls]).toEqual([null, []])
  })

  it('can be created if a rule admits passes', async () => {
    await opened({}, { ...adasPasses, passes: [] })
    expect(rows()).toEqual(['You have no passes.'])
    expect(section()?.textContent).toContain('Create pass')
  })

  it('can be ended but not created if no rule admits passes', async () => {
    await opened({}, { ...adasPasses, origins: [] })
    expect(section()?.textContent).toContain('No application accepts passes at the moment.')
    expect([...(section()?.querySelectorAll('button') ?? [])].map(button => button.textContent)).toEqual(['End', 'End'])
  })

  it('can be ended but not created if the user has the maximum number of passes', async () => {
    await opened({}, { ...adasPasses, most: 2 })
    expect(section()?.textContent).toContain('You have 2 passes, the most an account can have.')
    expect([...(section()?.querySelectorAll('button') ?? [])].map(button => button.textContent)).toEqual(['End', 'End'])
  })

  it('are created with the typed scope and shown once', async () => {
    const userPassAdd = vi.fn(() => done({ pass: 'gh_pass_secret' }))
    const { userPasses, userAccount } = await opened({ userPassAdd })
    await press('Create pass')
    expect(addresses()?.value).toBe('https://grafana.example.com/*\nhttps://prometheus.example.com/*')
    expect(document.activeElement).toBe(field('name'))
    field('name').value = ' Backup '
    field('methods').value = 'get, head'
    field('from').value = '10.0.0.0/8 192.168.1.7'
    await submit()
    expect(userPassAdd.mock.calls).toEqual([
      [
        {
          name: 'Backup',
          to: ['https://grafana.example.com/*', 'https://prometheus.example.com/*'],
          methods: ['GET', 'HEAD'],
          from: ['10.0.0.0/8', '192.168.1.7'],
          days: 90,
        },
        expect.any(AbortSignal),
      ],
    ])
    expect(dialog()?.querySelector('code')?.textContent).toBe('gh_pass_secret')
    expect(dialog()?.textContent).toContain('We won’t show it again.')
    expect(dialog()?.textContent).toContain('Copy pass')
    expect([userPasses.mock.calls.length, userAccount.mock.calls.length]).toEqual([2, 1])
    await press('I’ve saved it')
    expect(document.body.textContent).not.toContain('gh_pass_secret')
  })

  it('end on a date that the user chooses, up to one year ahead', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T03:14:00Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const userPassAdd = vi.fn(() => done({ pass: 'gh_pass_secret' }))
    await opened({ userPassAdd })
    await press('Create pass')
    field('name').value = 'Backup'
    const ends = document.querySelector<HTMLSelectElement>('select[name=days]')
    expect([...(ends?.options ?? [])].map(({ text }) => text)).toEqual(['In 30 days', 'In 90 days', 'In 1 year', 'On a date'])
    await act(async () => {
      if (ends) ends.value = 'date'
      ends?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect([field('date').type, field('date').min, field('date').max]).toEqual(['date', '2026-11-21', '2027-11-20'])
    for (const wrong of ['', '2026-11-20', '2027-11-21']) {
      field('date').value = wrong
      await submit()
      expect(errorOf(field('date'))).toBe('Choose a date between tomorrow and one year from now.')
    }
    expect(userPassAdd).not.toHaveBeenCalled()
    field('date').value = '2026-12-24'
    await submit()
    expect(userPassAdd.mock.calls).toMatchObject([[{ days: 34 }, {}]])
  })

  it('report a missing name and missing addresses below their fields, without a call', async () => {
    const userPassAdd = vi.fn(() => done({ pass: '' }))
    await opened({ userPassAdd })
    await press('Create pass')
    await submit()
    expect(errorOf(field('name'))).toBe('Enter a name.')
    field('name').value = 'Backup'
    const area = addresses()
    if (area) area.value = ' \n'
    await submit()
    expect(errorOfAddresses()).toBe('Enter at least one address.')
    expect(document.activeElement).toBe(area)
    expect(userPassAdd).not.toHaveBeenCalled()
  })

  it('show a refused name below its field if the refusal has no code', async () => {
    await opened({ userPassAdd: refusal(400, 'name: is odd') })
    await press('Create pass')
    field('name').value = 'Backup'
    await submit()
    expect(errorOf(field('name'))).toBe('The server refused this name. Choose another one.')
  })

  it.each([
    ['to', 'PassAddressOrigin', 'x', '‘x’ must begin with an origin like https://grafana.example.com, without wildcards.'],
    ['to', 'PassAddressElsewhere', 'https://x.example/*', 'No rule admits passes at ‘https://x.example/*’.'],
    ['methods', 'PassMethod', 'G3T', '‘G3T’ must be a method in capitals, such as GET.'],
    ['from', 'PassNetwork', 'x', '‘x’ must be an address or a network such as 10.0.0.0/8.'],
  ] as const)('show a refusal below its field by its code: %s', async (name, code, entry, shown) => {
    await opened({ userPassAdd: () => refused(400, `${name}: in other words`, code, entry) })
    await press('Create pass')
    field('name').value = 'Backup'
    await submit()
    expect(name === 'to' ? errorOfAddresses() : errorOf(field(name))).toBe(shown)
  })

  it('accept at most 20 entries in a field', async () => {
    const userPassAdd = vi.fn(refusal(400, 'unused'))
    await opened({ userPassAdd })
    await press('Create pass')
    field('name').value = 'Backup'
    field('from').value = Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`).join(' ')
    await submit()
    expect(errorOf(field('from'))).toBe('Enter at most 20 entries.')
    expect(userPassAdd).not.toHaveBeenCalled()
  })

  it.each([
    [409, 'pass: the maximum number has been reached', 'You have 20 passes, the most an account can have.'],
    [403, 'passkey: sign in with a passkey first', 'sign out and sign in again with a passkey.'],
  ])('show other refusals in an alert: %s', async (status, message, shown) => {
    await opened({ userPassAdd: refusal(status, message) })
    await press('Create pass')
    field('name').value = 'Backup'
    await submit()
    expect(alerts()).toContain(shown)
  })

  it('ask for the password if the sign-in is too old, then create the pass', async () => {
    const stale: Reply<never> = {
      ok: false,
      failure: { is: 'refused', message: '', detail: '', status: 403, code: 'ReauthenticationRequired' satisfies ErrorCode },
    }
    const userPassAdd = vi.fn<() => Promise<Reply<{ pass: string }>>>(() => done({ pass: 'gh_pass_secret' })).mockResolvedValueOnce(stale)
    const userPasswordConfirm = vi.fn(() => done(undefined))
    await opened({ userPassAdd, userPasswordConfirm })
    await press('Create pass')
    field('name').value = 'Backup'
    await submit()
    expect(dialog()?.querySelector('h2')?.textContent).toBe('Confirm it’s you')
    field('password').value = 'correct horse'
    await submit()
    expect(userPasswordConfirm.mock.calls).toEqual([[{ password: 'correct horse' }, expect.any(AbortSignal)]])
    expect(dialog()?.querySelector('code')?.textContent).toBe('gh_pass_secret')
    expect(userPassAdd).toHaveBeenCalledTimes(2)
  })

  it('leave the list when a password change has ended them', async () => {
    const userPasswordUpdate = vi.fn(() => done(undefined))
    const { userPasses } = await opened({ userPasswordUpdate })
    expect(rows()).toHaveLength(2)
    userPasses.mockResolvedValue({ ok: true, value: { ...adasPasses, passes: [] } })
    await press('Change password')
    expect(dialog()?.textContent).toContain('Your passes will end, so programs that use them lose access.')
    for (const [name, value] of [
      ['oldpassword', 'correct horse'],
      ['newpassword', 'another long password'],
      ['newpasswordverification', 'another long password'],
    ] as const)
      field(name).value = value
    await submit()
    expect(userPasswordUpdate).toHaveBeenCalledTimes(1)
    expect(await toasted()).toBe('Password changed.')
    expect(rows()).toEqual(['You have no passes.'])
    await press('Change password')
    expect(dialog()?.textContent).not.toContain('passes')
  })

  it.each([
    ['ended', () => done(undefined)],
    ['already ended', refusal(404, 'passId: there is no such pass')],
  ])('are ended after a confirmation: %s', async (_, answer) => {
    const userPassEnd = vi.fn(answer)
    const { userPasses } = await opened({ userPassEnd })
    userPasses.mockResolvedValue({ ok: true, value: { ...adasPasses, passes: adasPasses.passes.slice(0, 1) } })
    await act(async () => section()?.querySelector<HTMLElement>('[aria-label="End pass Exporter"]')?.click())
    expect(dialog()?.textContent).toContain('Programs that use it lose access immediately.')
    await submit()
    expect(userPassEnd.mock.calls).toEqual([[{ passId: 'exporter' }, expect.any(AbortSignal)]])
    expect(await toasted()).toBe('Pass ended.')
    expect(rows()).toHaveLength(1)
  })
})

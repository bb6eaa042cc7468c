// @vitest-environment jsdom
import type { AdministeredPass, PassList, PassListRequest } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { stubDialogs } from '../testing/account-page.ts'
import { done, open, refused, said, submit, type } from '../testing/administration-page.tsx'
import { alerts, errorOf, field, heading, press } from '../testing/render.ts'
import type { AdministrationApi } from './administration-api.ts'
import { allPasses } from './route.ts'

beforeEach(stubDialogs)

const prometheus = 'https://prometheus.example.com'
const hers: AdministeredPass = {
  passId: 'a',
  name: 'Backup',
  to: [`${prometheus}/api/*`],
  methods: [],
  from: ['10.0.0.0/8'],
  created: '2026-11-01T03:00:00Z',
  expires: '2026-12-01T03:00:00Z',
  used: '2026-11-20T02:00:00Z',
  usedFrom: '10.0.0.5',
  user: { userId: 'u', userIdent: 'ada@example.com' },
}
const { used: _, usedFrom: __, user: ___, ...unused } = hers
const scraper: AdministeredPass = { ...unused, passId: 's', name: 'Scraper', methods: ['GET'], from: [], service: 'prometheus' }
const list: PassList = {
  passes: [hers, scraper],
  counts: { All: 2, Users: 1, Services: 1 },
  origins: [prometheus],
  services: 1,
  most: 200,
}
const listing = (value: PassList) => vi.fn((_: PassListRequest) => Promise.resolve({ ok: true, value } as const))
const rows = () => [...document.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))
const dialogTitle = () => document.querySelector('dialog h2')?.textContent
const pressLabeled = (label: string) => act(async () => document.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click())

describe('the section of passes', () => {
  it('lists owner, scope, last use and end of every pass', async () => {
    await open(allPasses, { passes: listing(list) })
    expect(rows()).toEqual([
      [
        'Backup',
        'ada@example.com',
        `${prometheus}/api/*All methods, from 10.0.0.0/8`,
        '20 Nov 2026, 02:0010.0.0.5',
        '1 Dec 2026, 03:00',
        'End',
      ],
      ['Scraper', 'Service prometheus', `${prometheus}/api/*Only GET, from any network`, 'Never', '1 Dec 2026, 03:00', 'End'],
    ])
    expect(said()).toContain('2 passes')
  })

  it('filters, and opens the passes of an owner', async () => {
    const passes = listing(list)
    const pushed = await open({ ...allPasses, after: '1 a' }, { passes })
    await press('Of services 1')
    await press('Service prometheus')
    await press(' All passes')
    await press('ada@example.com')
    await press('Open user')
    expect(pushed).toEqual([
      '/base/administration/passes?holders=Services',
      '/base/administration/passes?service=prometheus',
      '/base/administration/passes',
      '/base/administration/passes?user=u',
      '/base/administration/user?id=u',
    ])
    expect(passes.mock.calls.map(([{ holders, userId, service, after }]) => [holders, userId, service, after])).toEqual([
      ['All', undefined, undefined, '1 a'],
      ['Services', undefined, undefined, undefined],
      ['All', undefined, 'prometheus', undefined],
      ['All', undefined, undefined, undefined],
      ['All', 'u', undefined, undefined],
    ])
  })

  it.each([
    ['no rule admits passes', { origins: [] }, 'No rule admits passes, so no pass opens anything.'],
    ['services have the maximum', { services: 200 }, 'Services have 200 passes, the most allowed.'],
  ])('offers no new pass if %s, and says so', async (_, some, text) => {
    await open(allPasses, { passes: listing({ ...list, ...some }) })
    expect(document.body.textContent).toContain(text)
    expect([...document.querySelectorAll('button')].map(button => button.textContent)).not.toContain('Create pass')
  })

  it('creates a pass of a service, and shows it once', async () => {
    const addPass = vi.fn<AdministrationApi['addPass']>(() => Promise.resolve({ ok: true, value: { pass: 'gh_pass_secret' } }))
    const passes = listing(list)
    await open(allPasses, { passes, addPass })
    await press('Create pass')
    expect(document.activeElement).toBe(field('service'))
    await type('service', 'Prometheus!')
    await type('name', 'Scraper')
    await submit()
    expect(errorOf(field('service'))).toContain('lower-case letters')
    expect(addPass).not.toHaveBeenCalled()
    await type('service', ' prometheus ')
    await type('methods', 'get')
    await submit()
    expect(addPass.mock.calls).toEqual([
      [{ service: 'prometheus', name: 'Scraper', to: [`${prometheus}/*`], methods: ['GET'], from: [], days: 90 }],
    ])
    expect(dialogTitle()).toBe('Copy the pass')
    expect(document.querySelector('dialog code')?.textContent).toBe('gh_pass_secret')
    expect(passes).toHaveBeenCalledTimes(2)
    await press('I’ve saved it')
    expect(document.body.textContent).not.toContain('gh_pass_secret')
  })

  it.each([
    [400, 'to: is odd', 'page', 'The server couldn’t do this (error 400).'],
    [400, 'service: must have 1 to 63 lowercase letters', 'service', 'Enter lower-case letters'],
    [409, 'pass: the maximum number has been reached', 'page', 'Services have 200 passes, the most allowed.'],
    [403, 'Only an administrator may', 'page', 'You’re signed out or no longer an administrator.'],
    [403, 'passkey: sign in with a passkey first', 'page', 'sign out and sign in again with a passkey.'],
  ])('shows a refusal %s: %s', async (status, message, at, shown) => {
    await open(allPasses, { passes: listing(list), addPass: () => refused(message, status) })
    await press('Create pass')
    await type('service', 'prometheus')
    await type('name', 'Scraper')
    await submit()
    expect(at === 'page' ? alerts() : errorOf(field(at))).toContain(shown)
  })

  it('asks for the second factor that a new pass requires', async () => {
    await open(allPasses, { passes: listing(list), addPass: () => refused('factor: sign in', 403, 'SecondFactorRequired') })
    await press('Create pass')
    await type('service', 'prometheus')
    await type('name', 'Scraper')
    await submit()
    expect(alerts()).toContain('sign out and sign in again with your password and your second factor')
  })

  it.each([
    ['ended', () => done()],
    ['already ended', () => refused('passId: there is no such pass', 404)],
  ])('ends a pass: %s', async (_, answer) => {
    const endPass = vi.fn(answer)
    const passes = listing(list)
    await open(allPasses, { passes, endPass })
    await pressLabeled('End pass Scraper of Service prometheus')
    expect(dialogTitle()).toBe('End ‘Scraper’?')
    await submit()
    expect([endPass.mock.calls, passes.mock.calls.length]).toEqual([[[{ passId: 's' }]], 2])
    expect(said()).toContain('The pass Scraper was ended.')
  })

  it.each([
    [{ service: 'prometheus' }, scraper, 'prometheus'],
    [{ userId: 'u' }, hers, 'ada@example.com'],
  ])('ends all passes of %j', async (owner, pass, name) => {
    const endPasses = vi.fn(() => done())
    await open({ ...allPasses, ...owner }, { passes: listing({ ...list, passes: [pass] }), endPasses })
    expect(heading()).toBe(`Passes of ${name}`)
    await press('End all passes')
    await submit()
    expect(endPasses.mock.calls).toEqual([[owner]])
    expect(said()).toContain(`All passes of ${name} were ended.`)
  })
})

// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dialog, done, page, refusal, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas } from '../testing/own-account.ts'
import { draw, press, toasted } from '../testing/render.ts'
import { AccountPage } from './account-page.tsx'

beforeEach(stubDialogs)

describe('the known browsers', () => {
  const section = () => document.querySelector('[aria-labelledby=known-browsers]')

  it('are listed with the place and the first and last sign-in, where known', async () => {
    await draw(<AccountPage {...page} api={accountApi()} />)
    const rows = [...(section()?.querySelectorAll('li') ?? [])].map(row => row.textContent?.replaceAll(/ \([^)]*:[^)]*\)/g, ''))
    expect(rows).toEqual([
      'Firefox on Linux This browser192.168.1.20 (your current address)First signed in 17\u00a0days ago, last 14\u00a0minutes agoForget',
      'Safari on iPhone 203.0.113.7First signed in 9\u00a0hours ago, last 9\u00a0hours agoForget',
      'Unknown browser Last signed in 18\u00a0days agoForget',
    ])
  })

  it('are forgotten one at a time', async () => {
    const userBrowserForget = vi.fn(() => done(undefined))
    const userAccount = () => done({ ...adas, browsers: adas.browsers.slice(0, 1) })
    await draw(<AccountPage {...page} api={accountApi({ userBrowserForget, userAccount })} />)
    await act(async () => section()?.querySelector<HTMLElement>('[aria-label="Forget Safari on iPhone, 203.0.113.7"]')?.click())
    expect(dialog()?.textContent).toContain('Wrong passwords typed in Safari on iPhone will count with those of strangers.')
    await press('Forget browser')
    expect(userBrowserForget.mock.calls).toEqual([[{ browserId: 'road' }, expect.any(AbortSignal)]])
    expect(await toasted()).toBe('Browser forgotten.')
    expect(section()?.querySelectorAll('li')).toHaveLength(1)
    expect(section()?.textContent).not.toContain('Forget all others')
  })

  it('are reported as forgotten even if the server no longer knows them', async () => {
    await draw(<AccountPage {...page} api={accountApi({ userBrowserForget: refusal(404, 'gone'), userAccount: () => done(adas) })} />)
    await act(async () => section()?.querySelector<HTMLElement>('[aria-label="Forget Unknown browser"]')?.click())
    await press('Forget browser')
    expect(await toasted()).toBe('Browser forgotten.')
  })

  it('are all forgotten except this one', async () => {
    const userBrowserForgetOthers = vi.fn(() => done(undefined))
    await draw(<AccountPage {...page} api={accountApi({ userBrowserForgetOthers, userAccount: () => done(adas) })} />)
    await press('Forget all others')
    await press('Forget other browsers', 2)
    expect(userBrowserForgetOthers).toHaveBeenCalledTimes(1)
    expect(await toasted()).toBe('All other browsers forgotten.')
  })

  it('are replaced by a sentence if there are none', async () => {
    await draw(<AccountPage {...page} account={{ ...adas, browsers: [] }} api={accountApi()} />)
    expect(section()?.querySelector('li')?.textContent).toBe('You have no known browsers.')
  })
})

// @vitest-environment jsdom
import { act } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { done, page, refusal, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas } from '../testing/own-account.ts'
import { alerts, draw, press } from '../testing/render.ts'
import { AccountPage } from './account-page.tsx'

beforeEach(stubDialogs)

const select = () => document.querySelector<HTMLSelectElement>('select[name=userLanguage]')
const row = () => document.querySelector('[aria-labelledby=language] li')?.textContent
const choose = async (tag: string) => {
  await press('Change language')
  const field = select()
  if (!field) throw new Error('no field')
  act(() => {
    field.value = tag
  })
  await press('Save')
}

it.each([
  ['de', { userLanguage: 'de' }],
  ['', { userLanguage: null }],
])('saves the language %j and loads the page again', async (tag, request) => {
  const userLanguage = vi.fn(() => done(undefined))
  const visit = vi.fn()
  await draw(<AccountPage {...page} base="/gate" api={accountApi({ userLanguage })} visit={visit} />)
  expect(row()).toBe('Same as your browserUsed here and in our emails.')
  await choose(tag)
  expect(userLanguage).toHaveBeenCalledWith(request, expect.anything())
  // With the fragment, the browser would not load the page again.
  expect(visit.mock.calls).toEqual([['/gate/account']])
})

it('shows each language by its own name, and selects the chosen one', async () => {
  await draw(<AccountPage {...page} account={{ ...adas, userLanguage: 'de' }} api={accountApi()} />)
  expect(row()).toContain('Deutsch')
  await press('Change language')
  expect([...(select()?.options ?? [])].map(({ value, text, lang }) => [value, text, lang])).toEqual([
    ['', 'Same as your browser', ''],
    ['en', 'English', 'en'],
    ['de', 'Deutsch', 'de'],
  ])
  expect(select()?.value).toBe('de')
})

it('shows that the server refused a language, and hides the section if there is only one', async () => {
  const visit = vi.fn()
  await draw(<AccountPage {...page} api={accountApi({ userLanguage: refusal(500, 'Not now') })} visit={visit} />)
  await choose('de')
  expect(alerts()).toContain('The server couldn’t do this (error 500).')
  expect(visit).not.toHaveBeenCalled()
  document.body.replaceChildren()
  await draw(<AccountPage {...page} languages={page.languages.slice(0, 1)} api={accountApi()} />)
  expect(row()).toBeUndefined()
})

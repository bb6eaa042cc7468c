// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { accountTexts, speak } from '../messages/current.ts'
import { page, stubDialogs } from '../testing/account-page.ts'
import { accountApi } from '../testing/own-account.ts'
import { draw, press } from '../testing/render.ts'
import { allEnglish } from '../testing/speak-english.ts'
import { AccountPage } from './account-page.tsx'

beforeEach(stubDialogs)
afterEach(() => speak('en', allEnglish))

it('shows the default name of an authenticator app in the language of the page', async () => {
  speak('de', { account: { ...accountTexts, factors: { ...accountTexts.factors, authenticatorApp: 'Authenticator-App' } } })
  await draw(<AccountPage {...page} api={accountApi()} />)
  const section = document.querySelector('[aria-labelledby=second-factor]')
  const names = [...(section?.querySelectorAll('li bdi') ?? [])].map(({ textContent }) => textContent)
  expect(names).toEqual(['Authenticator-App', 'Old phone in the drawer'])
  const labels = [...(section?.querySelectorAll('[aria-label]') ?? [])].map(button => button.getAttribute('aria-label'))
  expect(labels).toEqual([
    'Rename Authenticator-App',
    'Remove Authenticator-App',
    'Rename Old phone in the drawer',
    'Remove Old phone in the drawer',
  ])
  await press('Rename')
  expect(document.querySelector<HTMLInputElement>('dialog input')?.value).toBe('Authenticator-App')
})

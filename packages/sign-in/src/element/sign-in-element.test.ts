// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { englishFirstLoad } from '../messages/en-first-load.ts'
import { defineSignInElement, type SignInElement } from './sign-in-element.ts'

const written = watchConsole()
beforeAll(() => defineSignInElement())
afterEach(async () => {
  cleanup()
  await act(async () => document.body.replaceChildren())
})

const add = async (html: string) => {
  await act(async () => {
    document.body.innerHTML = html
  })
  return document.querySelector('gatehouse-sign-in') as SignInElement
}
const providers = () => screen.getAllByRole('link').map(link => link.getAttribute('href'))

it('shows the form in the light DOM, with the options of its attributes', async () => {
  const element = await add('<gatehouse-sign-in server="https://gate.example/in" providers="azure, google"></gatehouse-sign-in>')
  expect([element.shadowRoot, document.querySelector('form input[type=password]')?.closest('gatehouse-sign-in')]).toEqual([null, element])
  const base = 'https://gate.example/in/auth/page/plow/ssoLogin?provider='
  expect(providers()).toEqual([`${base}azure`, `${base}google`])
  await act(async () => element.setAttribute('providers', ''))
  expect(screen.queryAllByRole('link')).toEqual([])
})

it('accepts properties as options, even if set before the script loads, and prefers them to attributes', async () => {
  const early = document.createElement('gatehouse-later') as SignInElement
  early.messages = { login: { signIn: 'Anmelden' } }
  early.providers = ['pak']
  early.setAttribute('providers', 'google')
  document.body.append(early)
  await act(async () => defineSignInElement('gatehouse-later'))
  expect(screen.getByRole('button', { name: 'Anmelden' })).toBeTruthy()
  expect(providers()).toHaveLength(1)
  await act(async () => {
    early.messages = { login: { signIn: 'Connexion' } }
  })
  expect([screen.getByRole('button', { name: 'Connexion' }).textContent, early.messages?.login?.signIn]).toEqual(['Connexion', 'Connexion'])
})

it('accepts appearance options as attributes and properties, and applies changes', async () => {
  const element = await add('<gatehouse-sign-in theme="dark" density="compact" methods="providers, password"></gatehouse-sign-in>')
  const root = () => element.querySelector<HTMLElement>('[data-gatehouse]')
  expect([root()?.dataset.gatehouseTheme, root()?.dataset.gatehouseDensity]).toEqual(['dark', 'compact'])
  const order = [...element.querySelectorAll('[data-provider="google"], input[name=username]')].map(one => one.tagName)
  expect(order).toEqual(['A', 'INPUT'])
  await act(async () => {
    element.slots = { footer: Object.assign(document.createElement('b'), { textContent: 'Help' }) }
    element.theme = 'light'
    element.removeAttribute('density')
  })
  expect([root()?.dataset.gatehouseTheme, root()?.dataset.gatehouseDensity]).toEqual(['light', undefined])
  expect(element.querySelector('[data-part="footer"]')?.textContent).toBe('Help')
})

it('dispatches events that bubble, and updates its page attribute unless the host refuses the change', async () => {
  const heard = vi.fn()
  const refuse = (event: Event) => event.preventDefault()
  document.body.addEventListener('gatehouse-event', event => heard(event.detail))
  document.body.addEventListener('gatehouse-page-change', refuse)
  const element = await add('<gatehouse-sign-in page="login"></gatehouse-sign-in>')
  const forgot = englishFirstLoad.login.forgotPassword
  await act(async () => screen.getByText(forgot).click())
  expect(element.getAttribute('page')).toBe('login')
  document.body.removeEventListener('gatehouse-page-change', refuse)
  await act(async () => screen.getByText(forgot).click())
  expect(element.getAttribute('page')).toBe('forgot-password')
  expect(heard.mock.calls.flat()).toEqual([
    { type: 'page-shown', page: 'login' },
    { type: 'page-shown', page: 'forgot-password' },
  ])
})

it('keeps what the user typed when the page moves it, and ends when it is removed', async () => {
  const element = await add('<main></main><gatehouse-sign-in></gatehouse-sign-in>')
  const field = screen.getByLabelText<HTMLInputElement>('Email')
  field.value = 'ada@example.com'
  await act(async () => document.querySelector('main')?.append(element))
  expect(screen.getByLabelText<HTMLInputElement>('Email')).toBe(field)
  await act(async () => element.remove())
  expect(element.childElementCount).toBe(0)
  await act(async () => document.body.append(element))
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('')
})

it('logs attributes that it cannot read', async () => {
  await add('<gatehouse-sign-in server="https://" accent="none"></gatehouse-sign-in>')
  expect(written.lines()).toEqual([
    'Gatehouse: the attribute server is not an address: https://',
    "Gatehouse: the attribute accent: deriveAccent: 'none' is not an opaque CSS color",
  ])
})

it('passes its lang attribute to the widget, and follows a change', async () => {
  const element = await add('<gatehouse-sign-in lang="en-GB"></gatehouse-sign-in>')
  const root = () => element.querySelector<HTMLElement>('[data-gatehouse]')
  expect([root()?.lang, root()?.dir]).toEqual(['en', 'ltr'])
  await act(async () => element.removeAttribute('lang'))
  expect(root()?.hasAttribute('lang')).toBe(false)
})

// @vitest-environment jsdom

import { languages } from 'gatehouse:languages'
import { SignIn } from '@gatehouse/sign-in'
import * as qrCode from '@gatehouse/ui/qr-code/qr-code.tsx'
import type { AreaProps, PageLogo } from '@gatehouse/wire/page-props'
import { act, type ReactNode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AccountPage } from './account/account-page.tsx'
import { drawnLogo } from './page-logo.tsx'
import { rendering } from './render.tsx'
import { AreaPage, showsQrCode } from './sign-in-area/area-page.tsx'
import { factor } from './testing/factor.ts'
import { accountApi, adas, now } from './testing/own-account.ts'

// React reports differences between the server's markup and its own only in development builds, such as here.

const { renderPage } = rendering.in('en')
let leave = () => {}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  act(leave)
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const takeOver = (
  page: 'index' | 'area',
  props: AreaProps,
  { logo, sent = renderPage(page, props, logo) }: { logo?: PageLogo; sent?: string } = {},
) =>
  watch(sent, root => {
    if (page === 'index') {
      const signIn: Root = hydrateRoot(
        root,
        <SignIn
          server={{ basePath: props.base }}
          autoFocus
          plainForms
          initialPage={props.page}
          formResult={props.said}
          providers={props.providers}
          logo={drawnLogo(logo)}
        />,
      )
      leave = () => signIn.unmount()
    } else {
      const area: Root = hydrateRoot(root, <AreaPage {...props} logo={logo} qr={showsQrCode(props) ? qrCode : undefined} />)
      leave = () => area.unmount()
    }
  })

/** Hydrates what the server sent. Returns React's errors, and how many elements it replaced. */
const watch = (sent: string, hydrate: (root: HTMLElement) => void) => {
  const complaints: string[] = []
  const said = vi.spyOn(console, 'error').mockImplementation(message => void complaints.push(String(message)))
  // React reports a recovered difference as an uncaught error.
  const hear = (event: ErrorEvent) => {
    event.preventDefault()
    complaints.push(event.message)
  }
  window.addEventListener('error', hear)
  const root = document.createElement('div')
  root.innerHTML = sent
  document.body.append(root)
  const before = [...root.querySelectorAll('*')]
  act(() => hydrate(root))
  window.removeEventListener('error', hear)
  said.mockRestore()
  const after = new Set(root.querySelectorAll('*'))
  return { complaints, replaced: before.filter(element => !after.has(element)).length }
}

const credentials = { username: '', password: '' } as const
const login = { at: 'login' } as const

it.each<[string, 'index' | 'area', AreaProps]>([
  ['sign-in', 'index', { base: '/gate', page: login }],
  ['sign-in after a failure', 'index', { base: '', page: { ...login, email: 'ada@example.com' }, said: { show: 'failed-login' } }],
  ['sign-in with two providers', 'index', { base: '', page: login, providers: ['pak', 'google'] }],
  ['sign-in without a provider', 'index', { base: '', page: login, providers: [] }],
  ['forgot password', 'area', { base: '', page: { at: 'forgot-password' } }],
  ['code', 'area', { base: '', page: { at: 'verify-factor', credentials, firstSetup: false } }],
  ['set-up', 'area', { base: '/gate', page: { at: 'create-factor', credentials, factor } }],
  ['first code', 'area', { base: '', page: { at: 'verify-factor', credentials, firstSetup: true, factor } }],
  ['recovery code', 'area', { base: '', page: { at: 'recovery-code', credentials, factorTypes: ['TOTP'] } }],
  ['factor reset', 'area', { base: '', page: { at: 'reset-factor', credentials } }],
])('hydrates %s without a warning, and keeps every element', (_, page, props) => {
  expect(takeOver(page, props)).toEqual({ complaints: [], replaced: 0 })
})

it('asks for a passkey first if browser and server support passkeys, but not after a wrong code, and hydrates without a warning', () => {
  const page = { at: 'verify-factor', credentials, firstSetup: false, factorTypes: ['TOTP', 'Passkey'] } as const
  const heading = () => document.querySelector('h1')?.textContent
  expect(takeOver('area', { base: '', page, passkeys: true }).complaints).toEqual([])
  expect(heading()).toBe('Two Factor Authentication')
  act(leave)
  vi.stubGlobal('PublicKeyCredential', class {})
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: {} })
  for (const [props, title] of [
    [{ passkeys: true }, 'Use your passkey'],
    [{ passkeys: true, said: { wrong: 'code' } }, 'Two Factor Authentication'],
    [{}, 'Two Factor Authentication'],
  ] as const) {
    document.body.replaceChildren()
    expect(takeOver('area', { base: '', page, ...props }).complaints).toEqual([])
    expect(heading()).toBe(title)
    act(leave)
  }
  Reflect.deleteProperty(navigator, 'credentials')
})

it.each<[string, PageLogo, string]>([
  ['another name', { name: 'Acme & Söhne' }, 'Acme &amp; Söhne'],
  ['a picture of a style sheet', { name: 'Acme', isPicture: true }, '<span class="brand-logo" role="img" aria-label="Acme"></span>'],
])('hydrates a logo that is %s without a warning', (_, logo, shown) => {
  for (const [page, props] of [
    ['index', { base: '', page: login }],
    ['area', { base: '', page: { at: 'forgot-password' } }],
  ] as const) {
    expect(renderPage(page, props, logo)).toContain(shown)
    expect(takeOver(page, props, { logo })).toEqual({ complaints: [], replaced: 0 })
    act(leave)
  }
})

it('hydrates the account page without a warning, with relative times, on a computer whose clock is wrong', () => {
  const props = { base: '', account: adas, now, dashboard: { name: 'grafana.example.com', href: 'https://grafana.example.com/' } }
  const sent = renderPage('account', props)
  expect(sent).toContain('2\u00a0minutes ago')
  vi.setSystemTime(Date.parse(now) + 5 * 24 * 60 * 60 * 1000)
  const handlers = { visit: () => {}, leave: () => {}, save: () => {}, print: () => {} }
  const { complaints } = watch(sent, root => {
    const account: Root = hydrateRoot(root, <AccountPage {...props} {...handlers} languages={languages} api={accountApi()} />)
    leave = () => account.unmount()
  })
  expect(complaints).toEqual([])
  expect(document.body.textContent).toContain('2\u00a0minutes ago')
})

describe.each(['de', 'ar'])('in the language %s', tag => {
  const english = rendering.in('en')
  const pages = rendering.in(tag)

  const hydrated = (sent: string, page: ReactNode) =>
    watch(sent, root => {
      const made: Root = hydrateRoot(root, page)
      leave = () => made.unmount()
    })

  it('hydrates the account page without a warning', () => {
    const props = { base: '', account: adas, now }
    const handlers = { visit: () => {}, leave: () => {}, save: () => {}, print: () => {} }
    const sent = pages.renderPage('account', props)
    expect(sent).not.toContain('Signed in as')
    expect(sent).not.toContain('minutes ago')
    const page = <AccountPage {...props} {...handlers} languages={languages} api={accountApi()} />
    expect(hydrated(sent, page).complaints).toEqual([])
  })

  it('hydrates the sign-in page with the texts that came with it', () => {
    const props: AreaProps = { base: '', page: login }
    const sent = pages.renderPage('index', props)
    expect(sent).not.toContain('Forgot your password?')
    // In the browser, the script has only the English texts until the page's props arrive.
    english.renderPage('index', props)
    const { page, base, ...options } = JSON.parse(pages.dataOf('index', props))
    const { complaints } = watch(sent, root => {
      const signIn: Root = hydrateRoot(root, <SignIn {...options} server={{ basePath: base }} autoFocus plainForms initialPage={page} />)
      leave = () => signIn.unmount()
    })
    expect(complaints).toEqual([])
  })
})

it('reports a difference between the server’s HTML and the components', () => {
  const props = { base: '', page: login }
  const sent = renderPage('index', props).replace('Forgot your password?', 'Forgotten?')
  const { complaints } = takeOver('index', props, { sent })
  expect(complaints.join()).toMatch(/hydrat/i)
})

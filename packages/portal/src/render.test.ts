import type { PageName } from '@gatehouse/wire/page-props'
import { describe, expect, it } from 'vitest'
import { rendering } from './render.tsx'
import { factor } from './testing/factor.ts'
import { adas, now } from './testing/own-account.ts'

const { renderPage } = rendering.in('en')
/** Without types, which would refuse these props. */
const renderUnchecked = renderPage as (page: PageName, props: unknown) => string

describe('server rendering', () => {
  it.each(['one-time-link', 'new-factor', 'confirm-email'] as const)('renders %s in the state before the link is looked up', page => {
    const html = renderPage(page, { base: '' })
    expect(html).toContain('Checking the link')
    // Without a script, the user pastes the link.
    expect(html.match(/<(a|button|form|input) /g)).toEqual(['<form ', '<input ', '<button '])
    expect(html).not.toContain('style=')
  })

  it('renders the page for a new password only if it gets the minimum length', () => {
    expect(renderPage('new-password', { base: '', minPasswordLength: 15 })).toContain('Checking the link')
    expect(() => renderUnchecked('new-password', { base: '' })).toThrow(TypeError)
  })

  it('renders the complete sign-in page with the result of a form', () => {
    const html = renderPage('index', { base: '/gate', page: { at: 'login' } })
    expect(html).toMatch(/<form[^>]*method="post"/)
    expect(html).toMatch(/<input[^>]*autofocus[^>]*name="username"/i)
    expect(html).toContain('formAction="/gate/forgot-password"')
    expect(html).toContain('href="/gate/auth/page/plow/ssoLogin?provider=google"')
    expect(html).not.toMatch(/style=|onclick/i)
    const again = renderPage('index', { base: '', page: { at: 'login', email: 'ada@example.com' }, said: { show: 'failed-login' } })
    expect(again).toContain('You have failed to login.')
    expect(again).toContain('value="ada@example.com"')
    expect(() => renderUnchecked('index', {})).toThrow(TypeError)
  })

  it.each([
    ['en', false, 'to continue to app.example'],
    ['en', true, 'to continue to app.example, which asks you to sign in again'],
    ['de', true, 'um zu app.example zu gelangen, wo eine erneute Anmeldung erforderlich ist'],
  ])('says in %s where the user continues, and whether that page requires another sign-in: %s', (tag, again, text) => {
    const heading = { name: 'Gatehouse', destination: 'app.example', again }
    expect(rendering.in(tag).renderPage('index', { base: '', page: { at: 'login' }, heading })).toContain(`>${text}<`)
  })

  it('renders the set-up of a second factor with its QR code', () => {
    const html = renderPage('area', { base: '', page: { at: 'create-factor', credentials: { username: '', password: '' }, factor } })
    expect(html).toMatch(/<svg[^>]*aria-label="QR code/)
    expect(html).toContain('formAction="/second-factor/first-code"')
    expect(html).not.toContain('style=')
  })

  it('renders the page that waits for a phone approval, with its number and a button to continue', () => {
    const challengeUUID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
    const asked = {
      challengeUUID,
      challengeNumber: '012345',
      challengeExpires: '2046-11-20T03:02:00Z',
      status: { challengeUUID, challengeStatus: 'Pending', challengeRespondedReason: { tag: 'ReasonNone' } },
    } as const
    const page = { at: 'approve-on-phone', credentials: { username: '', password: '' }, factorTypes: ['Push'] } as const
    const html = renderPage('area', { base: '/gate', page: { ...page, asked } })
    expect(html).toContain('012 345')
    expect(html).toMatch(/<button[^>]* value="approved" type="submit"[^>]* name="phone">/)
    expect(html).toContain('formAction="/gate/second-factor/recovery-code"')
    expect(html).not.toContain('style=')
    expect(renderPage('area', { base: '', page: { ...page, asked: null } })).toMatch(
      /<button[^>]* value="ask" type="submit"[^>]* name="phone">/,
    )
  })

  it('renders the account page with only the providers that the account lists', () => {
    const html = renderPage('account', { account: { ...adas, providers: [{ provider: 'Azure', linked: true }] }, base: '', now })
    expect(html).toContain('Unlink Microsoft')
    expect(html).not.toMatch(/Google|Pak|style=/)
    expect(renderPage('account', { account: adas, base: '', now })).not.toContain('Ways to sign in')
    expect(() => renderUnchecked('account', { username: 'ada@example.com', administrator: false })).toThrow(TypeError)
  })

  it('renders a misconfiguration with name, cause, advice and facts, and without a script', () => {
    const props = {
      name: 'not-protected',
      nameLabel: 'Code',
      title: 'A title',
      cause: 'A cause.',
      advice: 'Some advice.',
      facts: [{ name: 'Address', value: 'https://grafana.example.com' }],
      note: 'A note.',
      action: { label: 'Try again', href: 'https://sign-in.example.com/' },
    }
    const html = renderPage('misconfiguration', props)
    for (const text of ['not-protected', 'A note.', '<bdi>https://grafana.example.com</bdi></dd>']) expect(html).toContain(text)
    // The cause comes before the advice.
    expect(html).toMatch(/A cause\..*Some advice\./)
    expect(html).not.toMatch(/<script|style=/)
    expect(() => renderUnchecked('misconfiguration', { ...props, facts: [{ name: 1, value: 'x' }] })).toThrow(TypeError)
  })

  it("renders times in the user's time zone, and a link for administrators", () => {
    const html = renderPage('account', { account: adas, base: '/gate', now })
    expect(html).toContain('20 Nov 2026, 04:00')
    expect(html).not.toContain('/administration')
    const asAdministrator = { ...adas, administrator: true, userTZLabel: 'UTC' }
    const hers = renderPage('account', { account: asAdministrator, base: '/gate', now })
    expect(hers).toContain('href="/gate/administration"')
    expect(hers).toContain('20 Nov 2026, 03:00')
  })

  it('links the sections of the administration below the base path', () => {
    const html = renderPage('administration', { username: 'ada@example.com', zone: 'UTC', hasPasskey: false, base: '/gate' })
    expect(html).toContain('href="/gate/administration/users"')
    expect(html).not.toContain('href="/administration')
    expect(() => renderUnchecked('administration', { username: 'ada@example.com', zone: 'UTC', hasPasskey: false })).toThrow(TypeError)
  })

  it('renders no recovery codes, and ‘Later’ leads to the dashboard', () => {
    const html = renderPage('recovery-codes', { dashboardUrl: 'https://dash.example/?a=1&b=2' })
    expect(html).toContain('Show my recovery codes')
    expect(html).toContain('href="https://dash.example/?a=1&amp;b=2"')
    expect(() => renderUnchecked('recovery-codes', { dashboardUrl: 1 })).toThrow(TypeError)
  })
})

it('lists the languages with a tick at the current one, and links back', () => {
  const all = [
    { tag: 'en', name: 'English' },
    { tag: 'de', name: 'Deutsch' },
  ]
  const html = renderPage('languages', { all, current: 'de', back: '/gate/account', base: '/gate' })
  expect(html.match(/<button[^>]*aria-current="true".*?<\/button>/g)).toEqual([expect.stringMatching(/Deutsch<svg/)])
  expect(html.match(/<svg[^>]*viewBox="0 0 18 18"/g)).toHaveLength(1)
  expect(html).toContain('href="/gate/account"')
})

describe('the development mailbox', () => {
  const mail = { id: 'a/b', to: 'ada@example.com', subject: '<b>Hello</b>', at: '2026-11-20T03:00:00Z' }
  const open = { ...mail, from: 'gate@example.com', text: 'Go to http://localhost:8080/one-time-link#a.b now.' }

  it('says that it sends nothing, and that it is empty', () => {
    const html = renderPage('mailbox', { messages: [], base: '' })
    expect(html).toContain('Development mailbox')
    expect(html).toContain('None of them was sent.')
    expect(html).toContain('No emails yet.')
  })

  it('lists emails as text, each with its own path', () => {
    const html = renderPage('mailbox', { messages: [mail], base: '/gate' })
    expect(html).toContain('&lt;b&gt;Hello&lt;/b&gt;')
    expect(html).toContain('href="/gate/mail/a%2Fb"')
    expect(html).not.toContain('<iframe')
  })

  it('shows the HTML of an email in a sandboxed frame without scripts', () => {
    const html = renderPage('mailbox', { messages: [mail], open, base: '/gate' })
    expect(html).toContain('sandbox="allow-popups allow-top-navigation-by-user-activation"')
    expect(html).toContain('src="/gate/mail/a%2Fb/html"')
    expect(html).toContain('aria-current="page"')
    expect(html).not.toMatch(/<script|style=/)
  })

  it('links only the addresses in a plain-text email', () => {
    const text = 'javascript:alert(1) <a href="x">y</a> http://localhost/one-time-link#a.b'
    const html = renderPage('mailbox', { messages: [], open: { ...open, text }, base: '' })
    // The first link leads back to the list.
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="/mail"', 'href="http://localhost/one-time-link#a.b"'])
  })

  it.each([
    [{ messages: [], base: 1 }],
    [{ messages: {}, base: '' }],
    [{ messages: [{ ...mail, at: 5 }], base: '' }],
    [{ messages: [], open: mail, base: '' }],
    [null],
  ])('refuses other properties: %o', props => {
    expect(() => renderUnchecked('mailbox', props)).toThrow(TypeError)
  })
})

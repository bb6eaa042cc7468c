// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { email, fillIn, password, signInArea, submitButton, token, unreachable } from '../../testing/sign-in-area.tsx'

watchConsole()
const error = (field: HTMLInputElement) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent

describe('the primary button', () => {
  it('is labeled ‘Sign in’, then ‘Signing in’, then ‘Signed in, please wait’', async () => {
    const area = signInArea()
    expect(submitButton().textContent).toBe('Sign in')
    expect(submitButton().disabled).toBe(false)
    await fillIn(area)
    await area.user.click(submitButton())
    expect(submitButton().textContent).toBe('Signing in')
    expect(submitButton().disabled).toBe(true)
    expect(screen.getByRole('status').textContent).toBe('Signing in')
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    expect(submitButton().textContent).toBe('Signed in, please wait')
    expect(submitButton().disabled).toBe(true)
    expect(screen.getByRole('status').textContent).toBe('Signed in, please wait')
  })
})

describe('after a reset by an administrator', () => {
  it('leads to the password reset with the typed address, and the alert has only the specified sentence', async () => {
    const area = signInArea()
    await fillIn(area)
    expect(screen.queryByRole('button', { name: 'Reset password' })).toBeNull()
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthFailureForcedReset' })
    const alerts = screen.getAllByRole('alert').map(alert => alert.textContent)
    expect(alerts.filter(text => text !== '')).toEqual(['Your password has been reset by an administrator. Please reset your password.'])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Reset password' }))
    await area.user.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeTruthy()
    expect(email().value).toBe('Ada@Example.COM')
    expect(area.sent).toHaveLength(1)
  })
})

describe('submit', () => {
  it('sends the address trimmed and in lower case, the password unchanged, and no useragent (§5)', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.click(submitButton())
    expect(area.sent.map(({ login }) => login)).toEqual([{ username: 'ada@example.com', password: ' Correct Horse ', useragent: '' }])
  })

  it('runs on Enter in the password field', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.keyboard('{Enter}')
    expect(area.sent).toHaveLength(1)
  })

  it('runs once on a double click and on repeated submits', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.dblClick(submitButton())
    const form = submitButton().form
    if (!form) throw new Error('no form')
    fireEvent.submit(form)
    await area.answer({ tag: 'AuthSuccessful', contents: token })
    fireEvent.submit(form)
    expect(area.sent).toHaveLength(1)
  })

  it('runs once while Enter is held down, even if a reply arrives meanwhile', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.keyboard('{Enter}')
    await area.answer({ tag: 'AuthFailureFailedLogin' })
    // The browser submits unless a handler prevents the key press.
    expect(fireEvent.keyDown(password(), { key: 'Enter', repeat: true })).toBe(false)
    expect(fireEvent.keyDown(password(), { key: 'Enter' })).toBe(true)
  })

  it('uses POST, which keeps the password out of the URL', () => {
    signInArea()
    expect(submitButton().form?.method).toBe('post')
  })
})

describe('a missing or malformed field', () => {
  it('shows its error, focuses the first such field, and sends nothing', async () => {
    const area = signInArea()
    await area.user.click(submitButton())
    expect(error(email())).toBe('Enter your email address.')
    expect(error(password())).toBe('Enter your password.')
    expect(email().getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(email())
    expect(area.sent).toEqual([])
    expect(submitButton().textContent).toBe('Sign in')
  })

  it('keeps the error of a malformed address until it is edited', async () => {
    const area = signInArea()
    await area.user.type(email(), 'ada')
    await area.user.type(password(), 'x{Enter}')
    expect(error(email())).toBe('Enter an email address like name@example.com.')
    expect(password().hasAttribute('aria-invalid')).toBe(false)
    await area.user.type(email(), '@example.com')
    expect(email().hasAttribute('aria-invalid')).toBe(false)
    expect(email().hasAttribute('aria-describedby')).toBe(false)
  })

  it('focuses the password if only that is missing', async () => {
    const area = signInArea()
    await area.user.type(email(), 'ada@example.com{Enter}')
    expect(document.activeElement).toBe(password())
    expect(area.sent).toEqual([])
  })
})

describe('the fields', () => {
  it('are what browsers and password managers expect', () => {
    signInArea()
    const attributes = (field: HTMLInputElement, names: string[]) => names.map(name => field.getAttribute(name))
    expect(attributes(email(), ['type', 'autocomplete', 'inputmode', 'autocapitalize', 'spellcheck'])).toEqual([
      'email',
      'username',
      'email',
      'off',
      'false',
    ])
    expect(attributes(password(), ['type', 'autocomplete'])).toEqual(['password', 'current-password'])
  })

  it('do not take the focus by default', () => {
    signInArea().unmount()
    signInArea()
    expect(document.activeElement).toBe(document.body)
  })

  it('take the focus with autoFocus', () => {
    signInArea({ autoFocus: true })
    expect(document.activeElement).toBe(email())
  })

  it('show the password and hide it again, also on submit', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().type).toBe('text')
    await area.user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password().type).toBe('password')
    await area.user.click(screen.getByRole('button', { name: 'Show password' }))
    await area.user.click(submitButton())
    expect(password().type).toBe('password')
    expect(area.sent[0]?.login.password).toBe(' Correct Horse ')
  })
})

describe('single sign-on', () => {
  it.each([
    ['Sign in with Google', 'google'],
    ['Sign in with Microsoft', 'azure'],
    ['Sign in with Pak Platform', 'pak'],
  ])('%s leads to provider %s', (name, provider) => {
    signInArea()
    expect(screen.getByText('Or Sign in with')).toBeTruthy()
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(
      `https://gate.example/in/auth/page/plow/ssoLogin?provider=${provider}`,
    )
  })

  it('describes the Pak link as not ready without changing its name', () => {
    signInArea()
    const link = screen.getByRole('link', { name: /^Sign in with Pak Platform$/, description: /^Not ready$/ })
    expect(link.textContent).toContain('Not ready')
    for (const name of ['Sign in with Google', 'Sign in with Microsoft'])
      expect(screen.getByRole('link', { name }).hasAttribute('aria-describedby')).toBe(false)
  })
})

describe('the option providerNotes', () => {
  it('adds the note to the accessible description of the provider’s link, and keeps the link’s name', () => {
    signInArea({ providerNotes: { google: 'Google didn’t respond a minute ago', pak: 'Pak Platform didn’t respond a moment ago' } })
    screen.getByRole('link', { name: /^Sign in with Google$/, description: /^Google didn’t respond a minute ago$/ })
    screen.getByRole('link', { name: /^Sign in with Pak Platform$/, description: /^Not ready Pak Platform didn’t respond a moment ago$/ })
    expect(screen.getByRole('link', { name: 'Sign in with Microsoft' }).hasAttribute('aria-describedby')).toBe(false)
  })
})

describe('the option providers', () => {
  const links = () => screen.queryAllByRole('link').map(link => link.getAttribute('href')?.replace(/.*provider=/, ''))

  it.each<[string[], string[]]>([
    [
      ['pak', 'google'],
      ['pak', 'google'],
    ],
    [['azure'], ['azure']],
    [
      ['google', 'google', 'facebook', 'toString', 'pak'],
      ['google', 'pak'],
    ],
  ])('%j shows %j below the divider', (providers, expected) => {
    signInArea({ providers: providers as never })
    expect(links()).toEqual(expected)
    expect(screen.getByText('Or Sign in with')).toBeTruthy()
  })

  it.each([[[]], [['facebook']]])('%j shows neither links nor the divider', providers => {
    signInArea({ providers: providers as never })
    expect(links()).toEqual([])
    expect(screen.queryByText('Or Sign in with')).toBeNull()
  })

  it('shows all three by default', () => {
    signInArea()
    expect(links()).toEqual(['google', 'azure', 'pak'])
  })
})

describe('the focus after a failure', () => {
  it('is on the selected password if that was wrong', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.click(submitButton())
    await area.answer({ tag: 'AuthFailureFailedLogin' })
    expect(document.activeElement).toBe(password())
    expect([password().selectionStart, password().selectionEnd]).toEqual([0, ' Correct Horse '.length])
  })

  it('is on the button otherwise', async () => {
    const area = signInArea()
    await fillIn(area)
    await area.user.click(submitButton())
    await area.fail(unreachable)
    expect(document.activeElement).toBe(submitButton())
  })
})

describe('the heading', () => {
  it('is the logo by default', () => {
    signInArea()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Gatehouse')
  })

  it('is the given title, with a line below it', () => {
    signInArea({ heading: { title: 'Sign in to Acme', text: 'to continue to grafana.example.com' } })
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['Sign in to Acme'])
    expect(screen.getByText('to continue to grafana.example.com')).toBeTruthy()
  })
})

describe('the mark of the last method', () => {
  afterEach(() => localStorage.clear())
  const google = () => screen.getByRole('link', { name: 'Sign in with Google' })
  const marks = () => screen.queryAllByText('Last used').map(mark => mark.closest('a, div')?.textContent)

  it('is on the provider of the last sign-in, and not part of its name', async () => {
    const first = signInArea()
    expect(marks()).toEqual([])
    google().addEventListener('click', event => event.preventDefault())
    await first.user.click(google())
    first.unmount()
    signInArea()
    expect(marks()).toEqual(['Sign in with GoogleLast used'])
    expect(google()).toBeTruthy()
  })

  it('is on the button after a correct password, and the browser does not store the password', async () => {
    const first = signInArea()
    await fillIn(first)
    await first.user.click(submitButton())
    await first.answer({ tag: 'AuthFailureFailedLogin' })
    expect(localStorage).toHaveLength(0)
    await first.user.click(submitButton())
    await first.answer({ tag: 'AuthSuccessful', contents: token })
    expect({ ...localStorage }).toEqual({ 'gatehouse-last-method': 'password' })
    first.unmount()
    signInArea()
    expect(marks()).toEqual(['Sign inLast used'])
    expect(submitButton()).toBeTruthy()
  })

  it('is on the password where a passkey is the only other method', () => {
    vi.stubGlobal('PublicKeyCredential', class {})
    localStorage.setItem('gatehouse-last-method', 'password')
    signInArea({ providers: [], passkeys: true })
    expect(marks()).toEqual(['Sign inLast used'])
    vi.unstubAllGlobals()
  })

  it('is missing where only one method exists', () => {
    localStorage.setItem('gatehouse-last-method', 'password')
    signInArea({ providers: [] })
    expect(marks()).toEqual([])
  })

  it('is missing if the browser blocks storage', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const [read, write] = [vi.spyOn(Storage.prototype, 'getItem'), vi.spyOn(Storage.prototype, 'setItem')]
    read.mockImplementation(refuse)
    write.mockImplementation(refuse)
    const area = signInArea()
    google().addEventListener('click', event => event.preventDefault())
    await area.user.click(google())
    expect(marks()).toEqual([])
    read.mockRestore()
    write.mockRestore()
  })
})

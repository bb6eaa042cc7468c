// @vitest-environment jsdom

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { mountSignIn } from '../mount.tsx'
import { SignIn, type SignInOptions } from '../sign-in.tsx'
import { signInArea } from '../testing/sign-in-area.tsx'
import { customProperties } from './custom-properties.ts'
import { parts } from './parts.ts'

const written = watchConsole()
afterEach(cleanup)

const shown = (options: SignInOptions) => {
  const { container } = render(<SignIn {...options} />)
  const root = container.querySelector('[data-gatehouse]')
  if (!(root instanceof HTMLElement)) throw new Error('no widget')
  return { root, part: (name: string) => root.querySelector(`[data-part="${name}"]`) }
}
/** The parts in the order of the page. */
const order = (root: Element) => [...root.querySelectorAll('[data-part]')].map(element => element.getAttribute('data-part'))
const named = (text: string) => Object.assign(document.createElement('b'), { textContent: text })

describe('custom properties', () => {
  it('are those that the style sheet sets, and --gatehouse-accent-edge', () => {
    const sheet = readFileSync(resolve(import.meta.dirname, '../../../ui/src/layout/theme.css'), 'utf8')
    const set = [...sheet.matchAll(/^ {4}(--gatehouse-[a-z-]+):/gm)].map(([, name]) => name)
    expect([...new Set(set), '--gatehouse-accent-edge'].sort()).toEqual([...customProperties].sort())
  })

  it('apply to one widget, and take precedence over the accent', () => {
    const { root } = shown({
      accent: { '--gatehouse-accent': 'red', '--gatehouse-ring': 'red' },
      properties: { '--gatehouse-ring': 'blue' },
    })
    expect(root.getAttribute('style')).toBe('--gatehouse-accent: red; --gatehouse-ring: blue;')
  })
})

describe('a text as logo or accent', () => {
  const mistakes = { logo: '/acme.svg', accent: '#0b6b5d' } as unknown as SignInOptions

  it('is reported once, and the form appears without the accent', async () => {
    shown(mistakes)
    const { root, part } = shown(mistakes)
    expect([part('form') !== null, root.hasAttribute('style')]).toEqual([true, false])
    await vi.waitFor(() => expect(written.lines()).toHaveLength(2))
    // A new text would be a new line.
    shown({ ...mistakes, logo: '/other.svg' } as unknown as SignInOptions)
    await vi.waitFor(() =>
      expect(written.lines()).toEqual([
        "Gatehouse: options.logo is the text '/other.svg'; pass { src: '/other.svg', alt: '…' } for an image, { name: '…' } for another name, or an element",
      ]),
    )
  })

  it('does not compile', () => {
    // @ts-expect-error
    const logos: SignInOptions[] = [{ logo: '/acme.svg' }]
    // @ts-expect-error
    const lists: SignInOptions[] = [{ logo: ['Acme'] }]
    // @ts-expect-error
    const accents: SignInOptions[] = [{ accent: '#0b6b5d' }]
    const right: SignInOptions[] = [
      { logo: <b>Acme</b> },
      { logo: null },
      { logo: { name: 'Acme' } },
      { logo: { src: '/acme.svg', alt: '' } },
    ]
    expect([logos, lists, accents, right]).toHaveLength(4)
  })
})

describe('theme and density', () => {
  it('are attributes of the widget’s root', () => {
    const { root } = shown({ theme: 'dark', density: 'compact' })
    expect([root.dataset.gatehouseTheme, root.dataset.gatehouseDensity]).toEqual(['dark', 'compact'])
  })

  it.each([{}, { theme: 'auto', density: 'comfortable' }, { theme: 'sepia', density: 'huge' }])(
    'set no attribute for the options %j',
    options => {
      const { root } = shown(options as SignInOptions)
      expect(root.getAttributeNames().filter(name => /theme|density|style/.test(name))).toEqual([])
    },
  )
})

describe('slots', () => {
  it('show the host’s elements around the card and around the form', () => {
    const { root } = shown({
      heading: { title: 'Welcome' },
      slots: { header: <i>1</i>, aboveForm: <i>2</i>, belowForm: <i>3</i>, footer: <i>4</i> },
    })
    const seen = order(root).filter(part => /title|^form|providers|header|footer|above|below|card/.test(part ?? ''))
    expect(seen).toEqual(['header', 'card', 'title', 'above-form', 'form', 'providers', 'below-form', 'footer'])
    expect(root.textContent).toMatch(/^1.*2.*3.*4$/)
  })

  it('render on a server', () => {
    const html = renderToString(<SignIn slots={{ footer: <a href="/terms">Terms</a>, header: () => {} }} />)
    expect(html).toContain('data-part="footer" data-gatehouse-slot=""><a href="/terms">Terms</a></div>')
    expect(html).toContain('data-part="header" data-gatehouse-slot=""></div>')
  })

  it('without content have no element', () => {
    const { root } = shown({ slots: { header: undefined, aboveForm: null, belowForm: false, footer: '' } })
    expect(root.querySelector('[data-gatehouse-slot]')).toBeNull()
  })

  it('accept DOM nodes and render functions from pages without React', () => {
    const element = document.createElement('div')
    document.body.append(element)
    const end = vi.fn()
    const draw = vi.fn((slot: HTMLElement, page: string) => {
      slot.append(`drawn on ${page}`)
      return end
    })
    let unmount = () => {}
    act(() => {
      unmount = mountSignIn(element, { logo: named('Acme'), slots: { header: named('Up'), footer: draw } })
    })
    const text = (part: string) => element.querySelector(`[data-part="${part}"]`)?.textContent
    expect([text('logo'), text('header'), text('footer')]).toEqual(['Acme', 'Up', 'drawn on login'])
    act(unmount)
    expect(end).toHaveBeenCalledOnce()
    element.remove()
  })

  it('call a render function again in StrictMode, after the cleanup of the first call', () => {
    const node = named('Node')
    const lines: string[] = []
    const draw = (slot: HTMLElement) => {
      lines.push('begin')
      slot.append('drawn')
      return () => lines.push('end')
    }
    render(<SignIn slots={{ header: node, footer: draw }} />, { wrapper: StrictMode })
    expect(screen.getAllByText('Node')).toEqual([node])
    expect(screen.getAllByText('drawn')).toHaveLength(1)
    expect(lines).toEqual(['begin', 'end', 'begin'])
  })

  it('that throw are logged, and the form remains', () => {
    const draw = () => {
      throw new Error('a mistake of the host')
    }
    const { part } = shown({ slots: { aboveForm: draw }, logo: draw })
    expect(part('form')).not.toBeNull()
    expect(written.lines()).toEqual([
      expect.stringContaining('Gatehouse: options.logo threw'),
      expect.stringContaining('Gatehouse: options.slots.aboveForm threw'),
    ])
  })
})

describe('methods', () => {
  const methods = (options: SignInOptions) => {
    const { root } = shown(options)
    const seen = root.querySelectorAll(
      'input, button[type=submit], [data-part=passkey], [data-part=email-link], [data-provider], [data-part=divider]',
    )
    const names = [...seen].map(one => one.getAttribute('data-provider') ?? (one.getAttribute('name') || one.textContent))
    cleanup()
    return names
  }

  it('appear in the order of the host page, with dividers around the form', () => {
    expect(methods({ methods: ['providers', 'password', 'link'], providers: ['azure'] })).toEqual([
      'azure',
      'or',
      'username',
      'password',
      'Sign in',
      'or',
      'Email me a one-time link',
    ])
    expect(methods({ methods: ['password', 'providers'], providers: ['azure'] })).toEqual(methods({ providers: ['azure'] }))
  })

  it('without a password have no form, and without providers no divider', () => {
    expect(methods({ methods: ['link', 'providers'], providers: ['google'] })).toEqual(['Email me a one-time link', 'google'])
    expect(methods({ methods: ['password', 'providers'], providers: [] })).toEqual(['username', 'password', 'Sign in'])
  })

  it('that do not exist are left out, and texts can be replaced', () => {
    const options = { methods: ['fingerprint', 'link', 'link'], messages: { methods: { emailLink: 'Link per E-Mail' } } }
    expect(methods(options as unknown as SignInOptions)).toEqual(['Link per E-Mail'])
  })

  it('`link` leads to a page that only sends a one-time link', async () => {
    const { user } = signInArea({ methods: ['password', 'link'] })
    await user.type(screen.getByLabelText('Email'), 'ada@example.com')
    await user.click(screen.getByRole('button', { name: 'Email me a one-time link' }))
    expect(await screen.findByRole('heading', { name: 'Sign in by email' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send Password Reset Email' })).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  })

  it('`link` sends the email on Enter', async () => {
    const area = signInArea({ initialPage: { at: 'forgot-password', only: 'link' } })
    await area.user.type(await screen.findByLabelText('Email'), 'ada@example.com{Enter}')
    expect(area.calls.map(({ name }) => name)).toEqual(['magiclinkSend'])
  })
})

it('every part of the login page is in the list of parts', () => {
  const { root } = shown({ slots: { header: 'a', aboveForm: 'b', belowForm: 'c', footer: 'd' } })
  expect(order(root).filter(part => !parts.some(name => name === part))).toEqual([])
  expect(root.dataset.part).toBe('root')
})

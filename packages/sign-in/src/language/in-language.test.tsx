// @vitest-environment jsdom
import { sourceOf } from '@gatehouse/language/translate.ts'
import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSignIn } from '../headless/create-sign-in.ts'
import { english } from '../messages/en.ts'
import type { LanguageMessages } from '../messages/language-messages.ts'
import { mountSignIn } from '../mount.tsx'
import { SignIn, type SignInOptions } from '../sign-in.tsx'

const source = sourceOf(english)
const languageOf = (language: string, signIn: string, sent: string): LanguageMessages => ({
  ...source,
  language,
  login: { ...source.login, signIn, google: `Google ${language}` },
  forgotPassword: { ...source.forgotPassword, title: `Titel ${language}`, resetEmailSent: sent, sentTo: `${sent}: {address}` },
})
const german = languageOf('de', 'Anmelden', 'Gesendet')
const arabic = languageOf('ar', 'تسجيل الدخول', 'أُرسل')

/** The build's translations. Each test decides when they load. */
const build = vi.hoisted(() => ({ load: vi.fn<(tag: string) => Promise<unknown>>() }))
vi.mock('gatehouse:languages', () => ({ languages: ['en', 'de', 'ar', 'fr', 'pt-BR'].map(tag => ({ tag, name: tag })) }))
vi.mock('gatehouse:texts/signIn', () => ({ loadTexts: build.load }))

const written = watchConsole()
let element: HTMLElement
let widget: ReturnType<typeof mountSignIn>

beforeEach(() => {
  build.load.mockReset().mockImplementation(async tag => ({ de: german, ar: arabic })[tag] ?? english)
  element = document.createElement('div')
  document.body.append(element)
})
afterEach(() => {
  act(() => widget())
  cleanup()
  element.remove()
})

const mount = (options: SignInOptions) =>
  act(async () => {
    widget = mountSignIn(element, options)
  })
const root = () => element.querySelector<HTMLElement>('[data-gatehouse]')
const button = () => element.querySelector('form button[type=submit]')?.textContent

describe('the option lang', () => {
  it('shows no English while the texts load, then the language, on a root that names it', async () => {
    let arrive = (_: unknown) => {}
    build.load.mockImplementationOnce(() => new Promise(resolve => (arrive = resolve)))
    await mount({ lang: 'ar' })
    expect([element.textContent, element.querySelector('[aria-busy]')]).toEqual(['', expect.anything()])
    expect([root()?.lang, root()?.dir]).toEqual(['ar', 'rtl'])
    await act(async () => arrive(arabic))
    expect([button(), root()?.lang, root()?.dir]).toEqual(['تسجيل الدخول', 'ar', 'rtl'])
    expect(build.load.mock.calls).toEqual([['ar']])
  })

  it('falls back to the language without its region', async () => {
    await mount({ lang: 'de-AT' })
    expect([button(), root()?.lang, root()?.dir]).toEqual(['Anmelden', 'de', 'ltr'])
  })

  it.each(['nl', 'en', 'not a tag', ''])('shows English at once for %j', async lang => {
    await mount({ lang })
    expect([button(), root()?.lang]).toEqual(['Sign in', 'en'])
    expect(build.load).not.toHaveBeenCalled()
  })

  it('sets no language on the root if the page asks for none', async () => {
    await mount({})
    expect(
      root()
        ?.getAttributeNames()
        .filter(name => name === 'lang' || name === 'dir'),
    ).toEqual([])
  })

  it('uses the host page’s texts instead of the language’s, also on later pages', async () => {
    await mount({ lang: 'de', initialPage: { at: 'forgot-password' }, messages: { forgotPassword: { text: 'Eigener Text' } } })
    expect(await screen.findByRole('heading', { name: 'Titel de' })).toBeTruthy()
    expect(screen.getByText('Eigener Text')).toBeTruthy()
  })

  it('changes the language, keeps what the user typed, and shows the previous one until the new one has loaded', async () => {
    await mount({ lang: 'de' })
    await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com')
    let arrive = (_: unknown) => {}
    build.load.mockImplementationOnce(() => new Promise(resolve => (arrive = resolve)))
    await act(async () => widget.update({ lang: 'pt-BR' }))
    expect(button()).toBe('Anmelden')
    await act(async () => arrive(languageOf('pt-BR', 'Entrar', 'Enviado')))
    expect([button(), screen.getByLabelText<HTMLInputElement>('Email').value]).toEqual(['Entrar', 'ada@example.com'])
    await act(async () => widget.update({ lang: 'en' }))
    expect([button(), root()?.lang]).toEqual(['Sign in', 'en'])
  })
})

describe('texts that do not load', () => {
  it('are English, and the console says why', async () => {
    build.load.mockRejectedValueOnce(new TypeError('offline'))
    await mount({ lang: 'fr' })
    expect([button(), root()?.lang]).toEqual(['Sign in', 'en'])
    expect(written.lines()).toEqual([expect.stringContaining('Gatehouse: the texts in fr did not load')])
  })
})

describe('the texts of a language', () => {
  it('come from a server component as plain data, load nothing, and set the language', async () => {
    const sent: LanguageMessages = JSON.parse(JSON.stringify(german))
    await mount({ messages: sent, initialPage: { at: 'forgot-password' } })
    expect(await screen.findByRole('heading', { name: 'Titel de' })).toBeTruthy()
    expect([root()?.lang, build.load.mock.calls]).toEqual(['de', []])
  })

  it('appear in HTML that a server renders', async () => {
    expect(renderToString(<SignIn messages={german} />)).toMatch(/lang="de" dir="ltr".*Anmelden/)
    const stream = await renderToReadableStream(<SignIn lang="ar" />)
    await stream.allReady
    expect(await new Response(stream).text()).toMatch(/lang="ar" dir="rtl".*تسجيل الدخول/s)
    await mount({})
  })

  it('translate a headless sign-in', async () => {
    const { getView } = createSignIn({ messages: german })
    const view = getView()
    expect(view.at === 'login' && view.providers.map(({ label }) => label)).toContain('Google de')
    await mount({})
  })
})

// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { Location, OwnAccount } from '@gatehouse/wire'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dialog, done, never, page, refusal, stubDialogs } from '../testing/account-page.ts'
import { accountApi, adas, now } from '../testing/own-account.ts'
import { alerts, button, draw, errorOf, field, press, toasted } from '../testing/render.ts'
import { AccountPage, isAccountProps } from './account-page.tsx'

beforeEach(stubDialogs)

const both = [
  { provider: 'Google', linked: true },
  { provider: 'Azure', linked: false },
] as const

type Answers = { link?: () => Promise<Reply<Location>>; unlink?: () => Promise<Reply<void>> }

const opened = async (
  { link = never, unlink = never }: Answers = {},
  hasPassword = true,
  providers: OwnAccount['providers'] = [...both],
) => {
  const userProviderLink = vi.fn(link)
  const userProviderUnlink = vi.fn(unlink)
  const userPasswordConfirm = vi.fn(() => done(undefined))
  const [visit, leave] = [vi.fn(), vi.fn()]
  const after = { ...adas, hasPassword, providers: both.map(way => ({ ...way, linked: false })) }
  const api = accountApi({ userProviderLink, userProviderUnlink, userAccount: () => done(after), userPasswordConfirm })
  await draw(<AccountPage {...page} account={{ ...adas, hasPassword, providers }} api={api} visit={visit} leave={leave} />)
  return { userProviderLink, userProviderUnlink, userPasswordConfirm, visit, leave }
}
const ways = () => document.querySelector('[aria-labelledby=ways-to-sign-in]')
const rows = () => [...(ways()?.querySelectorAll('li') ?? [])].map(row => row.textContent)
/** Types the password and presses the dialog's button several times. */
const confirm = async (name: string, password: string, times = 1) => {
  field('password').value = password
  await press(name, times)
}

describe('the ways to sign in', () => {
  it('are hidden if there are none', async () => {
    await draw(<AccountPage {...page} account={adas} api={accountApi()} />)
    expect(document.body.textContent).not.toContain('Ways to sign in')
  })

  it('are listed, each with its action', async () => {
    await opened()
    expect(rows()).toEqual(['Google LinkedUnlink', 'Microsoft Link'])
    expect([...(ways()?.querySelectorAll('li button') ?? [])].map(button => button.getAttribute('aria-label'))).toEqual([
      'Unlink Google',
      'Link Microsoft',
    ])
  })

  it('ask for the password in a dialog and focus the field', async () => {
    const { userProviderLink, userProviderUnlink } = await opened()
    button('Unlink').focus()
    await press('Unlink')
    expect(dialog()?.querySelector('h2')?.textContent).toBe('Unlink Google')
    expect([field('username').value, field('password').autocomplete]).toEqual(['ada@example.com', 'current-password'])
    expect(document.activeElement).toBe(field('password'))
    await press('Cancel')
    expect(dialog()).toBeNull()
    expect(document.activeElement).toBe(button('Unlink'))
    expect([userProviderLink, userProviderUnlink].flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  it('are unlinked by one call, without a reload', async () => {
    const { userProviderUnlink, visit } = await opened({ unlink: () => done(undefined) })
    await press('Unlink')
    await confirm('Unlink Google', 'correct horse', 3)
    expect(userProviderUnlink.mock.calls).toEqual([[{ provider: 'Google', password: 'correct horse' }, expect.any(AbortSignal)]])
    expect([dialog(), rows()]).toEqual([null, ['Google Link', 'Microsoft Link']])
    expect(await toasted()).toBe('Google unlinked.')
    expect(visit).not.toHaveBeenCalled()
  })

  it('are linked by opening the address that the server returns, once', async () => {
    const { userProviderLink, visit } = await opened({ link: () => done({ location: 'https://login.example/authorize?x=1' }) })
    await press('Link')
    await confirm('Link Microsoft', 'correct horse', 2)
    expect(userProviderLink.mock.calls).toEqual([[{ provider: 'Azure', password: 'correct horse' }, expect.any(AbortSignal)]])
    expect(visit.mock.calls).toEqual([['https://login.example/authorize?x=1']])
    expect(button('Taking you to Microsoft').matches(':disabled')).toBe(true)
  })

  it('ask for no password if the account has none', async () => {
    const { userProviderUnlink } = await opened(
      {},
      false,
      both.map(way => ({ ...way, linked: true })),
    )
    await press('Unlink')
    expect(document.querySelector('input')).toBeNull()
    await press('Unlink Google')
    expect(userProviderUnlink.mock.calls).toEqual([[{ provider: 'Google', password: '' }, expect.any(AbortSignal)]])
  })

  it('cannot be unlinked if only one is left', async () => {
    await opened({}, false)
    expect(rows()).toEqual([
      'Google LinkedThis is your only way to sign in. Set a password or link another account first.',
      'Microsoft Link',
    ])
    expect([...(ways()?.querySelectorAll('button') ?? [])].map(button => button.textContent)).toEqual(['Link'])
  })

  it('report a missing password without a call', async () => {
    const { userProviderUnlink } = await opened()
    await press('Unlink')
    await press('Unlink Google')
    expect(errorOf(field('password'))).toBe('Enter your password.')
    expect(document.activeElement).toBe(field('password'))
    expect(userProviderUnlink).not.toHaveBeenCalled()
  })

  it('report a wrong password below the field until the field is edited', async () => {
    await opened({ unlink: refusal(403, 'password: is wrong') })
    await press('Unlink')
    await confirm('Unlink Google', 'wrong')
    expect([errorOf(field('password')), alerts()]).toEqual(['The password is wrong.', ''])
    expect(document.activeElement).toBe(field('password'))
    await act(async () => void field('password').dispatchEvent(new Event('input', { bubbles: true })))
    expect(errorOf(field('password'))).toBeUndefined()
  })

  it.each<[string, Answers, string, string]>([
    [
      'the last way',
      { unlink: refusal(409, 'the last way to sign in') },
      'Unlink',
      'This is your only way to sign in. Set a password or link another account first.',
    ],
    [
      'a provider that does not answer',
      { link: refusal(409, 'provider: cannot be reached, or is not set up') },
      'Link',
      'This provider isn’t responding or isn’t set up here. Try again later.',
    ],
    [
      'too many',
      { link: refusal(429, 'too many requests') },
      'Link',
      'The server couldn’t do this (error 429). Reload this page and try again.',
    ],
  ])('show a problem in the dialog: %s', async (_, answers, short, message) => {
    await opened(answers)
    await press(short)
    await confirm(short === 'Link' ? 'Link Microsoft' : 'Unlink Google', 'correct horse')
    expect(dialog()?.textContent).toContain(`Something went wrong${message}`)
  })

  it('lead to the sign-in page when the session has ended', async () => {
    const { leave } = await opened({ unlink: refusal(401, 'not signed in') })
    await press('Unlink')
    await confirm('Unlink Google', 'correct horse')
    expect(leave).toHaveBeenCalledTimes(1)
  })

  it('do not open the provider’s page if the dialog was closed while the call ran', async () => {
    let answer = (_: Reply<Location>) => {}
    const { visit, userProviderLink } = await opened({
      link: () =>
        new Promise(resolve => {
          answer = resolve
        }),
    })
    await press('Link')
    await confirm('Link Microsoft', 'correct horse')
    await press('Cancel')
    expect(dialog()).toBeNull()
    await press('Link')
    expect(button('Linking Microsoft').matches(':disabled')).toBe(true)
    await press('Cancel')
    await act(async () => answer({ ok: true, value: { location: '/x' } }))
    expect([visit.mock.calls, userProviderLink.mock.calls.length, dialog()]).toEqual([[], 1, null])
  })
})

describe('removing a second factor', () => {
  const [first, second] = adas.factors
  const warning = 'Your account will have no second factor.'

  it.each([
    ['warns', 'about the last one', [first], true],
    ['does not warn', 'about another one', [first, second], false],
  ] as const)('%s %s', async (_warns, _about, factors, isExpected) => {
    await draw(<AccountPage {...page} account={{ ...adas, factors: factors.flatMap(one => one ?? []) }} api={accountApi()} />)
    await press('Remove')
    expect(dialog()?.textContent).toContain('you’ll be signed out everywhere else')
    expect(dialog()?.textContent?.includes(warning)).toBe(isExpected)
  })
})

describe('actions that remove or end something', () => {
  const looks = (labels: string[]) => labels.map(label => button(label).className)
  const red = expect.stringMatching(/danger/)

  it.each([
    ['a second factor', 'Remove', 'Remove'],
    ['a session', 'End', 'End session'],
    ['all other sessions', 'End all other sessions', 'End other sessions'],
    ['a linked account', 'Unlink', 'Unlink Google'],
    ['all other known browsers', 'Forget all others', 'Forget other browsers'],
  ])('are red: %s', async (_, open, submit) => {
    await opened()
    expect(looks([open])).toEqual([red])
    await press(open)
    const inDialog = [...(dialog()?.querySelectorAll('button[type=submit]') ?? [])].map(found => [found.textContent, found.className])
    expect(inDialog).toEqual([[submit, red]])
  })

  it('differ from other actions, which are not red', async () => {
    await opened()
    expect(looks(['Link', 'Rename', 'Change password', 'Create new codes']).join(' ')).not.toMatch(/danger/)
    await press('Link')
    expect(looks(['Link Microsoft']).join(' ')).not.toMatch(/danger/)
  })
})

describe('the account page', () => {
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Sections] a')]
  const marked = () => links().flatMap(link => (link.getAttribute('aria-current') === 'location' ? [link.textContent] : []))

  it.each([
    ['without providers', []],
    ['with providers', [...both]],
  ])('%s links to each of its sections by the name of its heading', async (_, providers) => {
    await draw(<AccountPage {...page} account={{ ...adas, providers }} api={accountApi()} />)
    const headings = [...document.querySelectorAll('section h2')].map(({ id, textContent }) => [`#${id}`, textContent])
    expect(links().map(link => [link.getAttribute('href'), link.textContent])).toEqual(headings)
    expect(headings).toHaveLength(providers.length > 0 ? 9 : 8)
  })

  it('marks the section in view, or the chosen one until the user scrolls', async () => {
    // jsdom lays nothing out. Each section is 500 px high here, the window 768 px.
    const headings = ['credentials', 'second-factor', 'recovery-codes', 'sessions', 'known-browsers', 'activity', 'time-zone', 'language']
    let scrolled = 0
    const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      return new DOMRect(0, headings.indexOf(this.id) * 500 - scrolled, 0, 0)
    })
    const scrollTo = (top: number, ...by: string[]) =>
      act(async () => {
        scrolled = top
        for (const type of [...by, 'scroll']) window.dispatchEvent(new Event(type))
      })
    await draw(<AccountPage {...page} api={accountApi()} />)
    expect(marked()).toEqual(['Email and password'])
    await scrollTo(1000, 'wheel')
    expect(marked()).toEqual(['Recovery codes'])
    // The last section cannot reach the top of the window.
    await press('Language')
    await scrollTo(2500)
    expect(marked()).toEqual(['Language'])
    await scrollTo(2400, 'wheel')
    expect(marked()).toEqual(['Recent activity'])
    rect.mockRestore()
  })

  it.each([
    ['a link to it', { name: 'grafana.example.com', href: 'https://grafana.example.com/' }, 'https://grafana.example.com/'],
    ['no link if the dashboard is this page', undefined, undefined],
  ])('offers a way back to the dashboard: %s', async (_, dashboard, href) => {
    const drawn = await draw(<AccountPage {...page} {...(dashboard && { dashboard })} api={accountApi()} />)
    const link = [...drawn.querySelectorAll('a')].find(({ textContent }) => textContent?.trim() === 'Back to grafana.example.com')
    expect(link?.getAttribute('href')).toBe(href)
  })

  it('shows how long ago something was, and the exact time on hover and to screen readers', async () => {
    await draw(<AccountPage {...page} api={accountApi()} />)
    const times = [...document.querySelectorAll('[aria-labelledby=sessions] li time')].map(time => [
      time.textContent,
      time.getAttribute('title'),
    ])
    expect(times.slice(0, 3)).toEqual([
      ['14\u00a0minutes ago (20 Nov 2026, 04:00)', '20 Nov 2026, 04:00'],
      ['2\u00a0minutes ago (20 Nov 2026, 04:12)', '20 Nov 2026, 04:12'],
      ['9\u00a0hours ago (19 Nov 2026, 18:30)', '19 Nov 2026, 18:30'],
    ])
  })

  it('counts relative times from the server’s time', async () => {
    vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z') })
    try {
      await draw(<AccountPage {...page} api={accountApi()} />)
      const seen = () => document.querySelector('[aria-labelledby=sessions] li time:nth-of-type(2)')?.textContent
      expect(seen()).toMatch(/^2\u00a0minutes ago/)
      await act(async () => vi.advanceTimersByTime(180_000))
      expect(seen()).toMatch(/^5\u00a0minutes ago/)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('an account without a second factor', () => {
  it.each([
    ['a password', true, [], 'Anyone who gets your password can sign in.'],
    ['a provider', false, [...both], 'Your account is only as safe as your Google account.'],
    [
      'two providers',
      false,
      both.map(way => ({ ...way, linked: true })),
      'Your account is only as safe as your Google and Microsoft accounts.',
    ],
    ['neither', false, [], 'Your account is only as safe as your email account.'],
  ])('with %s shows what its security depends on', async (_, hasPassword, providers, sentence) => {
    await draw(<AccountPage {...page} account={{ ...adas, hasPassword, providers, factors: [] }} api={accountApi()} />)
    const rows = document.querySelector('[aria-labelledby=second-factor]')?.textContent
    expect(rows).toContain(`You have no second factor. ${sentence}`)
  })
})

it.each([
  ['a password', true, 'To change these, sign out and sign in again with your password and your second factor.'],
  ['no password', false, 'To change these, set a password on this page first. Then sign out and sign in again with that password'],
])('an account with %s shows how to change second factors after a provider’s second factor', async (_, hasPassword, message) => {
  await draw(<AccountPage {...page} account={{ ...adas, hasPassword, mayChangeFactors: false }} api={accountApi()} />)
  expect(document.querySelector('[aria-labelledby=second-factor]')?.textContent).toContain(message)
})

describe('the account’s props', () => {
  const props = { account: adas, base: '/gate', now }

  it('are accepted', () => {
    expect(isAccountProps(props)).toBe(true)
    expect(isAccountProps({ ...props, account: { ...adas, providers: [...both], factors: [] } })).toBe(true)
  })

  it.each([
    [null],
    [{ ...props, base: 1 }],
    [{ base: '', now }],
    [{ account: adas, base: '' }],
    [{ ...props, account: { ...adas, userIdent: 1 } }],
    [{ ...props, account: { ...adas, hasPassword: undefined } }],
    [{ ...props, account: { ...adas, providers: [{ provider: 'toString', linked: true }] } }],
    [{ ...props, account: { ...adas, sessions: [null] } }],
  ])('are refused: %o', props => {
    expect(isAccountProps(props)).toBe(false)
  })
})

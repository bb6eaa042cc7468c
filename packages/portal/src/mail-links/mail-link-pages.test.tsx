// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { AuthOutcome, ErrorCode, MailLink, PasswordResetResult } from '@gatehouse/wire'
import { describe, expect, it, vi } from 'vitest'
import { alerts, button, draw, errorOf, field, heading, press, restore } from '../testing/render.ts'
import { ConfirmEmailPage } from './confirm-email-page.tsx'
import { NewFactorPage } from './new-factor-page.tsx'
import { NewPasswordPage } from './new-password-page.tsx'
import { OneTimeLinkPage } from './one-time-link-page.tsx'

const link = { selector: 'sel', token: 'tok' }
const base = '/gate'
const token = { authTokenSelector: 's', authTokenToken: 't' }
const answer = <T,>(value: T) => Promise.resolve<Reply<T>>({ ok: true, value })
const refusal = (status: number, message: string, code?: ErrorCode) =>
  Promise.resolve<Reply<never>>({ ok: false, failure: { is: 'refused', message, detail: '', status, ...(code && { code }) } })
const never = () => new Promise<never>(() => {})
const looks = (...links: MailLink[]) => {
  const look = vi.fn(() => answer(links.length > 1 ? links.shift() : links[0]) as Promise<Reply<MailLink>>)
  return look
}
const good = (email: string): MailLink => ({ state: 'Good', email })

const oneTime = async (mailLinkLook: ReturnType<typeof looks>, outcome: () => Promise<Reply<AuthOutcome>> = never, given?: typeof link) => {
  const magiclinkRedeem = vi.fn(outcome)
  const leave = vi.fn(never)
  const goOn = vi.fn(() => <p>the sign-in area</p>)
  await draw(<OneTimeLinkPage link={given} base={base} api={{ mailLinkLook, magiclinkRedeem }} leave={leave} goOn={goOn} />)
  return { magiclinkRedeem, leave, goOn }
}

describe('any mailed link', () => {
  it('is looked up without being used', async () => {
    const look = looks(good('a•••@example.com'))
    const { magiclinkRedeem } = await oneTime(look, never, link)
    expect(look.mock.calls).toEqual([[{ kind: 'OneTimeLink', ...link }, expect.any(AbortSignal)]])
    expect(magiclinkRedeem).not.toHaveBeenCalled()
    expect(heading()).toBe('Sign in as a•••@example.com')
    expect(document.activeElement).toBe(document.querySelector('h1'))
  })

  it('is not looked up if its fragment is not one of our links', async () => {
    const look = looks(good('a'))
    await oneTime(look)
    expect(look).not.toHaveBeenCalled()
    expect(heading()).toBe('This link doesn’t work')
    expect(button('Get a new link').getAttribute('href')).toBe('/gate/forgot-password')
  })

  it.each([
    ['Used', 'This link has already been used'],
    ['Expired', 'This link no longer works'],
    ['Unknown', 'This link doesn’t work'],
  ] as const)('shows that it is %s, and where to get a new one', async (state, title) => {
    const mailLinkLook = looks({ state })
    const pages = [
      [
        <NewPasswordPage key="p" {...{ link, base, minPasswordLength: 15, api: { mailLinkLook, resetPassword: never } }} />,
        '/gate/forgot-password',
      ],
      [<NewFactorPage key="f" {...{ link, base, api: { mailLinkLook, newFactor: never } }} />, '/gate/'],
      [<ConfirmEmailPage key="e" {...{ link, base, api: { mailLinkLook, userEmailConfirm: never } }} />, '/gate/account'],
    ] as const
    for (const [page, href] of pages) {
      document.body.replaceChildren()
      await draw(page)
      expect(heading()).toBe(title)
      expect(document.querySelector('a')?.getAttribute('href')).toBe(href)
    }
  })

  it('is looked up again on request after a failure', async () => {
    const mailLinkLook = vi
      .fn()
      .mockReturnValueOnce(refusal(503, 'out of order'))
      .mockReturnValue(answer(good('a@b')))
    await oneTime(mailLinkLook, never, link)
    expect([heading(), alerts()]).toEqual([
      'Couldn’t check the link',
      'Something went wrongThe server couldn’t do this (error 503). Reload this page and try again.',
    ])
    await press('Try again')
    expect(heading()).toBe('Sign in as a@b')
  })

  it('is looked up again when the browser restores the page', async () => {
    const look = looks(good('a@b'), { state: 'Used' })
    await oneTime(look, never, link)
    await press('Sign in')
    await restore()
    expect(heading()).toBe('This link has already been used')
  })
})

describe('a one-time link', () => {
  it('is used once, however often the button is pressed, and starts the session', async () => {
    const page = await oneTime(looks(good('a@b')), () => answer({ tag: 'AuthSuccessful', contents: token }), link)
    await press('Sign in', 3)
    expect(page.magiclinkRedeem.mock.calls).toEqual([[link, expect.any(AbortSignal)]])
    expect(page.leave.mock.calls).toEqual([[token, expect.any(AbortSignal)]])
    expect(document.querySelector<HTMLButtonElement>('button')?.disabled).toBe(true)
    expect(document.querySelector('[role=status]')?.textContent).toBe('Signed in, please wait')
  })

  it('in another browser, focuses the number field, and shows below it that the number is missing or wrong', async () => {
    const asks: MailLink = { ...good('a@b'), asksNumber: true }
    const page = await oneTime(looks(asks, asks), () => answer({ tag: 'AuthFailureFailedLogin' }), link)
    expect(document.activeElement).toBe(field('number'))
    await press('Sign in')
    expect([errorOf(field('number')), alerts(), document.activeElement]).toEqual(['Enter the two digits.', '', field('number')])
    expect(page.magiclinkRedeem).not.toHaveBeenCalled()
    field('number').value = '42'
    await press('Sign in')
    expect(page.magiclinkRedeem.mock.calls).toEqual([[{ ...link, number: '42' }, expect.any(AbortSignal)]])
    expect([errorOf(field('number')), alerts()]).toEqual([expect.stringContaining('That number isn’t right.'), ''])
    expect(document.activeElement).toBe(field('number'))
  })

  it('continues in the sign-in area without a password', async () => {
    const page = await oneTime(looks(good('a@b')), () => answer({ tag: 'AuthRequires2FA' }), link)
    await press('Sign in')
    expect(page.goOn).toHaveBeenCalledWith({ at: 'verify-factor', credentials: { username: '', password: '' }, firstSetup: false })
    expect(document.body.textContent).toBe('the sign-in area')
  })

  it('shows that the password was reset by an administrator, and how to continue', async () => {
    await oneTime(looks(good('a@b')), () => answer({ tag: 'AuthFailureForcedReset' }), link)
    await press('Sign in')
    expect(document.body.textContent).toContain('Your password has been reset by an administrator. Please reset your password.')
    expect(button('Reset your password').getAttribute('href')).toBe('/gate/forgot-password')
  })

  it('is looked up again after a refusal', async () => {
    const look = looks(good('a@b'), good('a@b'), { state: 'Expired' })
    await oneTime(look, () => answer({ tag: 'AuthFailureFailedLogin' }), link)
    await press('Sign in')
    expect([heading(), alerts()]).toEqual(['Sign in as a@b', 'Something went wrongThat didn’t work. Try again or get a new link.'])
    await press('Sign in')
    expect(heading()).toBe('This link no longer works')
  })
})

describe('the page for a new password', () => {
  const choosing = async (resetPassword: () => Promise<Reply<PasswordResetResult>> = never) => {
    const call = vi.fn(resetPassword)
    const api = { mailLinkLook: looks(good('ada@example.com')), resetPassword: call }
    await draw(<NewPasswordPage link={link} base={base} minPasswordLength={15} api={api} />)
    return call
  }
  const choose = async (password: string, again = password) => {
    field('newpassword').value = password
    field('newpasswordverification').value = again
    await press('Change password', 2)
  }

  it('has the fields that password managers look for, and focuses the field for the new password', async () => {
    await choosing()
    expect(['username', 'newpassword', 'newpasswordverification'].map(name => field(name).autocomplete)).toEqual([
      'username',
      'new-password',
      'new-password',
    ])
    expect([field('username').value, field('username').readOnly]).toEqual(['ada@example.com', true])
    expect(document.activeElement).toBe(field('newpassword'))
    expect(document.body.textContent).toContain('At least 15 characters')
  })

  it('sends the password once, with the username and the token, and does not sign in', async () => {
    const resetPassword = await choosing(() => answer({ passkeys: [] }))
    await choose('correct horse battery')
    const twice = { newpassword: 'correct horse battery', newpasswordverification: 'correct horse battery' }
    expect(resetPassword.mock.calls).toEqual([[{ username: 'ada@example.com', resettoken: 'sel.tok', ...twice }, expect.any(AbortSignal)]])
    expect(heading()).toBe('Password changed')
    expect(button('Sign in').getAttribute('href')).toBe('/gate/')
  })

  it('lists the passkeys that still work after the change', async () => {
    await choosing(() => answer({ passkeys: ['iCloud Keychain', 'YubiKey 5'] }))
    await choose('correct horse battery')
    expect([...document.querySelectorAll('li')].map(name => name.textContent)).toEqual(['iCloud Keychain', 'YubiKey 5'])
    expect(document.body.textContent).toContain('If you don’t know one, remove it on your account page')
  })

  it('does not send a password that breaks a rule, and shows why below its field', async () => {
    const resetPassword = await choosing()
    await choose('short')
    expect(errorOf(field('newpassword'))).toBe('The password needs at least 15 characters. This one has 5.')
    expect(document.activeElement).toBe(field('newpassword'))
    await choose('correct horse battery', 'correct horse buttery')
    expect(errorOf(field('newpasswordverification'))).toBe('The passwords don’t match.')
    expect(document.activeElement).toBe(field('newpasswordverification'))
    expect(resetPassword).not.toHaveBeenCalled()
  })

  it('shows why the server refused the password, and focuses its field', async () => {
    await choosing(() => refusal(400, 'newpassword: is too common', 'PasswordCommon'))
    await choose('passwordpassword')
    expect(errorOf(field('newpassword'))).toBe(
      'The password is too common. Use four or more unrelated words, or let a password manager create one.',
    )
    expect(document.activeElement).toBe(field('newpassword'))
  })
})

describe('a new address', () => {
  it('is confirmed by one call', async () => {
    const userEmailConfirm = vi.fn(() => answer(undefined))
    await draw(<ConfirmEmailPage link={link} base={base} api={{ mailLinkLook: looks(good('new@example.com')), userEmailConfirm }} />)
    expect(heading()).toBe('Use new@example.com from now on?')
    await press('Confirm', 2)
    expect(userEmailConfirm.mock.calls).toEqual([[link, expect.any(AbortSignal)]])
    expect(document.body.textContent).toContain('Sign in with new@example.com from now on.')
  })
})

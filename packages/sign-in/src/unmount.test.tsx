// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { passkeyRoutes, pushRoutes, routes } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApi } from './calls/api.ts'
import { createPasskeyApi } from './calls/passkey-api.ts'
import { createPushApi } from './calls/push-api.ts'
import { createConfig } from './config.ts'
import { SignIn, type SignInOptions } from './sign-in.tsx'
import { creationOptions, passkeyBrowser, requestOptions } from './testing/passkey-browser.ts'
import { factor, factorUUID, token } from './testing/sign-in-area.tsx'

// A host page removes the widget during each of its calls. Only `fetch`, the WebSocket and the browser's passkeys are fakes.

watchConsole()

const server = { scheme: 'https', host: 'gate.example', port: '' }
const config = createConfig(server)
/** Every call that the package can make. */
const calls = { ...createApi(config), ...createPasskeyApi(config), ...createPushApi(config) }
type CallName = keyof typeof calls

/** Calls that the widget does not make or does not abort, each with the reason. */
const others = {
  logoutBySelf: 'the function signOut makes it',
  passkeyUpgrade: 'it outlives the page, see the last test',
  watchStatus: 'it is a WebSocket, see the test of it',
}

type Path = { path: string }
const everyRoute: { [name: string]: Path } = { ...routes, ...passkeyRoutes, ...pushRoutes }
const nameOf = (address: string) => Object.keys(everyRoute).find(name => everyRoute[name]?.path === address.replace(config.baseUrl, ''))

/** What the server answers. A call without an answer waits. */
let answers: { [Name in CallName]?: unknown } = {}
let made: { name: string | undefined; signal: AbortSignal | null | undefined; release: (body: unknown) => void }[] = []
let browser: ReturnType<typeof passkeyBrowser>
const sockets: { closed: boolean }[] = []
const onSignedIn = vi.fn(() => 'stay' as const)

class FakeSocket {
  closed = false
  constructor() {
    sockets.push(this)
  }
  close() {
    this.closed = true
  }
}

beforeEach(() => {
  browser = passkeyBrowser({ hasAutofill: false, capabilities: { conditionalCreate: true } })
  ;[answers, made] = [{}, []]
  sockets.splice(0)
  onSignedIn.mockClear()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async (address: string, { signal }: RequestInit) => {
    if (signal?.aborted) throw new DOMException('stopped', 'AbortError')
    const name = nameOf(address)
    return new Promise<Response>(resolve => {
      const release = (body: unknown) => resolve(Response.json(body))
      made.push({ name, signal, release })
      const answer = answers[name as CallName]
      if (answer !== undefined) release(answer)
    })
  })
})
afterEach(() => {
  browser.remove()
  vi.useRealTimers()
})

const user = userEvent.setup()
const success = { tag: 'AuthSuccessful', contents: token }
const credentials = { username: 'ada@example.com', password: 'x' }
const challenge = {
  tag: 'PushChallengeOpened',
  contents: { challengeUUID: factorUUID, challengeNumber: '012345', challengeExpires: '2046-11-20T03:02:00Z' },
}

const show = (initialPage: SignInPage = { at: 'login' }, options: SignInOptions = {}) =>
  render(<SignIn server={server} initialPage={initialPage} {...options} />)
const press = async (name: string) => user.click(await screen.findByRole('button', { name }, { timeout: 5000 }))
const type = async (label: string, text = '123456') =>
  user.type(await screen.findByLabelText(label, undefined, { timeout: 5000 }), `${text}{Enter}`)
const choosePasskey = async () => {
  await waitFor(() => expect(browser.asked).toHaveLength(1), { timeout: 5000 })
  browser.settle('passkey')
}

/** Shows the widget and starts the call, which then waits for its reply. */
type Begin = () => Promise<ReturnType<typeof render>>

const submit = async (options: SignInOptions = {}) => {
  const view = show({ at: 'login' }, options)
  await user.type(screen.getByLabelText('Email'), credentials.username)
  await type('Password', credentials.password)
  return view
}
const verify = async () => {
  const view = show({ at: 'verify-factor', credentials, firstSetup: false })
  await type('Verification Code')
  return view
}
const forgot = async (name: string) => {
  const view = show({ at: 'forgot-password', email: credentials.username })
  await press(name)
  return view
}
const approve = async () => show({ at: 'approve-on-phone', credentials })

const begins: Record<Exclude<CallName, keyof typeof others>, Begin> = {
  getAuthTokenWithError: submit,
  plowlogin: () => {
    answers = { getAuthTokenWithError: success }
    return submit()
  },
  handOver: () => {
    answers = { getAuthTokenWithError: success }
    return submit({ onSignedIn })
  },
  verifyOTP: verify,
  loginWithToken: () => {
    answers = { verifyOTP: success }
    return verify()
  },
  setupOTP: async () => {
    const view = show({ at: 'create-factor', credentials, factor })
    await press('Skip factor authentication')
    return view
  },
  recoveryCode: async () => {
    const view = show({ at: 'recovery-code', credentials })
    await type('Recovery code')
    return view
  },
  resetOTP: async () => {
    const view = show({ at: 'reset-factor', credentials })
    await press('Send reset instruction')
    return view
  },
  sendPasswordResetEmail: () => forgot('Send Password Reset Email'),
  magiclinkWait: () => forgot('Send One Time Link Email'),
  magiclinkSend: () => {
    answers = { magiclinkWait: { number: '42' } }
    return forgot('Send One Time Link Email')
  },
  magiclinkCode: async () => {
    answers = { magiclinkWait: { number: '42' }, magiclinkSend: { tag: 'Ok' } }
    const view = await forgot('Send One Time Link Email')
    await type('Code from the email', 'ABCDEFGH')
    return view
  },
  passkeyOptions: async () => {
    const view = show({ at: 'login' }, { passkeys: true })
    await press('Sign in with a passkey')
    return view
  },
  passkeySignIn: async () => {
    answers = { passkeyOptions: requestOptions }
    const view = show({ at: 'login' }, { passkeys: true })
    await press('Sign in with a passkey')
    await choosePasskey()
    return view
  },
  passkeyVerify: async () => {
    const view = show({ at: 'use-passkey', credentials, passkey: requestOptions }, { passkeys: true })
    await press('Use your passkey')
    await choosePasskey()
    return view
  },
  passkeySetUp: async () => {
    const view = show({ at: 'create-factor', credentials, factor, passkey: creationOptions }, { passkeys: true })
    await press('Use a passkey instead')
    await choosePasskey()
    return view
  },
  pushChallenge: approve,
  pushStatus: () => {
    answers = { pushChallenge: challenge }
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
    return approve()
  },
}

const settle = () => new Promise(resolve => setTimeout(resolve, 50))

describe('a widget that the page removes during a call', () => {
  it('has a test or a stated exception for every call', () => {
    expect([...Object.keys(begins), ...Object.keys(others)].toSorted()).toEqual(Object.keys(calls).toSorted())
  })

  it.each(Object.entries(begins))('aborts %s and does nothing more', async (name, begin) => {
    const view = await begin()
    await waitFor(() => expect(made.at(-1)?.name).toBe(name), { timeout: 5000 })
    const { signal, release } = made.at(-1) ?? {}
    expect(signal?.aborted).toBe(false)
    const before = made.length
    view.unmount()
    expect(signal?.aborted).toBe(true)
    // Release the answer after the unmount, as if it had already been on its way.
    release?.(name === 'pushChallenge' ? challenge : name === 'passkeyOptions' ? requestOptions : success)
    await settle()
    expect([made.length, onSignedIn.mock.calls]).toEqual([before, []])
  })

  it('closes the WebSocket that waits for a phone', async () => {
    answers = { pushChallenge: challenge }
    const view = await approve()
    await waitFor(() => expect(sockets).toHaveLength(1))
    expect(sockets[0]?.closed).toBe(false)
    view.unmount()
    expect(sockets[0]?.closed).toBe(true)
  })

  it('finishes passkeyUpgrade, so that the server learns of a passkey that the password manager holds', async () => {
    const signals = { rpId: 'example.com', userId: 'dQ', name: 'ada', displayName: 'ada', allAcceptedCredentialIds: [] }
    answers = {
      getAuthTokenWithError: { ...success, passkeys: { signals, upgrade: creationOptions } },
      handOver: { to: 'Dashboard', address: 'https://gate.example/account' },
    }
    const view = await submit({ onSignedIn, passkeys: true })
    await choosePasskey()
    await waitFor(() => expect(made.at(-1)?.name).toBe('passkeyUpgrade'), { timeout: 5000 })
    view.unmount()
    expect(made.at(-1)?.signal?.aborted ?? false).toBe(false)
    made.at(-1)?.release({})
    await settle()
    expect(onSignedIn).not.toHaveBeenCalled()
  })
})

// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { act, cleanup, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SignInEvent } from '../events.ts'
import { factor, secret, token, uri } from '../testing/sign-in-area.tsx'
import { createSignIn, type HeadlessOptions } from './create-sign-in.ts'
import { useSignIn } from './use-sign-in.ts'
import type { SignInView } from './view.ts'

watchConsole()

type Answer = { json?: unknown; status?: number; retryAfter?: string; down?: true }
/** The server's reply to each call, and the requests that it received. */
let answers: { [path: string]: Answer } = {}
let received: [path: string, body: unknown][] = []

beforeAll(async () => {
  await import('../calls/after-first-load.ts')
}, 60_000)
beforeEach(() => {
  ;[answers, received] = [{}, []]
  vi.stubGlobal('fetch', async (address: string, { body, signal }: RequestInit) => {
    const path = address.slice(address.lastIndexOf('/') + 1)
    received.push([path, JSON.parse(String(body))])
    const { json = {}, status = 200, retryAfter, down } = answers[path] ?? {}
    if (down || signal?.aborted) throw new TypeError('no network')
    return Response.json(json, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const success = { tag: 'AuthSuccessful', contents: token }
const next = { to: 'Dashboard', address: 'https://gate.example/account' }

/** A running sign-in, whose host keeps the page. */
const start = (options: HeadlessOptions = {}) => {
  const events: SignInEvent[] = []
  const onSignedIn = vi.fn(() => 'stay')
  const server = { scheme: 'https', host: 'gate.example', port: '' }
  const signIn = createSignIn({ server, onSignedIn, onEvent: event => events.push(event), ...options })
  const stop = signIn.subscribe(() => {})
  answers.handOver = { json: next }
  return { signIn, stop, events, onSignedIn }
}
const at = <At extends SignInView['at']>({ signIn }: ReturnType<typeof start>, page: At) => {
  const view = signIn.getView()
  if (view.at !== page) throw new Error(`the page is ${view.at}`)
  return view as Extract<SignInView, { at: At }>
}
const ada = { email: ' Ada@Example.com ', password: 'correct horse' }
const arrive = async <At extends SignInView['at']>(outcome: unknown, page: At) => {
  answers.getAuthTokenWithError = { json: outcome }
  const started = start()
  at(started, 'login').signIn(ada)
  await vi.waitFor(() => at(started, page))
  return started
}

describe('createSignIn', () => {
  it('signs in, and gives the host neither the password nor a token', async () => {
    answers.getAuthTokenWithError = { json: success }
    const started = start()
    expect(at(started, 'login').providers.map(({ address }) => address)).toContain(
      'https://gate.example/auth/page/plow/ssoLogin?provider=google',
    )
    at(started, 'login').signIn(ada)
    at(started, 'login').signIn(ada)
    expect([at(started, 'login').state, at(started, 'login').busy]).toEqual([{ is: 'LoggingIn' }, true])
    await vi.waitFor(() => expect(started.onSignedIn.mock.calls).toEqual([[next]]))
    expect(received.map(([path]) => path)).toEqual(['getAuthTokenWithError', 'handOver'])
    expect(received[0]?.[1]).toEqual({ username: 'ada@example.com', password: 'correct horse', useragent: '' })
    expect(at(started, 'login').state).toEqual({ is: 'LoggedIn' })
    expect(started.events.map(({ type }) => type)).toEqual(['page-shown', 'attempt', 'outcome', 'signed-in'])
  })

  it('says why a sign-in failed, and how long to wait', async () => {
    answers.getAuthTokenWithError = { json: { tag: 'AuthFailureFailedLogin' } }
    const started = start()
    at(started, 'login').signIn(ada)
    await vi.waitFor(() =>
      expect(at(started, 'login').state).toMatchObject({ is: 'NotLoggedInWithError', reason: 'failed-login', message: /failed to login/ }),
    )
    answers.getAuthTokenWithError = { status: 429, json: { error: 'too many attempts' }, retryAfter: '40' }
    at(started, 'login').signIn(ada)
    await vi.waitFor(() => expect(started.signIn.getView().notice).toMatchObject({ title: 'Something went wrong' }))
    expect(started.events.at(-1)).toEqual({ type: 'wait', method: 'password', seconds: 40 })
    answers.getAuthTokenWithError = { json: success }
    at(started, 'login').signIn(ada)
    expect(started.signIn.getView().notice).toBeUndefined()
    await vi.waitFor(() => expect(started.onSignedIn).toHaveBeenCalledOnce())
  })

  it('verifies a code, but sends nothing that is not six digits', async () => {
    const started = await arrive({ tag: 'AuthRequires2FA' }, 'verify-factor')
    at(started, 'verify-factor').verify('12 34')
    expect([at(started, 'verify-factor').state, at(started, 'verify-factor').busy]).toEqual([{ is: 'Verifying', code: undefined }, false])
    answers.verifyOTP = { json: success }
    at(started, 'verify-factor').verify('٠١٢ ３४۵')
    await vi.waitFor(() => expect(started.onSignedIn).toHaveBeenCalledOnce())
    expect(received.find(([path]) => path === 'verifyOTP')?.[1]).toEqual({
      otpUsername: 'ada@example.com',
      otpPassword: 'correct horse',
      otpVerification: 12345,
    })
  })

  it('shows a new factor and the form for its first code, and skips the set-up', async () => {
    const started = await arrive({ tag: 'AuthRequiresFactorCreation', contents: factor }, 'create-factor')
    expect(at(started, 'create-factor').factor).toEqual({ uri, secret })
    at(started, 'create-factor').next()
    expect(at(started, 'verify-factor').isFirstSetup).toBe(true)
    at(started, 'verify-factor').showFactor?.()
    answers.setupOTP = { json: success }
    at(started, 'create-factor').skip?.()
    await vi.waitFor(() => expect(started.onSignedIn).toHaveBeenCalledOnce())
  })

  it('requests a one-time link, waits before the next email, and accepts the code', async () => {
    vi.useFakeTimers()
    answers = { send: { json: { tag: 'Ok' } }, wait: { json: { number: '42' } }, code: { json: success } }
    const started = start()
    at(started, 'login').forgotPassword('ada@example.com')
    expect(at(started, 'forgot-password').email).toBe('ada@example.com')
    at(started, 'forgot-password').sendMagicLink('ada@example.com')
    await vi.waitFor(() => expect(at(started, 'forgot-password').emailedCode?.number).toBe('42'))
    at(started, 'forgot-password').sendMagicLink('ada@example.com')
    expect(received.filter(([path]) => path === 'send')).toHaveLength(1)
    expect(at(started, 'forgot-password').wait).toBe(30)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(at(started, 'forgot-password').wait).toBe(0)
    at(started, 'forgot-password').emailedCode?.signIn(' ABCD-EFGH ')
    await vi.waitFor(() => expect(started.onSignedIn).toHaveBeenCalledOnce())
    started.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('aborts its call when the last listener unsubscribes', async () => {
    answers.getAuthTokenWithError = { json: success }
    const started = start()
    at(started, 'login').signIn(ada)
    started.stop()
    expect(at(started, 'login').state).toEqual({ is: 'NotLoggedIn' })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect([started.onSignedIn.mock.calls, received.length]).toEqual([[], 1])
  })
})

describe('useSignIn', () => {
  const Page = (options: HeadlessOptions) => {
    const view = useSignIn(options)
    return view.at === 'login' ? (
      <button type="button" onClick={() => view.signIn(ada)}>
        {view.state.is}
      </button>
    ) : (
      view.at
    )
  }

  it('draws the state under StrictMode, calls the latest functions and reports a page once', async () => {
    answers = { getAuthTokenWithError: { json: success }, handOver: { json: next } }
    const [before, after, onEvent] = [vi.fn(() => 'stay'), vi.fn(() => 'stay'), vi.fn()]
    const { rerender } = render(
      <StrictMode>
        <Page onSignedIn={before} onEvent={onEvent} />
      </StrictMode>,
    )
    rerender(
      <StrictMode>
        <Page onSignedIn={after} onEvent={onEvent} />
      </StrictMode>,
    )
    await act(async () => screen.getByText('NotLoggedIn').click())
    await vi.waitFor(() => expect(after.mock.calls).toEqual([[next]]))
    expect([before.mock.calls, await screen.findByText('LoggedIn')]).toEqual([[], expect.anything()])
    expect(onEvent.mock.calls.filter(([event]) => event.type === 'page-shown')).toHaveLength(1)
  })
})

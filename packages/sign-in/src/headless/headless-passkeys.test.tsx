// @vitest-environment jsdom

import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { passkeyRoutes, routes } from '@gatehouse/wire'
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { assertion, passkeyBrowser, requestOptions } from '../testing/passkey-browser.ts'
import { token } from '../testing/sign-in-area.tsx'
import { createSignIn, type HeadlessOptions } from './create-sign-in.ts'
import { useSignIn } from './use-sign-in.ts'

// Passkeys in the autofill of a field that the host draws.

watchConsole()
beforeAll(async () => {
  await import('../passkeys/login-passkeys.ts')
  await import('../passkeys/passkey-sign-in.ts')
}, 60_000)

let browser: ReturnType<typeof passkeyBrowser>
let received: [path: string, body: unknown][] = []
const success = { tag: 'AuthSuccessful', contents: token }
let answers: { [path: string]: unknown } = {}
const ends: (() => void)[] = []

beforeEach(() => {
  browser = passkeyBrowser()
  received = []
  answers = {
    [passkeyRoutes.passkeyOptions.path]: requestOptions,
    [passkeyRoutes.passkeySignIn.path]: success,
    [routes.getAuthTokenWithError.path]: { tag: 'AuthFailureFailedLogin' },
    [routes.handOver.path]: { to: 'Dashboard', address: 'https://gate.example/account' },
  }
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    const path = address.replace('https://gate.example', '')
    received.push([path, JSON.parse(String(body))])
    return Response.json(answers[path] ?? {})
  })
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  cleanup()
  for (const end of ends.splice(0)) end()
  browser.remove()
  vi.useRealTimers()
})

const server = { scheme: 'https', host: 'gate.example', port: '' }
const start = (options: HeadlessOptions = {}) => {
  const onSignedIn = vi.fn(() => 'stay')
  const signIn = createSignIn({ server, passkeys: true, onSignedIn, ...options })
  const login = () => {
    const view = signIn.getView()
    if (view.at !== 'login') throw new Error(`the page is ${view.at}`)
    return view
  }
  const listen = (listener = () => {}) => {
    const end = signIn.subscribe(listener)
    ends.push(end)
    return end
  }
  return { signIn, listen, login, onSignedIn }
}
const paths = () => received.map(([path]) => path)
const mediations = () => browser.asked.map(({ mediation }) => mediation)
const areAborted = () => browser.asked.map(({ signal }) => signal?.aborted)
const offers = (times: number) =>
  vi.waitFor(() => expect(mediations()).toEqual(Array.from({ length: times }, () => 'conditional')), { timeout: 3000 })

it('asks for nothing without a listener, without the option, and where the browser has no autofill of passkeys', async () => {
  start()
  start({ passkeys: false }).listen()
  browser.remove()
  browser = passkeyBrowser({ hasAutofill: false })
  start().listen()
  await vi.advanceTimersByTimeAsync(5000)
  expect([browser.asked, paths()]).toEqual([[], []])
})

it('signs in with the passkey that the user chooses in the autofill', async () => {
  const { listen, login, onSignedIn } = start()
  const listener = vi.fn()
  listen(listener)
  listen()
  await offers(1)
  expect([login().busy, listener.mock.calls]).toEqual([false, []])
  browser.settle('passkey')
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(login().state).toEqual({ is: 'LoggedIn' })
  expect(paths()).toEqual([passkeyRoutes.passkeyOptions.path, passkeyRoutes.passkeySignIn.path, routes.handOver.path])
  expect(received[1]?.[1]).toEqual({ credential: assertion })
  await vi.advanceTimersByTimeAsync(5000)
  expect(browser.asked).toHaveLength(1)
})

it('ends the offer during a sign-in, and renews it after a failure', async () => {
  const { listen, login } = start()
  listen()
  await offers(1)
  login().signIn({ email: 'ada@example.com', password: 'wrong' })
  expect(areAborted()).toEqual([true])
  await vi.waitFor(() => expect(login().state.is).toBe('NotLoggedInWithError'))
  await offers(2)
  login().usePasskey?.()
  expect(areAborted()).toEqual([true, true])
  await vi.waitFor(() => expect(mediations().at(-1)).toBe('optional'))
  browser.settle('NotAllowedError')
  await vi.waitFor(() => expect(mediations().at(-1)).toBe('conditional'), { timeout: 3000 })
  expect(areAborted()).toEqual([true, true, false, false])
})

it('ends the offer on another page and without a listener, and renews it afterwards', async () => {
  const { signIn, listen, login } = start()
  const end = listen()
  await offers(1)
  login().forgotPassword()
  expect(areAborted()).toEqual([true])
  const view = signIn.getView()
  if ('back' in view) view.back()
  await offers(2)
  end()
  expect(areAborted()).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(5000)
  const endAgain = listen()
  await offers(3)
  endAgain()
  expect(areAborted()).toEqual([true, true, true])
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
})

it('offers passkeys again after the browser restored the page during a sign-in', async () => {
  const { listen, login } = start()
  listen()
  await offers(1)
  login().signIn({ email: 'ada@example.com', password: 'wrong' })
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(login().state).toEqual({ is: 'NotLoggedIn' })
  await offers(2)
})

const Page = () => {
  const view = useSignIn({ server, passkeys: true })
  return view.at === 'login' && view.usePasskey ? <button type="button">passkey</button> : <p>none</p>
}

it('offers passkeys once in React under StrictMode, and ends the offer when the component unmounts', async () => {
  const { unmount } = render(
    <StrictMode>
      <Page />
    </StrictMode>,
  )
  await offers(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(areAborted()).toEqual([false])
  unmount()
  expect(areAborted()).toEqual([true])
})

it('hydrates HTML from a server without an error, and offers passkeys afterwards', async () => {
  const root = document.createElement('div')
  browser.remove()
  root.innerHTML = renderToString(<Page />)
  expect(root.textContent).toBe('none')
  browser = passkeyBrowser()
  const onRecoverableError = vi.fn()
  await act(async () => {
    hydrateRoot(root, <Page />, { onRecoverableError })
  })
  expect(onRecoverableError.mock.calls).toEqual([])
  expect(root.textContent).toBe('passkey')
})

// @vitest-environment jsdom
import { watchConsole } from '@gatehouse/ui/testing/watch-console.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSignIn } from '../headless/create-sign-in.ts'
import { getSession, signOut, watchSession } from './session.ts'

const server = { scheme: 'https', host: 'gate.example', port: '', basePath: '/in' }

const token = { authTokenSelector: 'sel', authTokenToken: 'tok', authTokenUser: 'u1' }

/** What the server answers, and what the page asked. `withheld`: the browser withholds the cookie of a new session. */
let signedIn: boolean | 'down' | 'busy' | 'silent' = true
let withheld = false
let calls: string[] = []
let sockets: FakeSocket[] = []
const written = watchConsole()

class FakeSocket {
  static OPEN = 1
  readyState = 0
  onopen: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  onclose: ((event: { code: number }) => void) | undefined
  readonly url: string
  constructor(url: string) {
    this.url = url
    sockets.push(this)
  }
  close = vi.fn(() => this.onclose?.({ code: 1005 }))
  say = (tag: string) => this.onmessage?.({ data: JSON.stringify({ tag }) })
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const visible = (state: 'visible' | 'hidden') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  ;[signedIn, withheld, calls, sockets] = [true, false, [], []]
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async (address: string, { credentials, body, signal }: RequestInit) => {
    calls.push(address.replace('https://gate.example/in', ''))
    if (signedIn !== 'down') expect(credentials).toBe('include')
    if (address.endsWith('/getAuthTokenWithError')) return Response.json({ tag: 'AuthSuccessful', contents: token })
    if (address.endsWith('/handOver')) {
      signedIn = !withheld
      return Response.json({ to: 'Dashboard', address: 'https://gate.example/in/account' })
    }
    if (signedIn === 'down') throw new TypeError('no network')
    if (signedIn === 'silent') return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    expect(body).toBe('{}')
    if (signedIn === 'busy') return new Response('{"error":"too many"}', { status: 429, headers: { 'retry-after': '300' } })
    if (!address.endsWith('/logout/by/self')) return Response.json({ signedIn })
    signedIn = false
    return Response.json('Signed out')
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Starts to watch. The test must call `stop`. */
const watch = async () => {
  const states: string[] = []
  const stop = watchSession(state => states.push(state), server)
  await settle()
  return { states, stop }
}

it('reports whether the user is signed in, or `unknown` if the server is unreachable', async () => {
  expect(await getSession(server)).toBe('signed-in')
  signedIn = false
  expect(await getSession(server)).toBe('signed-out')
  signedIn = 'down'
  expect([await getSession(server), await signOut(server)]).toEqual(['unknown', false])
})

it('reports that the session ended when the socket says so and a check confirms it', async () => {
  const { states, stop } = await watch()
  expect(sockets.map(({ url }) => url)).toEqual(['wss://gate.example/in/sockets'])
  // A new session has replaced the old one, so there is nothing to report.
  sockets[0]?.say('SessionEnded')
  await settle()
  expect(states).toEqual(['signed-in'])
  signedIn = false
  sockets[0]?.say('SessionEnded')
  await settle()
  expect(states).toEqual(['signed-in', 'signed-out'])
  expect(sockets[0]?.close).toHaveBeenCalled()
  stop()
})

it('reports the end if the socket says so and the check fails, but not for an outage alone', async () => {
  const { states, stop } = await watch()
  signedIn = 'down'
  sockets[0]?.onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(states).toEqual(['signed-in'])
  sockets.at(-1)?.say('SessionEnded')
  await settle()
  expect(states).toEqual(['signed-in', 'signed-out'])
  stop()
})

it('polls without a socket, less often with one, and waits as long as the server says', async () => {
  const { states, stop } = await watch()
  calls = []
  await vi.advanceTimersByTimeAsync(15_000)
  expect(calls).toHaveLength(1)
  sockets[0]?.onopen?.()
  await settle()
  calls = []
  await vi.advanceTimersByTimeAsync(59_000)
  expect(calls).toHaveLength(0)
  signedIn = 'busy'
  await vi.advanceTimersByTimeAsync(1000 + 299_000)
  expect(calls).toHaveLength(1)
  signedIn = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(states).toEqual(['signed-in', 'signed-out'])
  stop()
})

it('does not poll while the page is hidden, and checks immediately when the page is visible again or the network is back', async () => {
  const { states, stop } = await watch()
  visible('hidden')
  calls = []
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toEqual([])
  signedIn = false
  visible('visible')
  await settle()
  expect(states).toEqual(['signed-in', 'signed-out'])
  signedIn = true
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(states).toEqual(['signed-in', 'signed-out', 'signed-in'])
  stop()
})

it('shares one socket, reports the state to a later watcher, and stops with the last one', async () => {
  const first = await watch()
  const second = await watch()
  expect([sockets.length, second.states]).toEqual([1, ['signed-in']])
  first.stop()
  first.stop()
  expect(await signOut(server)).toBe(true)
  await settle()
  expect([first.states, second.states]).toEqual([['signed-in'], ['signed-in', 'signed-out']])
  second.stop()
  expect(vi.getTimerCount()).toBe(0)
  calls = []
  visible('visible')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toEqual([])
})

it('closes the socket when the user leaves the page, and checks again when Back restores the page', async () => {
  const { states, stop } = await watch()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(sockets[0]?.close).toHaveBeenCalled()
  signedIn = false
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await settle()
  expect(states).toEqual(['signed-in', 'signed-out'])
  stop()
})

it('stops during a check', async () => {
  const states: string[] = []
  watchSession(state => states.push(state), server)()
  await settle()
  expect([states, sockets, vi.getTimerCount()]).toEqual([[], [], 0])
})

/** Signs in on a page whose host keeps it. */
const signIn = async (host: () => unknown = () => 'stay') => {
  const onSignedIn = vi.fn(host)
  const { getView, subscribe } = createSignIn({ server, onSignedIn })
  const stop = subscribe(() => {})
  const view = getView()
  if (view.at === 'login') view.signIn({ email: 'ada@example.com', password: 'correct horse' })
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  await settle()
  stop()
}

it('reports at once that a sign-in without a navigation began the session, and that signing out ended it', async () => {
  signedIn = false
  const { states, stop } = await watch()
  await signIn()
  expect([states, sockets.length]).toEqual([['signed-out', 'signed-in'], 1])
  await signOut(server)
  await settle()
  expect(states).toEqual(['signed-out', 'signed-in', 'signed-out'])
  stop()
})

it('reports the end of a session even if no check saw it begin', async () => {
  signedIn = false
  const { states, stop } = await watch()
  await signIn(() => {
    queueMicrotask(() => (signedIn = 'down'))
    return 'stay'
  })
  signedIn = true
  await signOut(server)
  await settle()
  expect(states).toEqual(['signed-out', 'signed-out'])
  stop()
})

it('checks again for a watcher that starts after the user has signed in', async () => {
  signedIn = false
  const { states, stop } = await watch()
  const later: string[] = []
  let stopLater = () => {}
  await signIn(() => {
    stopLater = watchSession(state => later.push(state), server)
    return 'stay'
  })
  expect([states, later]).toEqual([['signed-out', 'signed-in'], ['signed-in']])
  stopLater()
  stop()
})

it('discards the answer to a check that began before the sign-in', async () => {
  signedIn = false
  const { states, stop } = await watch()
  let answer = () => {}
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!address.endsWith('/check')) return fetch(address, init)
    vi.stubGlobal('fetch', fetch)
    return new Promise(resolve => {
      answer = () => resolve(Response.json({ signedIn: false }))
    })
  })
  window.dispatchEvent(new Event('online'))
  await signIn()
  answer()
  await settle()
  expect(states).toEqual(['signed-out', 'signed-in'])
  stop()
})

const unseen = [expect.stringMatching(/^Gatehouse: the sign-in succeeded, but the server at https:\/\/gate.example\/in sees no session; /)]

it('says once on the console that the server sees no session after a sign-in that kept the page', async () => {
  ;[signedIn, withheld] = [false, true]
  const { states, stop } = await watch()
  await signIn()
  await vi.advanceTimersByTimeAsync(120_000)
  await vi.waitFor(() => expect(written.lines()).toEqual(unseen))
  expect(states).toEqual(['signed-out', 'signed-out'])
  stop()
})

it('logs the missing session even if the page starts to watch after the sign-in', async () => {
  ;[signedIn, withheld] = [false, true]
  await signIn()
  const { states, stop } = await watch()
  await vi.waitFor(() => expect(written.lines()).toEqual(unseen))
  expect(states).toEqual(['signed-out'])
  stop()
})

it('logs nothing if the user signs out before the page starts to watch', async () => {
  signedIn = false
  await signIn()
  await signOut(server)
  const { states, stop } = await watch()
  await settle()
  expect([states, written.lines()]).toEqual([['signed-out'], []])
  stop()
})

/** Starts to watch with `onUnknown`. The test must call `stop`. */
const watchUnknown = async () => {
  const states: string[] = []
  const stop = watchSession(state => states.push(state), server, { onUnknown: () => states.push('unknown') })
  await settle()
  return { states, stop }
}

it('reports once that the state is unknown while the server cannot be reached, then the state as soon as the server answers', async () => {
  signedIn = 'down'
  const { states, stop } = await watchUnknown()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states).toEqual(['unknown'])
  const later = await watchUnknown()
  expect(later.states).toEqual(['unknown'])
  signedIn = true
  await vi.advanceTimersByTimeAsync(15_000)
  signedIn = 'down'
  await vi.advanceTimersByTimeAsync(60_000)
  expect([states, later.states]).toEqual([
    ['unknown', 'signed-in'],
    ['unknown', 'signed-in'],
  ])
  stop()
  later.stop()
  await vi.waitFor(() => expect(written.lines()).toEqual([expect.stringMatching(/^Gatehouse: cannot reach https:\/\/gate.example\/in; /)]))
})

it('reports that the state is unknown if the server refuses the first check', async () => {
  signedIn = 'busy'
  const { states, stop } = await watchUnknown()
  expect(states).toEqual(['unknown'])
  stop()
})

it('waits at most 10 seconds for an answer, and asks again', async () => {
  signedIn = 'silent'
  const { states, stop } = await watchUnknown()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(states).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(states).toEqual(['unknown'])
  signedIn = false
  await vi.advanceTimersByTimeAsync(15_000)
  expect(states).toEqual(['unknown', 'signed-out'])
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

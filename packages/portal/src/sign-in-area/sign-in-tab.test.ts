// @vitest-environment jsdom
import type { Reply } from '@gatehouse/sign-in'
import type { SessionCheck } from '@gatehouse/wire'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openOtherTabs } from './other-tabs.ts'
import { startSignInTab } from './sign-in-tab.ts'

let signedIn = false
let signingInAgain = false
const sessionCheck = vi.fn(async (): Promise<Reply<SessionCheck>> => ({ ok: true, value: { signedIn, signingInAgain } }))
const returnFragment = vi.fn(async (): Promise<Reply<void>> => ({ ok: true, value: undefined }))
const goOn = vi.fn()
const other = openOtherTabs()
let stop = () => {}

/** Opens the sign-in page at this address. */
const open = (address: string) => {
  window.history.replaceState(null, '', address)
  stop = startSignInTab({ api: { sessionCheck, returnFragment }, base: '/gate', goOn })
}

beforeEach(() => {
  ;[signedIn, signingInAgain] = [false, false]
  vi.clearAllMocks()
  // The cookie is for this path only.
  window.history.replaceState(null, '', '/gate/')
})
afterEach(() => {
  stop()
  localStorage.clear()
  sessionStorage.clear()
  // biome-ignore lint/suspicious/noDocumentCookie: the tested code does the same
  document.cookie = 'gatehouse-return=; path=/gate; max-age=0'
})

it('sends the fragment only if there is a return address', () => {
  open('/gate/?return=some-id#panel=3')
  expect(returnFragment.mock.calls).toEqual([[{ returnId: 'some-id', returnFragment: '#panel=3' }, expect.anything()]])
  stop()
  for (const address of ['/gate/?return=some-id', '/gate/#panel=3', '/gate/?return=a;%20b#x', '/gate/']) {
    open(address)
    stop()
  }
  expect(returnFragment).toHaveBeenCalledTimes(1)
})

it('stores its own target as the return address on every click', () => {
  open('/gate/?return=first')
  expect(document.cookie).toBe('gatehouse-return=first')
  // biome-ignore lint/suspicious/noDocumentCookie: another tab would do this
  document.cookie = 'gatehouse-return=second; path=/gate'
  document.body.click()
  expect(document.cookie).toBe('gatehouse-return=first')
})

it('leaves the sign-in page exactly once after the user signs in in another tab', async () => {
  open('/gate/')
  other.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(sessionCheck).toHaveBeenCalledTimes(1))
  expect(goOn).not.toHaveBeenCalled()
  signedIn = true
  other.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(1))
  other.send({ type: 'signed-in' })
  document.dispatchEvent(new Event('visibilitychange'))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(goOn).toHaveBeenCalledTimes(1)
  expect(sessionCheck).toHaveBeenCalledTimes(2)
})

it('stays on the page while a signed-in user signs in again, and continues when the user has done so in another tab', async () => {
  ;[signedIn, signingInAgain] = [true, true]
  open('/gate/')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(sessionCheck).toHaveBeenCalledTimes(1))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(goOn).not.toHaveBeenCalled()
  signingInAgain = false
  other.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(1))
})

it('checks the session when visible, and after another tab has left the sign-in page', async () => {
  signedIn = true
  open('/gate/')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(1))
  stop()
  open('/gate/')
  other.send({ type: 'left-sign-in' })
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(2), { timeout: 3000 })
})

it('checks the session if another tab signed in before this tab listened for messages', async () => {
  signedIn = true
  const told = (at: number) => localStorage.setItem('gatehouse-signed-in', String(at))
  told(performance.timeOrigin - 1)
  open('/gate/')
  stop()
  told(performance.timeOrigin + 1000)
  // This tab itself announced the sign-in.
  sessionStorage.setItem('gatehouse-signed-in', localStorage.getItem('gatehouse-signed-in') ?? '')
  open('/gate/')
  await new Promise(resolve => setTimeout(resolve, 600))
  expect(sessionCheck).not.toHaveBeenCalled()
  stop()
  sessionStorage.clear()
  open('/gate/')
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(1), { timeout: 3000 })
})

it('notifies other tabs when it leaves, but not when it follows them', async () => {
  const heard = vi.fn()
  const end = other.listen('left-sign-in', heard)
  open('/gate/')
  window.dispatchEvent(new Event('pagehide'))
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
  stop()
  signedIn = true
  open('/gate/')
  other.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(goOn).toHaveBeenCalledTimes(1))
  window.dispatchEvent(new Event('pagehide'))
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(heard).toHaveBeenCalledTimes(1)
  end()
})

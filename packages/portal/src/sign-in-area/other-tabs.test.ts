// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { openOtherTabs, whenSignedOutElsewhere } from './other-tabs.ts'

test('a tab sends messages to other tabs, but not to itself', async () => {
  const [one, other] = [openOtherTabs(), openOtherTabs()]
  const [heardByOne, heardByOther, heardSignIn] = [vi.fn(), vi.fn(), vi.fn()]
  one.listen('signed-out', heardByOne)
  const stop = other.listen('signed-out', heardByOther)
  other.listen('signed-in', heardSignIn)
  one.send({ type: 'signed-out' })
  await vi.waitFor(() => expect(heardByOther).toHaveBeenCalledTimes(1))
  expect([heardByOne.mock.calls.length, heardSignIn.mock.calls.length]).toEqual([0, 0])
  stop()
  one.send({ type: 'signed-out' })
  one.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(heardSignIn).toHaveBeenCalledTimes(1))
  expect(heardByOther).toHaveBeenCalledTimes(1)
  const stranger = new BroadcastChannel('gatehouse')
  for (const data of [null, 'signed-in', { type: 'x' }]) stranger.postMessage(data)
  one.send({ type: 'signed-in' })
  await vi.waitFor(() => expect(heardSignIn).toHaveBeenCalledTimes(2))
  stranger.close()
  one.close()
  other.close()
})

test('checks the session when the page becomes visible, and calls back only if the session has ended', async () => {
  const then = vi.fn()
  let visible: DocumentVisibilityState = 'hidden'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible)
  const isSignedIn = vi
    .fn<() => Promise<boolean | undefined>>()
    .mockResolvedValueOnce(true)
    .mockResolvedValueOnce(undefined)
    .mockResolvedValue(false)
  const stop = whenSignedOutElsewhere(isSignedIn, then)
  const change = () => document.dispatchEvent(new Event('visibilitychange'))
  change()
  expect(isSignedIn).not.toHaveBeenCalled()
  visible = 'visible'
  for (let times = 1; times <= 3; times++) {
    change()
    await vi.waitFor(() => expect(isSignedIn).toHaveBeenCalledTimes(times))
    await Promise.resolve()
    expect(then).toHaveBeenCalledTimes(times === 3 ? 1 : 0)
  }
  stop()
  change()
  expect(isSignedIn).toHaveBeenCalledTimes(3)
})

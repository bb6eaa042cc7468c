// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import { untilLoaded } from './load-texts.ts'

beforeEach(() => void vi.useFakeTimers())

it('loads texts again after a failure, at intervals that double, to at most 30 seconds', async () => {
  const load = vi.fn(async () => 'texts')
  for (let failures = 0; failures < 7; failures++) load.mockRejectedValueOnce(new TypeError('no network'))
  const loaded = untilLoaded(load)
  for (const [wait, calls] of [
    [0, 1],
    [1000, 2],
    [2000, 3],
    [4000, 4],
    [8000, 5],
    [16_000, 6],
    [30_000, 7],
  ] as const) {
    await vi.advanceTimersByTimeAsync(wait)
    expect(load).toHaveBeenCalledTimes(calls)
  }
  await vi.advanceTimersByTimeAsync(30_000)
  await expect(loaded).resolves.toBe('texts')
})

it('loads texts again as soon as the network is back', async () => {
  const load = vi.fn(async () => 'texts').mockRejectedValueOnce(new TypeError('no network'))
  const loaded = untilLoaded(load)
  await vi.advanceTimersByTimeAsync(0)
  window.dispatchEvent(new Event('online'))
  await expect(loaded).resolves.toBe('texts')
  expect(vi.getTimerCount()).toBe(0)
})

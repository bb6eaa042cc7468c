import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits, seconds } from '../limits.ts'
import { createDeliverySlots } from './delivery-slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Slots with mail limits. `fill` starts as many deliveries to one destination as can start now. */
const startSlots = () => {
  let changes = 0
  const { room, take } = createDeliverySlots(limits.mail, () => changes++)
  let recipients = 0
  const fill = (destination: string) => {
    const frees: (() => void)[] = []
    for (let free = take({ destination, recipient: `${recipients++}` }); free; free = take({ destination, recipient: `${recipients++}` }))
      frees.push(free)
    return frees
  }
  return { room, take, fill, changes: () => changes }
}

test('RX-18: one destination never takes all quick slots, and a slow delivery stops counting as quick', () => {
  const { room, fill, changes } = startSlots()
  expect([fill('slow.example').length, room(), fill('example.com').length, room()]).toEqual([4, 1, 1, 0])
  vi.advanceTimersByTime(seconds(3))
  expect(changes()).toBe(5)
  expect([fill('slow.example').length, room(), fill('example.com').length]).toEqual([4, 1, 1])
  vi.advanceTimersByTime(seconds(3))
  // One destination has at most ten slots, however slow its deliveries are.
  expect([fill('slow.example').length, fill('example.com').length]).toEqual([2, 3])
  vi.advanceTimersByTime(seconds(3))
  expect([fill('slow.example').length, fill('example.com').length]).toEqual([0, 4])
  vi.advanceTimersByTime(seconds(3))
  expect([fill('example.com').length, fill('third.example').length, room()]).toEqual([1, 4, 0])
  vi.advanceTimersByTime(seconds(3))
  expect([fill('third.example').length, room()]).toEqual([1, 0])
})

test('a recipient has at most one slot, and the next delivery can take it when it is free', () => {
  const { take, room, changes } = startSlots()
  const ada = { destination: 'example.com', recipient: 'ada@example.com' }
  const free = take(ada)
  expect([take(ada), room()]).toEqual([undefined, 4])
  free?.()
  expect([room(), changes()]).toEqual([5, 1])
  expect(take(ada)).toBeDefined()
})

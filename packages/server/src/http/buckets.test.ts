import { expect, test } from 'vitest'
import { createBuckets } from './buckets.ts'

const openBuckets = (room: number, most = 5) => {
  const clock = { now: 1000 }
  const buckets = createBuckets({ most, within: 100, room }, () => clock.now)
  const use = (key: string, times = 1) => {
    const taken: boolean[] = []
    for (let i = 0; i < times; i++) {
      const may = buckets.wait(key) === 0
      if (may) buckets.take(key)
      taken.push(may)
    }
    return taken.filter(Boolean).length
  }
  return { buckets, clock, use }
}

test('a key may use its limit once in each window, which begins with its first use', () => {
  const { buckets, clock, use } = openBuckets(10)
  expect(use('a', 7)).toBe(5)
  clock.now += 60
  expect([use('b', 5), buckets.wait('a'), buckets.wait('b')]).toEqual([5, 40, 100])
  clock.now += 39
  expect(use('a')).toBe(0)
  clock.now += 1
  expect([use('a', 7), use('b')]).toEqual([5, 0])
})

test('a call that needs more points than are left waits until the window ends', () => {
  const { buckets } = openBuckets(10)
  buckets.take('a', 3)
  expect([buckets.wait('a', 3), buckets.wait('a', 2)]).toEqual([100, 0])
})

test('TH-18: when all buckets are taken, a new key takes over the emptiest and oldest one with its count', () => {
  const { buckets, use } = openBuckets(3)
  use('full', 5)
  use('older', 2)
  use('newer', 2)
  // The new key continues with count 2, so it may use three more.
  expect(use('new', 9)).toBe(3)
  expect(['full', 'older', 'newer', 'new'].map(key => buckets.get(key)?.used)).toEqual([5, undefined, 2, 5])
  // The key that lost its bucket takes over the next one with its count.
  expect([use('older', 9), buckets.get('newer'), buckets.size()]).toEqual([3, undefined, 3])
  expect([use('full'), use('another')]).toEqual([0, 0])
})

test('TH-18: buckets whose window has ended make room first', () => {
  const { buckets, clock, use } = openBuckets(3)
  use('ends', 5)
  clock.now += 50
  use('b', 3)
  use('c', 3)
  clock.now += 50
  expect(use('new', 9)).toBe(5)
  expect(['ends', 'b', 'c', 'new'].map(key => buckets.get(key)?.used)).toEqual([undefined, 3, 3, 5])
  clock.now += 1000
  expect([use('d'), buckets.size()]).toEqual([1, 1])
})

test('TH-18: while no window ends, calls by other keys do not let a key use more than its limit', () => {
  const { use } = openBuckets(4)
  let attacker = 0
  for (let round = 0; round < 50; round++) {
    attacker += use('attacker', 3)
    for (let i = 0; i < 20; i++) use(`helper${i}`)
  }
  expect(attacker).toBeLessThanOrEqual(5)
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { createRates, TooMany } from '../../src/http/rate-limits.ts'
import { limits } from '../../src/limits.ts'

const collect = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** The number of networks after which the memory is measured for the first time: more than the limiters have room for. */
const some = 40_000

/** Counts one sign-in from each of many networks, and measures the memory of the rate limiters. */
export const floodFrom = async (networks: number) => {
  // The clock stands still, so the flood lasts less than a window even on a slow machine.
  const rates = createRates(() => 0)
  const { signIn, siteTimes } = limits.rates
  const before = collect()
  const isRefused = (address: string) =>
    rates.count('signIn', address).then(
      () => false,
      error => error instanceof TooMany,
    )
  const greedy = '2001:db8:1:2::1'
  const greedyIPv4 = '198.51.100.7'
  for (let i = 0; i < signIn.most; i++) await Promise.all([greedy, greedyIPv4].map(address => rates.count('signIn', address)))
  for (let i = 0; i < signIn.most * siteTimes; i++) await rates.count('signIn', `2001:db8:2:${i}::1`)
  const memory: number[] = []
  let answered = 0
  for (let i = 1; i <= networks; i++) {
    // Each address is in another /48 network.
    const address = `2a00:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`
    if (!(await isRefused(address))) answered++
    if (i % 20_000 === 0)
      expect([await isRefused(greedy), await isRefused(greedyIPv4), await isRefused('2001:db8:2:ffff::1')]).toEqual([true, true, true])
    if (i === some || i === networks) memory.push((collect() - before) / 2 ** 20)
  }
  const [afterSome = 0, afterAll = 0] = memory
  expect(afterSome).toBeLessThan(8)
  expect(afterAll).toBeLessThan(8)
  // IPv6 networks without a bucket shared the emptiest ones. IPv4 networks are served as before.
  expect(answered).toBeGreaterThan(networks * 0.4)
  for (let i = 0; i < 5000; i++) expect(await isRefused(`203.${i >> 8}.${i & 255}.1`)).toBe(false)
}

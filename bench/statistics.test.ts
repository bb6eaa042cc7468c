import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaUnderCurve, bootstrapMedianDifference, compare, median, quantile, sorted, welchT } from './statistics.ts'

/** The same numbers in every run (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

/** Durations around `middle` as a server has them: most near, some far on the slow side. */
const durations = (random: () => number, count: number, middle: number) =>
  Array.from({ length: count }, () => middle + random() + random() + random() - 1.5 + (random() < 0.05 ? 10 * random() : 0))

describe('the area under the curve', () => {
  const wins = (a: number, b: number): number => (b > a ? 1 : b === a ? 0.5 : 0)
  const share = (first: number[], second: number[]) =>
    first.flatMap(a => second.map(b => wins(a, b))).reduce((sum, won) => sum + won, 0) / (first.length * second.length)

  it('is the share of pairs that the second wins, ties counted half', () => {
    const samples = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(samples, samples, (first, second) => {
        expect(areaUnderCurve(first, second).at).toBeCloseTo(share(first, second), 10)
      }),
    )
  })

  it('has the interval of DeLong: worked by hand', () => {
    // Places of the first: 0, 1/3, 2/3; of the second: 1/3, 2/3, 1. Each has the variance 1/9.
    const { at, low, high } = areaUnderCurve([1, 3, 5], [2, 4, 6])
    expect(at).toBeCloseTo(2 / 3, 10)
    expect(high - at).toBeCloseTo(2.5758 * Math.sqrt(2 / 27), 6)
    expect(at - low).toBeCloseTo(high - at, 10)
  })

  it('leaves 0.5 out of its interval in about one of a hundred runs where there is no difference', () => {
    const random = randomFrom(1)
    let missed = 0
    for (let run = 0; run < 1000; run++) {
      const { low, high } = areaUnderCurve(durations(random, 100, 30), durations(random, 100, 30))
      if (low > 0.5 || high < 0.5) missed++
    }
    expect(missed).toBeGreaterThan(1)
    expect(missed).toBeLessThan(25)
  })
})

describe("Welch's t", () => {
  it('is what the textbook says', () => {
    // Means 3 and 6, variances 2.5 and 10, five of each.
    expect(welchT([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])).toBeCloseTo(3 / Math.sqrt(12.5 / 5), 10)
    expect(welchT([2, 4, 6, 8, 10], [1, 2, 3, 4, 5])).toBeCloseTo(-3 / Math.sqrt(12.5 / 5), 10)
  })

  it('is nought where all are the same', () => {
    expect(welchT([3, 3], [3, 3])).toBe(0)
  })
})

describe('medians', () => {
  it('lie between two neighbours where the number is even', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(quantile(sorted([30, 10, 20]), 0.25)).toBe(15)
  })

  it('have an interval that holds their true difference in about 95 of 100 runs', () => {
    const random = randomFrom(2)
    let held = 0
    for (let run = 0; run < 200; run++) {
      const { low, high } = bootstrapMedianDifference(durations(random, 60, 30), durations(random, 60, 30.5), random, 400)
      if (low <= 0.5 && high >= 0.5) held++
    }
    expect(held).toBeGreaterThan(180)
    expect(held).toBeLessThan(200)
  })

  it('of samples that are all the same have an interval without width', () => {
    expect(bootstrapMedianDifference([1, 1], [3, 3], randomFrom(3))).toEqual({ at: 2, low: 2, high: 2 })
  })
})

describe('the verdict', () => {
  const verdict = (count: number, shift: number, seed: number) => {
    const random = randomFrom(seed)
    return compare(durations(random, count, 30), durations(random, count, 30 + shift), random).verdict
  }

  it('finds nothing where there is nothing, given enough samples', () => {
    expect(verdict(20_000, 0, 4)).toBe('no usable difference')
  })

  it('does not take few samples for a proof', () => {
    expect(verdict(200, 0, 5)).toBe('inconclusive, more samples')
  })

  it('finds 2 ms, either way', () => {
    expect(verdict(2000, 2, 6)).toBe('a usable difference')
    expect(verdict(2000, -2, 7)).toBe('a usable difference')
  })

  it('finds a small difference that some slow answers hide from the mean', () => {
    const random = randomFrom(8)
    const slow = (samples: number[]) => samples.map((value, i) => (i % 20 === 0 ? value + 400 * random() : value))
    const [first, second] = [slow(durations(random, 2000, 30)), slow(durations(random, 2000, 30.3))]
    const { t, verdict } = compare(first, second, random)
    expect(Math.abs(t)).toBeLessThan(4.5)
    expect(verdict).toBe('a usable difference')
  })

  it('finds a difference of the medians that nothing else shows', () => {
    // Two heaps 4 ms apart, of which the second class has a little more in the slow one.
    const heaps = (slow: number) => Array.from({ length: 20_001 }, (_, i) => (i < slow ? 34 : 30) + (i % 1000) / 1000)
    const { auc, t, tOfFast, verdict } = compare(heaps(9_800), heaps(10_200), randomFrom(9))
    expect(auc.high).toBeLessThan(0.53)
    expect(Math.max(Math.abs(t), Math.abs(tOfFast))).toBeLessThan(4.5)
    expect(verdict).toBe('a usable difference')
  })
})

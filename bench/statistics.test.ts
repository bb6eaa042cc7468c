import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaUnderCurve, bootstrapMedianDifference, compare, median, quantile, sorted, welchT } from './statistics.ts'

/** A generator with the same numbers in every run (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

/** Skewed durations, as servers have them: most near `middle`, some much longer. */
const durations = (random: () => number, count: number, middle: number) =>
  Array.from({ length: count }, () => middle + random() + random() + random() - 1.5 + (random() < 0.05 ? 10 * random() : 0))

describe('the area under the curve', () => {
  const wins = (a: number, b: number): number => (b > a ? 1 : b === a ? 0.5 : 0)
  const share = (first: number[], second: number[]) =>
    first.flatMap(a => second.map(b => wins(a, b))).reduce((sum, won) => sum + won, 0) / (first.length * second.length)

  it('is the share of pairs in which the second sample is longer, with ties counted half', () => {
    const samples = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(samples, samples, (first, second) => {
        expect(areaUnderCurve(first, second).at).toBeCloseTo(share(first, second), 10)
      }),
    )
  })

  it('has the DeLong interval, computed by hand', () => {
    // Placement values of the first class: 0, 1/3, 2/3; of the second: 1/3, 2/3, 1. Both have the variance 1/9.
    const { at, low, high } = areaUnderCurve([1, 3, 5], [2, 4, 6])
    expect(at).toBeCloseTo(2 / 3, 10)
    expect(high - at).toBeCloseTo(2.5758 * Math.sqrt(2 / 27), 6)
    expect(at - low).toBeCloseTo(high - at, 10)
  })

  it('excludes 0.5 in about 1 of 100 runs without a difference', () => {
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
  it('matches the textbook formula', () => {
    // Means 3 and 6, variances 2.5 and 10, five samples each.
    expect(welchT([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])).toBeCloseTo(3 / Math.sqrt(12.5 / 5), 10)
    expect(welchT([2, 4, 6, 8, 10], [1, 2, 3, 4, 5])).toBeCloseTo(-3 / Math.sqrt(12.5 / 5), 10)
  })

  it('is 0 for equal samples', () => {
    expect(welchT([3, 3], [3, 3])).toBe(0)
  })
})

describe('medians', () => {
  it('average the two middle samples of an even number', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(quantile(sorted([30, 10, 20]), 0.25)).toBe(15)
  })

  it('have an interval that contains the true difference in about 95 of 100 runs', () => {
    const random = randomFrom(2)
    let held = 0
    for (let run = 0; run < 200; run++) {
      const { low, high } = bootstrapMedianDifference(durations(random, 60, 30), durations(random, 60, 30.5), random, 400)
      if (low <= 0.5 && high >= 0.5) held++
    }
    expect(held).toBeGreaterThan(180)
    expect(held).toBeLessThan(200)
  })

  it('have an interval of width 0 if all samples of each class are equal', () => {
    expect(bootstrapMedianDifference([1, 1], [3, 3], randomFrom(3))).toEqual({ at: 2, low: 2, high: 2 })
  })
})

describe('the verdict', () => {
  const verdict = (count: number, shift: number, seed: number) => {
    const random = randomFrom(seed)
    return compare(durations(random, count, 30), durations(random, count, 30 + shift), random).verdict
  }

  it('reports no difference between equal classes with enough samples', () => {
    expect(verdict(20_000, 0, 4)).toBe('no usable difference')
  })

  it('is inconclusive with few samples', () => {
    expect(verdict(200, 0, 5)).toBe('inconclusive, more samples')
  })

  it('detects 2 ms in both directions', () => {
    expect(verdict(2000, 2, 6)).toBe('a usable difference')
    expect(verdict(2000, -2, 7)).toBe('a usable difference')
  })

  it('detects a small difference that slow outliers hide from the mean', () => {
    const random = randomFrom(8)
    const slow = (samples: number[]) => samples.map((value, i) => (i % 20 === 0 ? value + 400 * random() : value))
    const [first, second] = [slow(durations(random, 2000, 30)), slow(durations(random, 2000, 30.3))]
    const { t, verdict } = compare(first, second, random)
    expect(Math.abs(t)).toBeLessThan(4.5)
    expect(verdict).toBe('a usable difference')
  })

  it('detects a difference that only the medians show', () => {
    // Two modes, 4 ms apart. The second class has slightly more samples in the slow mode.
    const heaps = (slow: number) => Array.from({ length: 20_001 }, (_, i) => (i < slow ? 34 : 30) + (i % 1000) / 1000)
    const { auc, t, tOfFast, verdict } = compare(heaps(9_800), heaps(10_200), randomFrom(9))
    expect(auc.high).toBeLessThan(0.53)
    expect(Math.max(Math.abs(t), Math.abs(tOfFast))).toBeLessThan(4.5)
    expect(verdict).toBe('a usable difference')
  })
})

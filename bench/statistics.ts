/** Durations in milliseconds, in any order. */
export type Samples = readonly number[]
export type Interval = { low: number; high: number }
/** Returns a random number from 0 to 1, excluding 1. */
export type Random = () => number

type Verdict = 'no usable difference' | 'a usable difference' | 'inconclusive, more samples'

export type Comparison = {
  /** Probability that a sample of the second class is longer than one of the first, with its 99 % interval. 0.5 means no difference. */
  auc: Interval & { at: number }
  /** Welch's t. Positive if the second class takes longer. `tOfFast` is that of the fast samples, which have less noise. */
  t: number
  tOfFast: number
  /** Median of the second class minus that of the first, in milliseconds, with its 95 % interval. */
  medianDifference: Interval & { at: number }
  verdict: Verdict
}

/** The limits for `no usable difference`. All three must hold. */
const gates = {
  auc: { low: 0.47, high: 0.53 },
  /** The threshold of dudect and TVLA. */
  t: 4.5,
  medianDifference: { low: -1, high: 1 },
} as const

const z99 = 2.5758

/** Compares two classes with at least two samples each. */
export const compare = (first: Samples, second: Samples, random: Random): Comparison => {
  const auc = areaUnderCurve(first, second)
  const t = welchT(first, second)
  const tOfFast = welchT(...fastOf(first, second))
  const medianDifference = bootstrapMedianDifference(first, second, random)
  return { auc, t, tOfFast, medianDifference, verdict: judge({ auc, t, tOfFast, medianDifference }) }
}

const judge = ({ auc, t, tOfFast, medianDifference }: Omit<Comparison, 'verdict'>): Verdict => {
  const isWithin = (interval: Interval, gate: Interval) => interval.low >= gate.low && interval.high <= gate.high
  const isOutside = (interval: Interval, gate: Interval) => interval.low > gate.high || interval.high < gate.low
  const isFar = Math.abs(t) >= gates.t || Math.abs(tOfFast) >= gates.t
  if (isFar || isOutside(auc, gates.auc) || isOutside(medianDifference, gates.medianDifference)) return 'a usable difference'
  return isWithin(auc, gates.auc) && isWithin(medianDifference, gates.medianDifference)
    ? 'no usable difference'
    : 'inconclusive, more samples'
}

/**
 * The Mann-Whitney statistic as an area under the curve, with its 99 % interval by DeLong. Handles ties.
 * @see Sun and Xu, Fast Implementation of DeLong's Algorithm, IEEE Signal Processing Letters 21 (2014)
 */
export const areaUnderCurve = (first: Samples, second: Samples): Interval & { at: number } => {
  const [m, n] = [first.length, second.length]
  const ranks = midranks([...first, ...second])
  const [ranksOfFirst, ranksOfSecond] = [midranks(first), midranks(second)]
  // The share of the other class that is faster than each sample.
  const placesOfFirst = first.map((_, i) => ((ranks[i] ?? 0) - (ranksOfFirst[i] ?? 0)) / n)
  const placesOfSecond = second.map((_, i) => ((ranks[m + i] ?? 0) - (ranksOfSecond[i] ?? 0)) / m)
  const at = mean(placesOfSecond)
  const half = z99 * Math.sqrt(variance(placesOfFirst) / m + variance(placesOfSecond) / n)
  return { at, low: at - half, high: at + half }
}

/** The rank of each sample, starting at 1. Equal samples share their mean rank. */
const midranks = (samples: Samples): number[] => {
  const order = samples.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value)
  const ranks = new Array<number>(samples.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && order[end]?.value === order[start]?.value) end++
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

export const welchT = (first: Samples, second: Samples): number => {
  const difference = mean(second) - mean(first)
  return difference === 0 ? 0 : difference / Math.sqrt(variance(first) / first.length + variance(second) / second.length)
}

/** The samples of each class that do not exceed the median of both classes together. */
const fastOf = (first: Samples, second: Samples): [number[], number[]] => {
  const limit = median([...first, ...second])
  const fast = (samples: Samples) => samples.filter(value => value <= limit)
  return [fast(first), fast(second)]
}

/** The difference of the medians with its 95 % bootstrap interval. */
export const bootstrapMedianDifference = (first: Samples, second: Samples, random: Random, rounds = 2000): Interval & { at: number } => {
  const [drawFirst, drawSecond] = [medianDrawer(first, random), medianDrawer(second, random)]
  const drawn = sorted(Array.from({ length: rounds }, () => drawSecond() - drawFirst()))
  return { at: median(second) - median(first), low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) }
}

/** Draws a bootstrap sample and returns its median. Counts how often each index was drawn, because sorting each sample is slow. */
const medianDrawer = (samples: Samples, random: Random) => {
  const ordered = sorted(samples)
  const times = new Uint32Array(ordered.length)
  return () => {
    times.fill(0)
    for (let i = 0; i < ordered.length; i++) {
      const drawn = Math.floor(random() * ordered.length)
      times[drawn] = (times[drawn] ?? 0) + 1
    }
    return (countedAt(ordered, times, Math.floor((ordered.length - 1) / 2)) + countedAt(ordered, times, Math.floor(ordered.length / 2))) / 2
  }
}

/** The value at a position of the sorted bootstrap sample; `times` says how often it contains each original sample. */
const countedAt = (ordered: Samples, times: Uint32Array, place: number): number => {
  let index = 0
  for (let passed = times[0] ?? 0; passed <= place; passed += times[index] ?? 0) index++
  return ordered[index] ?? Number.NaN
}

export const median = (samples: Samples): number => quantile(sorted(samples), 0.5)

/** Interpolates linearly between the two nearest ranks. */
export const quantile = (ordered: Samples, q: number): number => {
  const place = (ordered.length - 1) * q
  const [below, above] = [ordered[Math.floor(place)] ?? Number.NaN, ordered[Math.ceil(place)] ?? Number.NaN]
  return below + (above - below) * (place % 1)
}

export const sorted = (samples: Samples): number[] => [...samples].sort((a, b) => a - b)

const mean = (samples: Samples): number => samples.reduce((sum, value) => sum + value, 0) / samples.length

const variance = (samples: Samples): number => {
  const middle = mean(samples)
  return samples.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (samples.length - 1)
}

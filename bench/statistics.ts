/** Samples of a duration, in milliseconds, in any order. */
export type Samples = readonly number[]
export type Interval = { low: number; high: number }
/** A random number from 0 up to, not including, 1. */
export type Random = () => number

type Verdict = 'no usable difference' | 'a usable difference' | 'inconclusive, more samples'

export type Comparison = {
  /** The chance that one of the second takes longer than one of the first: 0.5 where nobody can tell. With its 99 % interval. */
  auc: Interval & { at: number }
  /** Welch's t of all samples, and of the fast ones, where noise hides less. Positive when the second takes longer. */
  t: number
  tOfFast: number
  /** The second's median less the first's, in milliseconds, with its 95 % interval. */
  medianDifference: Interval & { at: number }
  verdict: Verdict
}

/** What is called no usable difference; all three must hold. */
const gates = {
  auc: { low: 0.47, high: 0.53 },
  /** The threshold of dudect and TVLA. */
  t: 4.5,
  medianDifference: { low: -1, high: 1 },
} as const

const z99 = 2.5758

/** Compares two classes of samples, at least two of each. */
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
 * Mann-Whitney's statistic as an area, with the 99 % interval of DeLong's standard error, which takes ties as they are.
 * @see Sun and Xu, Fast Implementation of DeLong's Algorithm, IEEE Signal Processing Letters 21 (2014)
 */
export const areaUnderCurve = (first: Samples, second: Samples): Interval & { at: number } => {
  const [m, n] = [first.length, second.length]
  const ranks = midranks([...first, ...second])
  const [ranksOfFirst, ranksOfSecond] = [midranks(first), midranks(second)]
  // The share of the other class that each sample is slower than.
  const placesOfFirst = first.map((_, i) => ((ranks[i] ?? 0) - (ranksOfFirst[i] ?? 0)) / n)
  const placesOfSecond = second.map((_, i) => ((ranks[m + i] ?? 0) - (ranksOfSecond[i] ?? 0)) / m)
  const at = mean(placesOfSecond)
  const half = z99 * Math.sqrt(variance(placesOfFirst) / m + variance(placesOfSecond) / n)
  return { at, low: at - half, high: at + half }
}

/** The rank of each sample, from 1 on; equal ones share the mean of theirs. */
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

/** Of each class what is not slower than the median of both together. */
const fastOf = (first: Samples, second: Samples): [number[], number[]] => {
  const limit = median([...first, ...second])
  const fast = (samples: Samples) => samples.filter(value => value <= limit)
  return [fast(first), fast(second)]
}

/** The difference of the medians with the 95 % interval of what comes of drawing the samples again from themselves. */
export const bootstrapMedianDifference = (first: Samples, second: Samples, random: Random, rounds = 2000): Interval & { at: number } => {
  const [drawFirst, drawSecond] = [medianDrawer(first, random), medianDrawer(second, random)]
  const drawn = sorted(Array.from({ length: rounds }, () => drawSecond() - drawFirst()))
  return { at: median(second) - median(first), low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) }
}

/** Draws as many samples as there are, each from all, and gives their median: by counting, for sorting each time is slow. */
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

/** What stands at a place when each of the ordered samples is there so many times. */
const countedAt = (ordered: Samples, times: Uint32Array, place: number): number => {
  let index = 0
  for (let passed = times[0] ?? 0; passed <= place; passed += times[index] ?? 0) index++
  return ordered[index] ?? Number.NaN
}

export const median = (samples: Samples): number => quantile(sorted(samples), 0.5)

/** Between two neighbours it lies where the quantile lies between their ranks. */
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

/** Pseudorandom numbers from a seed (mulberry32). */
export const createChance = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    /** True with this probability. */
    is: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      const one = list[below(list.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
    /** Picks one item by weight. */
    weighted: <T extends { weight: number }>(list: readonly T[]): T => {
      let left = next() * list.reduce((sum, one) => sum + one.weight, 0)
      for (const one of list) {
        left -= one.weight
        if (left < 0) return one
      }
      throw new Error('nothing to pick from')
    },
  }
}
export type Chance = ReturnType<typeof createChance>

import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import { type Networks, networksOf } from '../visitors/network.ts'
import { type Bucket, createBuckets } from './buckets.ts'

/** Thrown when an address has called too often; nothing was looked at. */
export class TooMany extends Error {
  /** Milliseconds until the next call may succeed. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('too many requests')
    this.retryAfter = retryAfter
  }
}

/** Kinds of calls that have a limit each. */
export type Rate = keyof Pick<typeof limits.rates, 'signIn' | 'mail' | 'tokens' | 'polls'>

/**
 * Limits for each calling address, counted by this server alone and in memory: a flood must not become a flood of writes.
 * What must hold over all servers (lockout, codes, mails for each user) is counted in the database.
 * @param now milliseconds of a clock that nobody sets: a step of the machine's clock must not prolong a refusal
 */
export const createRates = (now: () => number = () => performance.now()) => {
  const { signIn, mail, tokens, polls, returns, allReturns, accounts } = limits.rates
  const limiter = (limit: { most: number; within: number }) => createLimiter(limit, now)
  const byRate = { signIn: limiter(signIn), mail: limiter(mail), tokens: limiter(tokens), polls: limiter(polls) }
  const returnsOfOne = limiter(returns)
  const returnsOfAll = createBuckets({ ...allReturns, room: 1 }, now)
  const differentAccounts = limiter(accounts)

  /** Names as numbers that nobody outside can compute: a made-up name must not pass for one that was tried before. */
  const secret = randomBytes(32)
  const numberOf = (username: string) => createHmac('sha256', secret).update(username.trim().toLowerCase()).digest().readUIntBE(0, 6)
  const namesOf = new WeakMap<Bucket, number[]>()

  return {
    /**
     * Counts a call of an address.
     * @param points how much it counts
     * @throws TooMany
     */
    count: async (rate: Rate, address: string | undefined, points = 1): Promise<void> => {
      byRate[rate].take(networksOf(address), points)
    },
    /** Counts a return address that is to be kept; a flood from many networks has a limit as well. @returns whether it may be */
    mayKeepReturn: async (address: string | undefined): Promise<boolean> => {
      const from = networksOf(address)
      if (returnsOfOne.wait(from) > 0 || returnsOfAll.wait('all') > 0) return false
      returnsOfOne.take(from)
      returnsOfAll.take('all')
      return true
    },
    /** Counts a try with a name: how many different ones an address may try is limited as well. @throws TooMany */
    countAccount: async (address: string | undefined, username: string): Promise<void> => {
      const from = networksOf(address)
      const name = numberOf(username)
      const known = differentAccounts.get(from)
      if (known && namesOf.get(known)?.includes(name)) return
      const bucket = differentAccounts.take(from)
      const names = namesOf.get(bucket)
      if (names) names.push(name)
      else namesOf.set(bucket, [name])
    },
  }
}
export type Rates = ReturnType<typeof createRates>

/** One limit for every network, and a greater one for every IPv6 /48. IPv4 and IPv6 have tables of their own, so neither can fill the other's. */
const createLimiter = ({ most, within }: { most: number; within: number }, now: () => number) => {
  const { ipv4, ipv6, sites: sitesRoom } = limits.rates.buckets
  const networks = { 4: createBuckets({ most, within, room: ipv4 }, now), 6: createBuckets({ most, within, room: ipv6 }, now) }
  const sites = createBuckets({ most: most * limits.rates.siteTimes, within, room: sitesRoom }, now)

  /** Milliseconds until there is room in the network and in its site. */
  const wait = ({ family, network, site }: Networks, points = 1): number =>
    Math.max(networks[family].wait(network, points), site === undefined ? 0 : sites.wait(site, points))

  return {
    wait,
    /** Counts a call, if neither the network nor its site is over its limit: a refused call counts on neither. @throws TooMany */
    take: (from: Networks, points = 1): Bucket => {
      const retryAfter = wait(from, points)
      if (retryAfter > 0) throw new TooMany(retryAfter)
      if (from.site !== undefined) sites.take(from.site, points)
      return networks[from.family].take(from.network, points)
    },
    get: ({ family, network }: Networks): Bucket | undefined => networks[family].get(network),
  }
}

import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import { type Networks, networksOf } from '../visitors/network.ts'
import { type Bucket, createBuckets } from './buckets.ts'

/** Thrown when a network has made too many calls, before the call is processed. */
export class TooMany extends Error {
  /** Milliseconds until the next call may succeed. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('too many requests')
    this.retryAfter = retryAfter
  }
}

/** Kinds of calls, each with its own limit. */
export type Rate = keyof Pick<typeof limits.rates, 'signIn' | 'mail' | 'tokens' | 'polls'>

/**
 * Limits for each network, counted in this server's memory, so that a flood of requests causes no flood of writes. Limits across servers
 * (lockout, codes, mails per user) are counted in the database.
 * @param now milliseconds of a monotonic clock: setting the machine's clock back must not prolong a refusal
 */
export const createRates = (now: () => number = () => performance.now()) => {
  const { signIn, mail, tokens, polls, returns, allReturns, accounts, passes } = limits.rates
  const limiter = (limit: { most: number; within: number }) => createLimiter(limit, now)
  const byRate = { signIn: limiter(signIn), mail: limiter(mail), tokens: limiter(tokens), polls: limiter(polls) }
  const returnsOfOne = limiter(returns)
  const returnsOfAll = createBuckets({ ...allReturns, room: 1 }, now)
  const differentAccounts = limiter(accounts)
  const wrongPasses = limiter(passes)

  /**
   * The HMAC key for the numbers that stand for usernames. Attack: an attacker finds usernames with the same number, so that only one of
   * them counts. A key object, because Node would make one from the bytes for each number, which takes ten times as long.
   */
  const secret = createSecretKey(randomBytes(32))
  const numberOf = (username: string) => createHmac('sha256', secret).update(username.trim().toLowerCase()).digest().readUIntBE(0, 6)
  const namesOf = new WeakMap<Bucket, number[]>()

  return {
    /**
     * Counts a call by its network.
     * @param points how much it counts
     * @throws TooMany
     */
    count: async (rate: Rate, address: string | undefined, points = 1): Promise<void> => {
      byRate[rate].take(networksOf(address), points)
    },
    /**
     * Counts a return address before it is stored. A second limit covers floods from many networks.
     * @returns whether it may be stored
     */
    mayKeepReturn: async (address: string | undefined): Promise<boolean> => {
      const from = networksOf(address)
      if (returnsOfOne.wait(from) > 0 || returnsOfAll.wait('all') > 0) return false
      returnsOfOne.take(from)
      returnsOfAll.take('all')
      return true
    },
    /** @throws TooMany if the network has shown too many wrong passes */
    mayShowPass: (address: string | undefined): void => {
      const retryAfter = wrongPasses.wait(networksOf(address))
      if (retryAfter > 0) throw new TooMany(retryAfter)
    },
    countWrongPass: (address: string | undefined): void => void wrongPasses.take(networksOf(address)),
    /**
     * Counts the different usernames that a network tries.
     * @throws TooMany
     */
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

/** A limit for every network, and a higher one for every IPv6 /48. IPv4 and IPv6 have separate tables, so neither can fill the other's. */
const createLimiter = ({ most, within }: { most: number; within: number }, now: () => number) => {
  const { ipv4, ipv6, sites: sitesRoom } = limits.rates.buckets
  const networks = { 4: createBuckets({ most, within, room: ipv4 }, now), 6: createBuckets({ most, within, room: ipv6 }, now) }
  const sites = createBuckets({ most: most * limits.rates.siteTimes, within, room: sitesRoom }, now)

  /** Milliseconds until both the network and its site accept a call. */
  const wait = ({ family, network, site }: Networks, points = 1): number =>
    Math.max(networks[family].wait(network, points), site === undefined ? 0 : sites.wait(site, points))

  return {
    wait,
    /**
     * Counts a call if neither the network nor its site is over its limit. Refused calls are not counted.
     * @throws TooMany
     */
    take: (from: Networks, points = 1): Bucket => {
      const retryAfter = wait(from, points)
      if (retryAfter > 0) throw new TooMany(retryAfter)
      if (from.site !== undefined) sites.take(from.site, points)
      return networks[from.family].take(from.network, points)
    },
    get: ({ family, network }: Networks): Bucket | undefined => networks[family].get(network),
  }
}

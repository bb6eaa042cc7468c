import { isIPv6 } from 'node:net'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limits } from '../limits.ts'

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
 */
export const createRates = () => {
  const { signIn, mail, tokens, polls, returns, allReturns, accounts } = limits.rates
  const limiter = ({ most, within }: { most: number; within: number }) => new RateLimiterMemory({ points: most, duration: within / 1000 })
  const byRate = { signIn: limiter(signIn), mail: limiter(mail), tokens: limiter(tokens), polls: limiter(polls) }
  const [returnsOfOne, returnsOfAll] = [limiter(returns), limiter(allReturns)]
  const differentAccounts = limiter(accounts)
  const seenAccounts = limiter({ most: 1, within: accounts.within })

  const take = async (limiter: RateLimiterMemory, key: string, points = 1): Promise<void> => {
    try {
      await limiter.consume(key, points)
    } catch (refused) {
      // The library rejects with its figures, not with an error.
      if (refused instanceof Error) throw refused
      throw new TooMany(Object(refused).msBeforeNext)
    }
  }

  return {
    /**
     * Counts a call of an address.
     * @param points how much it counts
     * @throws TooMany
     */
    count: (rate: Rate, address: string | undefined, points = 1): Promise<void> => take(byRate[rate], networkOf(address), points),
    /** Counts a return address that is to be kept; a flood from many networks has a limit as well. @returns whether it may be */
    mayKeepReturn: async (address: string | undefined): Promise<boolean> => {
      try {
        await take(returnsOfOne, networkOf(address))
        await take(returnsOfAll, 'all')
        return true
      } catch (refused) {
        if (refused instanceof TooMany) return false
        throw refused
      }
    },
    /** Counts a try with a name: how many different ones an address may try is limited as well. @throws TooMany */
    countAccount: async (address: string | undefined, username: string): Promise<void> => {
      const from = networkOf(address)
      const pair = `${from} ${username.trim().toLowerCase()}`
      if ((await seenAccounts.get(pair)) !== null) return
      await take(differentAccounts, from)
      // Unlike `consume` it refuses nobody: the same name may be tried twice at once.
      await seenAccounts.penalty(pair)
    },
  }
}
export type Rates = ReturnType<typeof createRates>

/** Whom a limit is for: an IPv4 address, or the /64 network of an IPv6 one. Callers without an address share one. */
export const networkOf = (address: string | undefined): string => {
  if (!address) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])]
  return whole
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

import type { Check, Run } from '../run.ts'
import { must, notChecked } from '../verdict.ts'

/**
 * The smallest difference between medians, in milliseconds, that an attacker can exploit over a
 * network.
 */
const usable = 1.5
/**
 * By how many standard deviations the rank sum must differ from its expected value. Chance alone
 * reaches this once in 16,000 pairs.
 */
const certain = 4

const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

/**
 * How far apart two samples are, by the Mann-Whitney test with its normal approximation. A few slow responses do not change it, unlike a
 * comparison of means.
 */
const difference = (one: readonly number[], other: readonly number[]) => {
  const ranked = [...one.map(value => ({ value, isOne: true })), ...other.map(value => ({ value, isOne: false }))].sort(
    (a, b) => a.value - b.value,
  )
  const ranks = ranked.reduce((sum, { isOne }, i) => sum + (isOne ? i + 1 : 0), 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const deviations = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  const milliseconds = Math.abs(median(one) - median(other))
  return { milliseconds, deviations, isUsable: deviations > certain && milliseconds > usable }
}

/** The accounts for which a wrong password must take as long as for an unknown account. */
const classes = ['password', 'totp', 'forcedReset', 'lockout'] as const

const measure = async (run: Run, samples: number): Promise<Map<string, number[]>> => {
  const users = new Map<string, { username: string; password: string }>([['unknown', run.unknown]])
  for (const name of classes) {
    const account = run.target.accounts[name]
    if (account) users.set(name, account)
  }
  const times = new Map([...users.keys()].map(name => [name, [] as number[]]))
  for (let i = 0; i < samples; i++) {
    // In random order, so that no class always follows the same class.
    const order = [...users].map(user => ({ user, at: Math.random() })).sort((a, b) => a.at - b.at)
    for (const {
      user: [name, account],
    } of order) {
      const { took, status } = await run.signIn(name === 'unknown' ? account : run.wrong(account))
      must(status === 200, `a sign-in got ${status}`)
      times.get(name)?.push(took)
    }
  }
  return times
}

/** Response times of failed sign-ins, as an attacker measures them. Locks the accounts in `classes`. */
export const timingChecks = (samples: number): Check[] =>
  classes.map(name => ({
    id: `timing/${name}`,
    section: 'wire.md: Outcomes that must look alike',
    rule: `A failed sign-in takes as long for the account \`${name}\` as for an unknown one`,
    check: async run => {
      if (samples === 0) notChecked('off; --timing turns it on')
      run.account(name)
      const times = await run.once('times', () => measure(run, samples))
      const { milliseconds, deviations, isUsable } = difference(times.get('unknown') ?? [], times.get(name) ?? [])
      must(!isUsable, `the medians differ by ${milliseconds.toFixed(1)} ms (${deviations.toFixed(1)} standard deviations)`)
    },
  }))

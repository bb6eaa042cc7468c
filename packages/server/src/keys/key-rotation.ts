import { limits } from '../limits.ts'
import type { Keyring, Resealed, SealedCount } from './keyring.ts'

/** One kind of encrypted values: how many each key encrypts, and how to encrypt those after `after` with the current key. */
export type Sealed = { count: () => Promise<SealedCount[]>; reseal: (after: string, most: number) => Promise<Resealed> }

/** How much is sealed with the current master key, with one of those after it, and with one that is not here. */
export type Tally = { current: number; old: number; missing: number }

/** What one walk through everything sealed has done; `unreadable` are user ids whose authenticator's secret nobody can read. */
export type Walk = { secrets: number; mails: number; keys: number; unreadable: string[] }

/** Seals everything anew that is not under the current master key, while servers work on the same database. */
export const createKeyRotation = (deps: {
  keyring: Keyring
  sealed: { secrets: Sealed; mails: Sealed; keys: Sealed }
  /** Records that everything is encrypted with the current key. */
  recordEnd: () => Promise<void>
  /** Resolves after so many milliseconds. */
  wait: (ms: number) => Promise<unknown>
}) => {
  const { keyring, sealed, recordEnd, wait } = deps

  const tally = async (): Promise<Tally> => {
    const sum: Tally = { current: 0, old: 0, missing: 0 }
    for (const { prefix, count } of [...(await sealed.secrets.count()), ...(await sealed.keys.count()), ...(await sealed.mails.count())])
      sum[prefix === keyring.prefix() ? 'current' : keyring.knows(prefix) ? 'old' : 'missing'] += Number(count)
    return sum
  }

  const through = async ({ reseal }: Sealed) => {
    const all = { sealed: 0, unreadable: [] as string[] }
    for (let after = ''; ; ) {
      const { last, sealed, unreadable } = await reseal(after, limits.masterKey.batch)
      all.sealed += sealed
      all.unreadable.push(...unreadable)
      if (last === undefined) return all
      after = last
      await wait(limits.masterKey.pause)
    }
  }

  const walk = async (): Promise<Walk> => {
    const secrets = await through(sealed.secrets)
    const mails = await through(sealed.mails)
    const keys = await through(sealed.keys)
    return { secrets: secrets.sealed, mails: mails.sealed, keys: keys.sealed, unreadable: secrets.unreadable }
  }

  /**
   * Walks until a walk finds nothing to do. Servers take a new key up by themselves within a few seconds; what they
   * sealed with the old one until then is the next walk's.
   * @returns what all walks have done, and whether it came to an end
   */
  const run = async (): Promise<Walk & { finished: boolean }> => {
    const sum = { secrets: 0, mails: 0, keys: 0 }
    for (let walks = 0; walks < limits.masterKey.walks; walks++) {
      const { secrets, mails, keys, unreadable } = await walk()
      sum.secrets += secrets
      sum.mails += mails
      sum.keys += keys
      if (walks > 0 && secrets + mails + keys === 0) {
        await recordEnd()
        return { ...sum, unreadable, finished: true }
      }
      await wait(limits.masterKey.settle)
    }
    return { ...sum, unreadable: [], finished: false }
  }

  return { tally, run }
}

import { limits } from '../limits.ts'
import type { Keyring, Resealed, SealedCount } from './keyring.ts'

/**
 * A kind of encrypted value. `count` counts the values of each key. `reseal` encrypts at most
 * `most` values after `after` with the current key.
 */
export type Sealed = { count: () => Promise<SealedCount[]>; reseal: (after: string, most: number) => Promise<Resealed> }

/** How many values are encrypted with the current master key, with an older key of the ring, and with a missing key. */
export type Tally = { current: number; old: number; missing: number }

/** The result of one walk through all encrypted values. `unreadable` lists the users whose authenticator secret no key decrypts. */
export type Walk = { secrets: number; mails: number; keys: number; unreadable: string[] }

/** Encrypts all values with the current master key, while servers keep using the database. */
export const createKeyRotation = (deps: {
  keyring: Keyring
  sealed: { secrets: Sealed; mails: Sealed; pushKeys: Sealed; signingKeys: Sealed }
  recordEnd: () => Promise<void>
  wait: (ms: number) => Promise<unknown>
}) => {
  const { keyring, sealed, recordEnd, wait } = deps

  const tally = async (): Promise<Tally> => {
    const sum: Tally = { current: 0, old: 0, missing: 0 }
    for (const one of Object.values(sealed))
      for (const { prefix, count } of await one.count())
        sum[prefix === keyring.prefix() ? 'current' : keyring.knows(prefix) ? 'old' : 'missing'] += Number(count)
    return sum
  }

  const resealAll = async ({ reseal }: Sealed) => {
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
    const secrets = await resealAll(sealed.secrets)
    const mails = await resealAll(sealed.mails)
    const keys = (await resealAll(sealed.pushKeys)).sealed + (await resealAll(sealed.signingKeys)).sealed
    return { secrets: secrets.sealed, mails: mails.sealed, keys, unreadable: secrets.unreadable }
  }

  /**
   * Walks through all values at least twice, until a walk finds nothing to encrypt. Servers load a new key within a few seconds. Until then
   * they encrypt with the old key, and a later walk finds those values.
   * @returns the sums of all walks, whether the last walk found nothing, and if so, the users whose authenticator secret is unreadable
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

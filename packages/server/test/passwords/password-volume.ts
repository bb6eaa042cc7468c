import * as common from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { judge } from '../../src/passwords/password-judge.ts'
import { commonPasswords } from './common-passwords.ts'

const isRefused = (password: string) =>
  judge({ password, ownWords: ['ada@example.com', 'gatehouse'], breachedList: undefined }) !== undefined

/** Reproducible pseudorandom numbers below `most` (xorshift). */
const seeded = (seed: number) => {
  let state = seed
  return (most: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % most
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const letters = `${lower}${lower.toUpperCase()}0123456789`
const signs = `${letters}!@#$%^&*()-_=+[]{};:,.<>?/`
/** EFF's large word list, which the strength estimate also knows: the hardest case for a passphrase. */
const words = common.dictionary['diceware-common'].map(String)

/** Measures PW-05. `share` is the part of the passwords to try: 1 in the long suite. */
export const measurePasswords = (share: number) => {
  const timeout = seconds(20 + 400 * share)

  test.each([15, 8])('PW-05: refuses every common password of %i characters or more', { timeout }, least => {
    const all = commonPasswords(least)
    expect(all.length).toBeGreaterThanOrEqual(3000)
    expect(all.filter((_, n) => n % Math.round(1 / share) === 0 && !isRefused(all[n] ?? ''))).toEqual([])
  })

  test('PW-05: refuses the first 3,000 entries of the list of common passwords that have 8 characters or more', { timeout }, () => {
    const first = common.dictionary['passwords-common']
      .map(String)
      .filter(password => password.length >= 8)
      .slice(0, 3000)
    expect(first).toHaveLength(3000)
    // In capitals, as users write them to satisfy rules that require capital letters.
    expect(first.filter((password, n) => n % Math.round(1 / share) === 0 && !isRefused(password.toUpperCase()))).toEqual([])
  })

  test('PW-05: refuses at most 0.1% of random passphrases of five words', { timeout }, () => {
    const random = seeded(20_261_122)
    const separators = [' ', '-', '']
    const passphrases = Array.from({ length: 10_000 * share }, (_, n) =>
      Array.from({ length: 5 }, () => words[random(words.length)]).join(separators[n % 3]),
    )
    expect(passphrases.filter(isRefused).length).toBeLessThanOrEqual(passphrases.length / 1000)
  })

  test.each([
    [15, 'letters', lower],
    [15, 'letters and digits', letters],
    [8, 'letters and digits', letters],
    [8, 'letters, digits and signs', signs],
  ])('PW-05: refuses at most one in 1,000 passwords of %i %s that a manager creates', { timeout }, (length, _, alphabet) => {
    const random = seeded(length * alphabet.length)
    const made = Array.from({ length: 5000 * share }, () => Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''))
    expect(made.filter(isRefused).length).toBeLessThanOrEqual(made.length / 1000)
  })
}

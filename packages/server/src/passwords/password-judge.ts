// Runs on the thread of password-rules.ts and judges new passwords one at a time. Its dictionaries take about 70 MB.
import { type MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import { limits } from '../limits.ts'
import { isBreached } from './breached-passwords.ts'

/** Why a password is refused: it is on a list, or a part of it is easy to guess. */
export type Verdict = 'common' | 'breached' | 'own-words' | 'repeated' | 'keyboard' | 'sequence' | 'date' | 'guessable'

export type Candidate = {
  /** Normalized to NFC. */
  password: string
  /** Words that an attacker tries first against this user. */
  ownWords: readonly string[]
  /** Path of the operator's list of breached passwords. */
  breachedList: string | undefined
}

const { guesses, guessesShort, lengthMost, substitutionsMost } = limits.password.estimate
// 89,000 surnames would double memory and time, and catch 1% more of the common passwords.
const { 'lastnames-en': _surnames, ...englishWords } = english.dictionary
const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...englishWords },
  graphs: common.adjacencyGraphs,
  maxLength: lengthMost,
  l33tMaxSubstitutions: substitutionsMost,
})
const commonPasswords = new Set(common.dictionary['passwords-common'].map(word => String(word).toLowerCase()))

/** @returns why the password is refused, or `undefined` */
export const judge = ({ password, ownWords, breachedList }: Candidate): Verdict | undefined => {
  if (commonPasswords.has(password.toLowerCase())) return 'common'
  if (breachedList !== undefined && isOnList(breachedList, password)) return 'breached'
  const estimate = estimator.check(withoutSeparators(password), [...ownWords])
  const isShort = [...password].length < limits.password.minCodePoints
  if (estimate.guesses >= (isShort ? guessesShort : guesses)) return undefined
  const [longest] = estimate.sequence.toSorted((a, b) => b.token.length - a.token.length)
  return longest ? reasonOf(longest) : 'guessable'
}

/**
 * Removes the separators between repetitions of one word. They make the word no harder to guess, but for most words they would
 * raise the library's estimate at least ten-thousandfold.
 */
const withoutSeparators = (password: string): string => {
  const [first = '', ...more] = password.split(/[\s._-]+/)
  return more.every(word => word.toLowerCase() === first.toLowerCase()) ? password.replace(/[\s._-]+/g, '') : password
}

const isOnList = (path: string, password: string): boolean => {
  try {
    return isBreached(path, password)
  } catch (error) {
    throw new Error(`GATEHOUSE_BREACHED_PASSWORDS: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const reasonOf = ({ pattern, ...match }: MatchExtended): Verdict => {
  switch (pattern) {
    case 'dictionary': {
      const dictionary = 'dictionaryName' in match ? String(match.dictionaryName) : ''
      if (dictionary === 'userInputs') return 'own-words'
      return dictionary.startsWith('passwords') ? 'common' : 'guessable'
    }
    case 'repeat':
      return 'repeated'
    case 'spatial':
      return 'keyboard'
    case 'sequence':
    case 'wordSequence':
      return 'sequence'
    case 'date':
    case 'regex':
      return 'date'
    default:
      return 'guessable'
  }
}

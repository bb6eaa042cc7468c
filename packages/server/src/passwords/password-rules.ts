import { maxPasswordBytes, type PasswordProblem as PasswordCode, utf8ByteLength } from '@gatehouse/wire'
import type { Piscina } from 'piscina'
import { limits } from '../limits.ts'
import { looksLikeHash } from './old-hash.ts'
import type * as worker from './password-judge.ts'
import type { Candidate, Verdict } from './password-judge.ts'
import { Busy } from './passwords.ts'

/** `says` completes an English sentence that starts with 'The password'. Translated pages use `code`. */
type RefusedPassword = { says: string; code?: PasswordCode }

/**
 * Returns what is wrong with a new password, or `undefined`.
 * @throws Busy when too many passwords wait
 * @throws Error when the configured list of breached passwords can't be searched. The password is then not set, and the log says why
 */
export type PasswordProblem = (password: string, userIdent: string) => Promise<RefusedPassword | undefined>

export type PasswordRules = {
  /** The minimum length of a password, in code points. */
  minPasswordLength: number
  /** The product's name in mails and authenticator apps. */
  productName: string
  /** Path of the operator's list of breached passwords. */
  breachedPasswords: string | undefined
}

/**
 * Checks new passwords on every path that sets one: length, lists of common passwords, and an estimate of the guesses that an attacker
 * needs. No composition rules (NIST SP 800-63B-4 §3.1.1.2).
 */
export const createPasswordProblem =
  ({ minPasswordLength, productName, breachedPasswords }: PasswordRules): PasswordProblem =>
  async (password, userIdent) => {
    const text = password.normalize('NFC')
    const length = [...text].length
    if (length < minPasswordLength) return { says: `needs at least ${minPasswordLength} characters. This one has ${length}` }
    if (utf8ByteLength(text) > maxPasswordBytes) return { says: `must have at most ${maxPasswordBytes} bytes`, code: 'PasswordTooLong' }
    if (!text.isWellFormed() || text.includes('\0')) return { says: 'contains characters that can’t be typed', code: 'PasswordUntypable' }
    if (looksLikeHash(text)) return { says: 'is the hash of a password. Enter the password itself', code: 'PasswordIsHash' }
    const ownWords = contextWords(userIdent, productName)
    const folded = text.toLowerCase()
    if (ownWords.some(word => isRepeated(folded, word))) return refusals['own-words']
    const verdict = await onThread({ password: text, ownWords, breachedList: breachedPasswords })
    return verdict && refusals[verdict]
  }

const refusals: Record<Verdict, RefusedPassword> = {
  common: { says: 'is too common', code: 'PasswordCommon' },
  breached: { says: 'is too common: it is in a list of passwords from data breaches', code: 'PasswordBreached' },
  'own-words': { says: 'is too easy to guess from the email address or the name of the product', code: 'PasswordOwnWords' },
  repeated: { says: 'is too easy to guess: it repeats itself', code: 'PasswordRepeated' },
  keyboard: { says: 'is too easy to guess: it follows the keys of a keyboard', code: 'PasswordKeyboard' },
  sequence: { says: 'is too easy to guess: it follows a well-known sequence', code: 'PasswordSequence' },
  date: { says: 'is too easy to guess: it is mostly a date', code: 'PasswordDate' },
  guessable: { says: 'is too easy to guess', code: 'PasswordGuessable' },
}

const contextWords = (userIdent: string, productName: string): string[] => {
  const [local = '', domain = ''] = userIdent.toLowerCase().split('@')
  const product = productName.toLowerCase()
  const words = [userIdent.toLowerCase(), local, domain, domain.split('.')[0] ?? '', product, 'gatehouse']
  const parts = words.flatMap(word => [word, onlyLetters(word), ...word.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts)].filter(word => word.length > 2)
}

const onlyLetters = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, '')

/** Whether the text consists of the word, once or repeated. */
const isRepeated = (text: string, word: string) => text.replaceAll(word, '') === ''

let pool: Promise<Piscina> | undefined

/**
 * Judges on a thread that starts on demand and ends when idle: an estimate takes up to 100 ms, and the dictionaries take memory that an
 * idle server does not need.
 */
const onThread = async (candidate: Candidate): Promise<Verdict | undefined> => {
  pool ??= openPool().catch(fault => {
    pool = undefined
    throw fault
  })
  const open = await pool
  // A user who may set a password can send any number of requests.
  if (open.queueSize >= limits.password.estimate.queueMost) throw new Busy('the queue for judging passwords is full')
  const verdict: Verdict | undefined = await open.run(candidate)
  return verdict
}

const openPool = async () => {
  const { Piscina } = await import('piscina')
  const opened = new Piscina({
    filename: new URL('./password-judge.ts', import.meta.url).href,
    name: 'judge' satisfies keyof typeof worker,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: limits.password.threadIdle,
    atomics: 'disabled',
    execArgv: [],
    recordTiming: false,
    trackUnmanagedFds: false,
  })
  // The thread died before it was ready. Waiting passwords fail, and the next one starts another thread.
  opened.on('error', () => {
    pool = undefined
    void opened.destroy()
  })
  return opened
}

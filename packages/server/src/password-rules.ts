import { maxPasswordBytes, utf8ByteLength } from '@gatehouse/wire'

/**
 * What is wrong with a new password, as the end of a sentence that begins with 'The password'; `undefined` when nothing
 * is. Length and a blocklist, no rules of composition (NIST SP 800-63B-4 §3.1.1.2).
 * @param fewest code points it must have
 */
export const passwordProblem = async (password: string, userIdent: string, fewest: number): Promise<string | undefined> => {
  const text = password.normalize('NFC')
  const length = [...text].length
  if (length < fewest) return `must have at least ${fewest} characters; this one has ${length}`
  if (utf8ByteLength(text) > maxPasswordBytes) return `must have at most ${maxPasswordBytes} bytes`
  if (!text.isWellFormed() || text.includes('\0')) return 'holds characters that no keyboard makes'
  const folded = text.toLowerCase()
  if (await isCommon(folded)) return 'is too common'
  if (contextWords(userIdent).some(word => isRepeated(folded, word))) return 'is too easy to guess from the name'
  return undefined
}

// Loaded when a password is set, which is seldom: the list is long, and a running server has no use for it.
const isCommon = async (folded: string) => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].some(word => String(word).toLowerCase() === folded)
}

const contextWords = (userIdent: string) => {
  const [local = '', domain = ''] = userIdent.toLowerCase().split('@')
  return [userIdent, local, local.replace(/[^\p{L}\p{N}]/gu, ''), domain, domain.split('.')[0] ?? '', 'gatehouse'].filter(
    word => word.length > 2,
  )
}

/** Whether the text is nothing but the word, once or several times. */
const isRepeated = (text: string, word: string) => text.replaceAll(word, '') === ''

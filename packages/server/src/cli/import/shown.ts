import { looksLikeHash } from '../../passwords/old-hash.ts'

/** Digests without a mark of their algorithm, in hexadecimal: MD5, SHA-1, SHA-2. */
const bareDigest = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i

/** Whether a text is a password hash. */
export const isHash = (text: string): boolean => looksLikeHash(text) || bareDigest.test(text.trim())

/** A text from a file as a message can show it: no hash, no control characters, and not endless. */
export const shown = (text: string): string => {
  if (isHash(text)) return '…'
  const plain = text.replace(/\p{C}/gu, '\u{fffd}')
  return [...plain].length > 64 ? `${[...plain].slice(0, 63).join('')}…` : plain
}

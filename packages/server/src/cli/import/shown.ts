import { looksLikeHash } from '../../passwords/old-hash.ts'

/** Hexadecimal digests that do not name their algorithm: MD5, SHA-1, SHA-2. */
const bareDigest = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i

/** Whether a text looks like a password hash. */
export const isHash = (text: string): boolean => looksLikeHash(text) || bareDigest.test(text.trim())

/** Makes text from an imported file safe to print: hides hashes, replaces control characters and truncates to 64 characters. */
export const shown = (text: string): string => {
  if (isHash(text)) return '…'
  const plain = text.replace(/\p{C}/gu, '\u{fffd}')
  return [...plain].length > 64 ? `${[...plain].slice(0, 63).join('')}…` : plain
}

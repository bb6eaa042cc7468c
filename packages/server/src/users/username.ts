import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * Returns the canonical spelling of a username, for lookup and for counting attempts: trimmed, NFC, lower case, exactly one '@', the
 * domain in ASCII. `undefined` when the text is not an email address.
 */
export const canonicalUsername = (text: string): string | undefined => {
  const name = text.trim().normalize('NFC').toLowerCase()
  // A username contains no white space, control or quoting characters. Some mailers fold the full-width '＠' into '@'.
  if (name.length > 254 || /[\s\p{C},;:<>()[\]"\\/?#%＠﹫]/u.test(name)) return undefined
  const [local, domain, ...more] = name.split('@')
  if (!local || !domain || more.length > 0) return undefined
  // domainToASCII turns `127.1` into an IP address, which is not a mail domain.
  const ascii = domainToASCII(domain)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(ascii) && !isIP(ascii) ? `${local}@${ascii}` : undefined
}

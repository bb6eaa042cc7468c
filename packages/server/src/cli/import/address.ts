import { canonicalUsername } from '../../users/username.ts'
import { isHash } from './shown.ts'
import type { SourceUser } from './source.ts'

/** A name that `--domain` completes, and that a message may show. No hash that names its algorithm has this form. */
const isPlainName = (text: string): boolean => /^[\p{L}\p{M}\p{N}._-]{1,64}$/u.test(text) && !isHash(text)

type Address = { userIdent: string; problem?: never } | { problem: string; isShown: boolean }

/**
 * The address that a user of a file signs in with. `isShown` says whether a message may show the user's name.
 * @param domain completes the names of users without an address, and nothing else: a wrong value in the place of an address is often
 * a hash, because columns are easily swapped
 */
export const readAddress = ({ name, address, addressIn }: SourceUser, domain: string | undefined): Address => {
  const isShown = isPlainName(name)
  const problem = (text: string) => ({ problem: text, isShown })
  const check = (text: string, where: string): Address => {
    if (isHash(text)) return problem(`${where} has the hash of a password instead of an email address`)
    const userIdent = canonicalUsername(text)
    return userIdent === undefined ? problem(`${where} has no email address`) : { userIdent }
  }
  if (address !== '' || name === '') return check(address, addressIn)
  if (name.includes('@') || isHash(name)) return check(name, 'the name')
  if (domain === undefined) return problem('has no email address (--domain completes names without one)')
  return isShown ? check(`${name}@${domain}`, 'the name') : problem('the name has characters that --domain does not complete')
}

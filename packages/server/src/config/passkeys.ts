import { isIP } from 'node:net'
import type { RelyingParty } from '../factors/passkey/relying-party.ts'

type Variable = 'GATEHOUSE_PASSKEY_RP_ID' | 'GATEHOUSE_PASSKEY_RP_ID_BEFORE' | 'GATEHOUSE_SECURITY_CONTACT'
type Reader = { read: (name: Variable) => string | undefined; problem: (name: Variable, sentence: string) => void }

/** The domain of passkeys, or why browsers offer none at this address. `before`: an earlier RP ID, whose passkeys may stop working. */
export type PasskeySettings =
  | { is: 'On'; relyingParty: RelyingParty; uncovered: readonly string[]; before: string | undefined }
  | { is: 'Off'; why: string; before: string | undefined }

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const isLocal = (host: string) => isWithin(host, 'localhost')
const isDomain = (text: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text)

/** Reads the RP ID. Browsers offer passkeys on https and on localhost only, and never for an IP address. */
export const readPasskeys = (
  reader: Reader,
  publicUrl: { origin: string; https: boolean },
  origins: readonly string[],
): PasskeySettings => {
  const host = new URL(publicUrl.origin).hostname
  const before = reader.read('GATEHOUSE_PASSKEY_RP_ID_BEFORE')?.toLowerCase()
  if (before !== undefined && !isDomain(before)) reader.problem('GATEHOUSE_PASSKEY_RP_ID_BEFORE', ' must be a domain like example.com')
  const rpId = reader.read('GATEHOUSE_PASSKEY_RP_ID')?.toLowerCase() ?? host
  if (isIP(host.replace(/^\[|\]$/g, ''))) return { is: 'Off', why: `${host} is an IP address, and passkeys need a domain name`, before }
  if (!publicUrl.https && !isLocal(host)) return { is: 'Off', why: `${publicUrl.origin} is not https`, before }
  if (!isDomain(rpId)) reader.problem('GATEHOUSE_PASSKEY_RP_ID', ' must be a domain like example.com, without scheme, port and path')
  else if (!isWithin(host, rpId)) reader.problem('GATEHOUSE_PASSKEY_RP_ID', `: ${rpId} is neither ${host} nor a domain above it`)
  else if (!rpId.includes('.') && rpId !== host)
    reader.problem('GATEHOUSE_PASSKEY_RP_ID', `: browsers refuse ${rpId}; use a domain below it`)
  const usable = origins.filter(origin => origin.startsWith('https:') || isLocal(URL.parse(origin)?.hostname ?? ''))
  return {
    is: 'On',
    relyingParty: { rpId, origins: [publicUrl.origin, ...usable] },
    // The pages of these origins need /.well-known/webauthn to use the passkeys (WebAuthn Level 3, §5.11).
    uncovered: usable.filter(origin => !isWithin(new URL(origin).hostname, rpId)),
    before,
  }
}

/** RFC 9116 §2.5.3: an https address or an email address. */
export const readSecurityContact = (reader: Reader): string | undefined => {
  const text = reader.read('GATEHOUSE_SECURITY_CONTACT')
  if (text === undefined) return undefined
  if (/^https:\/\/[!-~]+$/.test(text) && URL.canParse(text)) return text
  if (/^(mailto:)?[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text)) return text.startsWith('mailto:') ? text : `mailto:${text}`
  reader.problem('GATEHOUSE_SECURITY_CONTACT', ' must be an https address or an email address')
  return undefined
}

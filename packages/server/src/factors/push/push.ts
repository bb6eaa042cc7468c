import { createPublicKey, randomInt, verify } from 'node:crypto'
import { isIP } from 'node:net'
import type { ChallengeRespondedReason, PushStatus } from '@gatehouse/wire'
import { isInside } from '../../http-client/guarded-fetch.ts'
import type { Awaited } from '../../sessions/approval-waits.store.ts'

/** The public key of a factor's phone. */
export type DeviceKey = { factorPushBindingPublicKey: string; factorPushBindingAlg: 'ES256' }

/** Returns the number that the browser shows and the user types on the phone: six digits (NIST SP 800-63B-4 §3.1.3). */
export const newNumber = (): string => String(randomInt(1_000_000)).padStart(6, '0')

const keyOf = (text: string) => createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' })

/** Whether a text is a P-256 key as SPKI in its canonical encoding. Other encodings would let two factors have the same key. */
export const isDeviceKey = (text: string): boolean => {
  try {
    const key = keyOf(text)
    if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false
    return key.export({ format: 'der', type: 'spki' }).toString('base64url') === text
  } catch {
    return false
  }
}

/** Whether a phone signed a text. Uses the algorithm that was stored with the key; the message cannot choose one (RFC 8725 §3.1). */
export const isSignedBy = ({ factorPushBindingPublicKey, factorPushBindingAlg }: DeviceKey, text: string, signature: string): boolean => {
  switch (factorPushBindingAlg) {
    case 'ES256': {
      const bytes = Buffer.from(signature, 'base64url')
      // WebCrypto signatures are r and s, 32 bytes each.
      return (
        bytes.length === 64 &&
        verify('sha256', Buffer.from(text), { key: keyOf(factorPushBindingPublicKey), dsaEncoding: 'ieee-p1363' }, bytes)
      )
    }
  }
}

/** The address where a browser receives messages (RFC 8030), and the keys that encrypt them for it (RFC 8291). */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * Whether a subscription may belong to a push service: its endpoint uses https and has no private IP address. If private addresses are
 * allowed, an endpoint at such an address may also use http. guarded-fetch.ts checks the addresses of host names.
 */
export const isPushService = ({ endpoint, keys }: PushSubscription, allowInside: boolean): boolean => {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password || url.hash) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = isIP(host) !== 0 && isInside(host)
  if (!(allowInside && isLocal) && (url.protocol !== 'https:' || isLocal)) return false
  const [point, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  return point.length === 65 && point[0] === 4 && auth.length === 16
}

/** A reason as the wire encodes it for phone approvals. */
export const reasonOf = (tag: ChallengeRespondedReason['tag']): ChallengeRespondedReason =>
  tag === 'WrongFactorType' ? { tag, contents: 'Push' } : { tag }

/** The status of a challenge, for the browser that waits for it. */
export const statusOf = ({ reason, ...status }: Awaited): PushStatus => ({ ...status, challengeRespondedReason: reasonOf(reason) })

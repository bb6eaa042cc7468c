import { createPublicKey, randomInt, verify } from 'node:crypto'
import { isIP } from 'node:net'
import type { ChallengeRespondedReason, PushStatus } from '@gatehouse/wire'
import { isInside } from '../../http-client/guarded-fetch.ts'
import type { Awaited } from '../../sessions/approval-waits.store.ts'

/** What ties a factor to its device. */
export type DeviceKey = { factorPushBindingPublicKey: string; factorPushBindingAlg: 'ES256' }

/** The number that a browser shows and that is typed on the device: six digits (NIST SP 800-63B-4 §3.1.3). */
export const newNumber = (): string => String(randomInt(1_000_000)).padStart(6, '0')

const keyOf = (text: string) => createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' })

/** Whether a text is a point of P-256 as SPKI, in the one spelling that a key has: else one key could be two factors'. */
export const isDeviceKey = (text: string): boolean => {
  try {
    const key = keyOf(text)
    if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false
    return key.export({ format: 'der', type: 'spki' }).toString('base64url') === text
  } catch {
    return false
  }
}

/**
 * Whether a device signed a text. The algorithm is what was stored with the key; nothing in the message has a say in it
 * (RFC 8725 §3.1).
 */
export const isSignedBy = ({ factorPushBindingPublicKey, factorPushBindingAlg }: DeviceKey, text: string, signature: string): boolean => {
  switch (factorPushBindingAlg) {
    case 'ES256': {
      const bytes = Buffer.from(signature, 'base64url')
      // r and s as WebCrypto writes them.
      return (
        bytes.length === 64 &&
        verify('sha256', Buffer.from(text), { key: keyOf(factorPushBindingPublicKey), dsaEncoding: 'ieee-p1363' }, bytes)
      )
    }
  }
}

/** Where a device's browser takes messages (RFC 8030), and the keys that only it can read them by (RFC 8291). */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * Whether a subscription is one of a push service: https, and not in our own network unless that is where it is meant to be. A
 * name is looked at once more when it is looked up.
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

/** A reason as it is told of a challenge to a device. */
export const reasonOf = (tag: ChallengeRespondedReason['tag']): ChallengeRespondedReason =>
  tag === 'WrongFactorType' ? { tag, contents: 'Push' } : { tag }

/** What the browser that waits for a challenge is told. */
export const statusOf = ({ reason, ...status }: Awaited): PushStatus => ({ ...status, challengeRespondedReason: reasonOf(reason) })

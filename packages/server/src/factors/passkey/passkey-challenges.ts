import type { PasskeyPurpose } from '@gatehouse/wire'
import type { Keyring } from '../../keys/keyring.ts'
import { hashSecret } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'

/** The purpose of a challenge. `SetUp`: the first second factor. `Upgrade`: a passkey that the password manager creates without asking. */
export type ChallengePurpose = PasskeyPurpose | 'SetUp' | 'Add' | 'Upgrade'

/** A challenge that a server issued for this browser and purpose, and that has not expired. `userId`: the only user who may use it. */
export type OpenedChallenge = { challenge: string; expires: number; userId: string | undefined }

/**
 * Makes challenges that need no row until they are used, because each contains its own data, encrypted. A challenge opens only for the same
 * purpose, and with the cookie of the browser that requested it.
 */
export const createPasskeyChallenges = ({ keyring, now }: { keyring: Keyring; now: () => number }) => {
  const about = (purpose: ChallengePurpose, binding: string) => `${purpose}/${hashSecret(binding)}`

  /** @returns the challenge as base64url */
  const make = (purpose: ChallengePurpose, binding: string, userId?: string): string => {
    const expires = now() + (purpose === 'SetUp' ? limits.passkey.setUp : limits.passkey.challenge)
    const sealed = keyring.seal('passkey', JSON.stringify([expires, userId ?? null]), about(purpose, binding))
    return Buffer.from(sealed).toString('base64url')
  }

  const open = (purpose: ChallengePurpose, challenge: string, binding: string | undefined): OpenedChallenge | undefined => {
    if (binding === undefined) return undefined
    const sealed = Buffer.from(challenge, 'base64url').toString()
    const text = keyring.tryOpen('passkey', sealed, about(purpose, binding))
    if (text === undefined) return undefined
    const [expires, userId] = JSON.parse(text) as [number, string | null]
    // Refuse a second spelling of the same bytes: its hash would differ, so the challenge could be used twice.
    const isCanonical = Buffer.from(sealed).toString('base64url') === challenge && isCanonicalSeal(sealed)
    return isCanonical && expires > now() ? { challenge, expires, userId: userId ?? undefined } : undefined
  }

  return { make, open }
}

const isCanonicalSeal = (sealed: string): boolean => {
  const [id = '', text = '', ...more] = sealed.split('.')
  return more.length === 0 && `${id}.${Buffer.from(text, 'base64url').toString('base64url')}` === sealed
}

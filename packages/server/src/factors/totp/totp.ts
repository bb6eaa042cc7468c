import { Secret, TOTP } from 'otpauth'
import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'

const { secretBytes, step, window, hint } = limits.totp
const settings = { algorithm: 'SHA1', digits: 6, period: step / 1000 } as const

/** A fresh secret in base32, 160 bits (RFC 4226 §4, R6). */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** The address that an authenticator app reads from the QR code. */
export const totpUri = (binding: { issuer: string; account: string; secret: string }): string =>
  new TOTP({ ...settings, issuer: binding.issuer, label: binding.account, secret: binding.secret }).toString()

/**
 * Finds the time step of a code among those around `now` (RFC 6238 §5.2). The caller makes sure that each step is used once.
 * @param code the six digits as an integer
 * @param now epoch milliseconds
 */
export const totpStep = (code: number, secret: string, now: number): number | undefined => {
  const delta = offsetWithin(window, code, secret, now)
  return delta === undefined ? undefined : Math.floor(now / step) + delta
}

/** How many steps a code is away from `now`. `undefined` if it belongs to no step within `steps` of `now`. */
const offsetWithin = (steps: number, code: number, secret: string, now: number): number | undefined => {
  const token = String(code).padStart(6, '0')
  const key = Secret.fromBase32(secret)
  return TOTP.validate({ ...settings, token, secret: key, timestamp: now, window: steps }) ?? undefined
}

/** A wrong code that was right some minutes ago, or will be: its step, and how many steps it is away from `now`. */
export type NearMiss = { offset: number; step: number }

/** Finds the time step of a wrong code among those too far from `now` to be accepted. This accepts no code. */
export const nearMiss = (code: number, secret: string, now: number): NearMiss | undefined => {
  const offset = offsetWithin(hint.window, code, secret, now)
  return offset === undefined || Math.abs(offset) <= window ? undefined : { offset, step: Math.floor(now / step) + offset }
}

/** Binds an encrypted secret to its factor, so that it is unreadable in another factor's row. */
export const sealedFor = (userId: string, factorUUID: string) => `${userId}/${factorUUID}`

type Authenticator = { factorUUID: string; factorIdentity: string; factorTOTPBindingSecret: string | null }

/** The factor and time step of a code, or why no factor matches. */
export type Match = { tag: 'Match'; factorUUID: string; step: number } | { tag: 'NoMatch' | 'MissingSecret' | 'Unreadable' }

/** Finds the factor that generated a code. Does not mark the code as used. */
export const matchCode = (keyring: Keyring, factors: readonly Authenticator[], code: number, now: number): Match => {
  let otherwise: Match = { tag: 'NoMatch' }
  for (const { factorUUID, factorIdentity, factorTOTPBindingSecret: sealed } of factors) {
    if (sealed === null) {
      otherwise = { tag: 'MissingSecret' }
      continue
    }
    const secret = keyring.tryOpen('totp', sealed, sealedFor(factorIdentity, factorUUID))
    const step = secret === undefined ? undefined : totpStep(code, secret, now)
    if (step !== undefined) return { tag: 'Match', factorUUID, step }
    if (secret === undefined) otherwise = { tag: 'Unreadable' }
  }
  return otherwise
}

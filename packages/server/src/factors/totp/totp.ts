import { Secret, TOTP } from 'otpauth'
import { limits } from '../../limits.ts'

const { secretBytes, step, window } = limits.totp
const settings = { algorithm: 'SHA1', digits: 6, period: step / 1000 } as const

/** A fresh secret in base32, 160 bits (RFC 4226 §4, R6). */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** The address that an authenticator app reads from the QR code. */
export const totpUri = (binding: { issuer: string; account: string; secret: string }): string =>
  new TOTP({ ...settings, issuer: binding.issuer, label: binding.account, secret: binding.secret }).toString()

/**
 * The time step whose code this is, of those around `now`; `undefined` when it is none of theirs (RFC 6238 §5.2). That a
 * step is taken once is for whoever keeps the last one to see to.
 * @param code the six digits as an integer
 * @param now epoch milliseconds
 */
export const totpStep = (code: number, secret: string, now: number): number | undefined => {
  const token = String(code).padStart(6, '0')
  const delta = TOTP.validate({ ...settings, token, secret: Secret.fromBase32(secret), timestamp: now, window })
  return delta === null ? undefined : Math.floor(now / step) + delta
}

import { Secret, TOTP } from 'otpauth'

/** A secret of 160 bits in Base32 (RFC 4648 §6), as an authenticator app reads it from a QR code. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/**
 * The six digits that an authenticator app shows (RFC 6238 with SHA-1 and steps of 30 s).
 * @param at epoch milliseconds
 */
export const totpCodeAt = (secret: string, at: number): string => new TOTP({ secret }).generate({ timestamp: at })

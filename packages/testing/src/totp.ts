import { createHmac, randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret of 160 bits in Base32 (RFC 4648 §6), as an authenticator app reads it from a QR code. */
export const newTotpSecret = (): string => Array.from(randomBytes(32), byte => alphabet[byte % 32]).join('')

const bytesOf = (base32: string): Buffer => {
  let [bits, held] = [0, 0]
  const bytes: number[] = []
  for (const letter of base32.replace(/=+$/, '')) {
    bits = ((bits << 5) | alphabet.indexOf(letter)) & 0xfff
    held += 5
    if (held < 8) continue
    held -= 8
    bytes.push((bits >> held) & 0xff)
  }
  return Buffer.from(bytes)
}

/**
 * The six digits that an authenticator app shows (RFC 6238 with SHA-1 and steps of 30 s).
 * @param at epoch milliseconds
 */
export const totpCodeAt = (secret: string, at: number): string => {
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', bytesOf(secret)).update(step).digest()
  // RFC 4226 §5.3.
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

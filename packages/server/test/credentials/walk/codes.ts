import { createHmac } from 'node:crypto'

/** RFC 6238 with six digits, independent of the server's implementation. */
export const codeOf = (secret: string, step: number): number => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
}

const bytesOf = new Map<string, Buffer>()
const fromBase32 = (text: string): Buffer => {
  const known = bytesOf.get(text)
  if (known) return known
  const bits = [...text].map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  bytesOf.set(text, bytes)
  return bytes
}

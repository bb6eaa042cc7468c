import { isIP, isIPv6 } from 'node:net'

/**
 * The networks of a client address that limits apply to. An IPv6 customer can choose addresses from at least a /64, and often from a /48
 * (RFC 6177), so IPv6 is limited at both.
 */
export type Networks = {
  family: 4 | 6
  /** An IPv4 address, or the /64 network of an IPv6 address. */
  network: string
  /** The /48 network of an IPv6 address. */
  site?: string
}

/** Clients without an address share one network. */
export const networksOf = (address: string | undefined): Networks => {
  const plain = address?.split('%')[0] ?? ''
  switch (isIP(plain)) {
    case 4:
      return { family: 4, network: plain }
    case 6: {
      const groups = groupsOf(plain)
      const embedded = embeddedIPv4(groups)
      if (embedded) return { family: 4, network: embedded }
      const prefix = (length: number) => groups.slice(0, length).map(hex).join(':')
      return { family: 6, network: prefix(4), site: `${prefix(3)}/48` }
    }
    default:
      return { family: 4, network: 'unknown' }
  }
}

const hex = (group: number) => group.toString(16)

/** The eight groups of an IPv6 address, which may end in the dotted form of IPv4. */
const groupsOf = (address: string): number[] => {
  const read = (part: string | undefined) =>
    (part ? part.split(':') : []).flatMap(group => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)]
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
      return [a * 256 + b, c * 256 + d]
    })
  const [head, tail] = address.split('::')
  const [first, last] = [read(head), read(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/**
 * IPv4 clients that reach a server as IPv6: mapped (::ffff:0:0/96, RFC 4291), or translated with a prefix reserved for translation
 * (64:ff9b::/96, RFC 6052; 64:ff9b:1::/48, RFC 8215). As IPv6 they would all share one network.
 */
const embeddedIPv4 = ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]: number[]): string | undefined => {
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff
  const isTranslated = a === 0x64 && b === 0xff9b && (c === 1 || (c === 0 && d === 0 && e === 0 && f === 0))
  return isMapped || isTranslated ? [g >> 8, g & 255, h >> 8, h & 255].join('.') : undefined
}

/** An IP address, or a network such as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/')
  if (isIP(address) === 0 || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false
  // Refuse /0: as the network of trusted proxies, it would let clients choose their address. Fastify refuses it too.
  return prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (isIPv6(address) ? 128 : 32))
}

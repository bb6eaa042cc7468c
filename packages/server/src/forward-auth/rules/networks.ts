import { BlockList, isIP } from 'node:net'
import { networksOf } from '../../visitors/network.ts'

/** A list of addresses and networks such as `10.0.0.0/8`. */
export type Networks = { texts: readonly string[]; includes: (address: string) => boolean }

/** @param texts each accepted by `isNetwork` */
export const createNetworks = (texts: readonly string[]): Networks => {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', prefix] = text.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  const includes = (address: string) => {
    const plain = address.split('%')[0] ?? ''
    // IPv4 clients can arrive as IPv6, for example as ::ffff:10.0.0.5.
    const { family, network } = networksOf(plain)
    return family === 4 ? isIP(network) === 4 && list.check(network, 'ipv4') : list.check(plain, 'ipv6')
  }
  return { texts, includes }
}

import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Place } from '@gatehouse/wire'

const listOf = (...networks: [string, number, 'ipv4' | 'ipv6'][]) => {
  const list = new BlockList()
  for (const network of networks) list.addSubnet(...network)
  return list
}
const loopback = listOf(['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6'])
/** Private addresses (RFC 1918, 3927, 4193, 4291, 6598). */
const inside = listOf(
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
)

const plain = (address: string) => (address.split('%')[0] ?? '').replace(/^::ffff:(?=\d+\.)/i, '')

/** Where an address is, as far as the address alone shows. `here` is the address of the user who looks at it. */
export const placeOf = (address: string, here: string): Place => {
  const ip = plain(address)
  if (!isIPv4(ip) && !isIPv6(ip)) return 'Unknown'
  const family = isIPv4(ip) ? 'ipv4' : 'ipv6'
  if (ip === plain(here)) return 'Here'
  if (loopback.check(ip, family)) return 'Server'
  return inside.check(ip, family) ? 'Inside' : 'Elsewhere'
}

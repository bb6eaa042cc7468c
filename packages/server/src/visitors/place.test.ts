import { expect, test } from 'vitest'
import { placeOf } from './place.ts'

test.each([
  ['203.0.113.7', 'Elsewhere'],
  ['2001:db8::7', 'Elsewhere'],
  ['172.15.255.255', 'Elsewhere'],
  ['172.16.0.0', 'Inside'],
  ['172.31.255.255', 'Inside'],
  ['172.32.0.0', 'Elsewhere'],
  ['192.168.1.1', 'Inside'],
  ['10.1.2.3', 'Inside'],
  ['100.64.0.1', 'Inside'],
  ['fd12:3456::1', 'Inside'],
  ['fe80::1%eth0', 'Inside'],
  ['::ffff:192.168.1.1', 'Inside'],
  ['127.0.0.1', 'Server'],
  ['::1', 'Server'],
  ['198.51.100.1', 'Here'],
  ['::ffff:198.51.100.1', 'Here'],
  ['', 'Unknown'],
  ['localhost', 'Unknown'],
  ['999.1.1.1', 'Unknown'],
])('the place of the address %j is %s', (address, place) => {
  expect(placeOf(address, '198.51.100.1')).toBe(place)
})

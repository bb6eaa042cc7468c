import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import { createProbe, readProbe } from './probe-token.ts'

const key = randomBytes(32)
let reads = 0
const keyring = createKeyring(() => {
  reads++
  return [key]
})
const address = { origin: 'https://grafana.example.com', uri: '/api/x' }
const at = (now: number, of = keyring) => ({ keyring: of, now: () => now })

test('only a server with the master key reads the secret, for one address and one minute', () => {
  const { secret, token } = createProbe(address, at(0))
  expect(readProbe(token, address, at(limits.openDoor.proof - 1))).toBe(secret)
  expect(token).not.toContain(secret)
  expect(readProbe(token, address, at(limits.openDoor.proof))).toBeUndefined()
  expect(readProbe(token, { ...address, uri: '/api/y' }, at(0))).toBeUndefined()
  expect(readProbe(token, { ...address, origin: 'https://prometheus.example.com' }, at(0))).toBeUndefined()
  const stranger = createKeyring(() => [randomBytes(32)])
  expect(readProbe(createProbe(address, at(0, stranger)).token, address, at(0))).toBeUndefined()
})

test('a token with an unknown key does not make the server read its key file', () => {
  const before = reads
  for (const forged of ['AAAAAAAA.x', '', '.', 'x'.repeat(300), ['a', 'b']]) expect(readProbe(forged, address, at(0))).toBeUndefined()
  expect(reads).toBe(before)
})

import { expect, test } from 'vitest'
import { type PasskeySettings, readPasskeys, readSecurityContact } from './passkeys.ts'

const read = (origin: string, env: Record<string, string> = {}, origins: string[] = []) => {
  const problems: string[] = []
  const reader = { read: (name: string) => env[name], problem: (name: string, sentence: string) => problems.push(name + sentence) }
  const settings: PasskeySettings = readPasskeys(reader, { origin, https: origin.startsWith('https:') }, origins)
  return { settings, problems }
}

test.each([
  ['https://sign-in.example.com', 'sign-in.example.com'],
  ['https://sign-in.example.com:8443', 'sign-in.example.com'],
  ['http://localhost:8080', 'localhost'],
  ['http://gate.localhost:8080', 'gate.localhost'],
])('at %s, passkeys are bound to %s', (origin, rpId) => {
  expect(read(origin).settings).toEqual({
    is: 'On',
    relyingParty: { rpId, origins: [origin] },
    uncovered: [],
    before: undefined,
  })
})

test.each([
  ['https://192.0.2.7', 'an IP address'],
  ['https://[2001:db8::7]:8443', 'an IP address'],
  ['http://192.0.2.7:8080', 'an IP address'],
  ['http://gate.example.com', 'not https'],
])('at %s, passkeys are off, because it is %s', (origin, why) => {
  const { settings, problems } = read(origin)
  expect(settings).toMatchObject({ is: 'Off', why: expect.stringContaining(why) })
  expect(problems).toEqual([])
})

test.each([
  ['example.com', []],
  ['sign-in.example.com', []],
  ['Example.COM', []],
  ['ple.com', ['GATEHOUSE_PASSKEY_RP_ID: ple.com is neither sign-in.example.com nor a domain above it']],
  ['example.org', ['GATEHOUSE_PASSKEY_RP_ID: example.org is neither sign-in.example.com nor a domain above it']],
  ['com', ['GATEHOUSE_PASSKEY_RP_ID: browsers refuse com; use a domain below it']],
  ['https://example.com', ['GATEHOUSE_PASSKEY_RP_ID must be a domain like example.com, without scheme, port and path']],
])('the RP ID %s of sign-in.example.com has the problems %j', (rpId, problems) => {
  expect(read('https://sign-in.example.com', { GATEHOUSE_PASSKEY_RP_ID: rpId }).problems).toEqual(problems)
})

test('lists the origins that the RP ID does not cover, and leaves out those without https', () => {
  const origins = ['https://app.example.com', 'https://app.example.org', 'http://app.example.net']
  const { settings } = read('https://sign-in.example.com', { GATEHOUSE_PASSKEY_RP_ID: 'example.com' }, origins)
  expect(settings).toMatchObject({
    relyingParty: { origins: ['https://sign-in.example.com', 'https://app.example.com', 'https://app.example.org'] },
    uncovered: ['https://app.example.org'],
  })
})

test.each([
  ['security@example.com', 'mailto:security@example.com', 0],
  ['mailto:security@example.com', 'mailto:security@example.com', 0],
  ['https://example.com/security', 'https://example.com/security', 0],
  ['http://example.com/security', undefined, 1],
  ['nobody', undefined, 1],
  ['a@b\nContact: evil', undefined, 1],
])('the security contact %j becomes %j', (text, contact, count) => {
  const problems: string[] = []
  expect(readSecurityContact({ read: () => text, problem: name => problems.push(name) })).toBe(contact)
  expect(problems).toHaveLength(count)
})

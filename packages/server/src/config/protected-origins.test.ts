import { expect, test } from 'vitest'
import { folder, problemsOf } from '../../test/support/configuration.ts'
import { readConfig } from './config.ts'

const beside = { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com', GATEHOUSE_COOKIE_DOMAIN: 'example.com' }

test('reads protected origins with their rules', () => {
  const { protectedOrigins, cookieDomain } = readConfig({
    GATEHOUSE_DATA_DIR: folder(),
    ...beside,
    GATEHOUSE_COOKIE_DOMAIN: '.Example.com',
    GATEHOUSE_PROTECTED_ORIGINS:
      ' https://grafana.example.com ,https://prometheus.example.com:8443  second-factor administrators, https://example.com Ada@Example.com *@Ops.Example.com phishing-resistant',
  })
  expect(cookieDomain).toBe('example.com')
  expect(protectedOrigins).toEqual([
    { origin: 'https://grafana.example.com', people: [], secondFactor: false, phishingResistant: false },
    { origin: 'https://prometheus.example.com:8443', people: [{ is: 'Administrators' }], secondFactor: true, phishingResistant: false },
    {
      origin: 'https://example.com',
      people: [
        { is: 'Address', userIdent: 'ada@example.com' },
        { is: 'Domain', domain: 'ops.example.com' },
      ],
      secondFactor: false,
      phishingResistant: true,
    },
  ])
  // The host of the public URL needs no cookie domain, on any port: cookies ignore ports.
  expect(problemsOf({ GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:8080, http://localhost:3000' })).toEqual([])
  // Ports of one host must have the same words. Order and repetition do not matter.
  const [one, other] = ['administrators *@ops.example.com second-factor', 'second-factor *@ops.example.com administrators administrators']
  const ports = `https://a.example.com ${one}, https://a.example.com:8443 ${other}, https://b.example.com`
  expect(problemsOf({ ...beside, GATEHOUSE_PROTECTED_ORIGINS: ports })).toEqual([])
  expect(readConfig({ GATEHOUSE_DATA_DIR: folder() })).toMatchObject({ protectedOrigins: [], cookieDomain: undefined })
})

test.each([
  ['grafana.example.com', '‘grafana.example.com’ must begin with an origin like https://grafana.example.com'],
  ['https://grafana.example.com/', '‘https://grafana.example.com/’ must begin with'],
  ['https://*.example.com', 'must begin with'],
  ['https://grafana.example.com,', '‘’ must begin with'],
  ['https://grafana.example.com admins', '‘admins’ after https://grafana.example.com must be'],
  ['https://grafana.example.com *@', '‘*@’ after'],
  ['https://grafana.example.com, https://grafana.example.com second-factor', 'https://grafana.example.com is listed twice'],
  ['https://grafana.example.org', 'GATEHOUSE_COOKIE_DOMAIN=example.com does not cover grafana.example.org'],
  ['https://evilexample.com', 'GATEHOUSE_COOKIE_DOMAIN=example.com does not cover evilexample.com'],
  ['http://grafana.example.com', 'uses http, where browsers do not send the Secure cookie'],
  [
    'https://grafana.example.com, https://grafana.example.com:8443 second-factor',
    'https://grafana.example.com and https://grafana.example.com:8443 must have the same words, because a client can claim either port of grafana.example.com;',
  ],
  ['https://a.example.com:1 administrators, https://b.example.com, https://a.example.com:2 ada@example.com', 'must have the same words'],
])('GATEHOUSE_PROTECTED_ORIGINS=%s is reported in one clear sentence', (value, sentence) => {
  expect(problemsOf({ ...beside, GATEHOUSE_PROTECTED_ORIGINS: value })).toEqual([
    expect.stringMatching(/^GATEHOUSE_PROTECTED_ORIGINS: .*\.$/),
  ])
  expect(problemsOf({ ...beside, GATEHOUSE_PROTECTED_ORIGINS: value })[0]).toContain(sentence)
})

test.each([
  ['example.com', 'https://sign-in.example.org', 'example.com does not cover sign-in.example.org'],
  ['in.example.com', 'https://sign-in.example.com', 'does not cover'],
  ['com', 'https://example.com', 'browsers reject cookies for all of com; use a domain below it'],
  ['https://example.com', 'https://example.com', 'must be a domain like example.com, without scheme'],
  ['example.com:443', 'https://example.com', 'must be a domain like'],
  ['10.0.0.5', 'http://10.0.0.5:8080', 'browsers do not share cookies between IP addresses'],
  ['example.com', 'http://[::1]:8080', 'browsers do not share cookies between IP addresses'],
])('GATEHOUSE_COOKIE_DOMAIN=%s at %s is reported in one clear sentence', (domain, publicUrl, sentence) => {
  // Consequences of a wrong value are not reported as further problems.
  const more = { GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.net' }
  const problems = problemsOf({ GATEHOUSE_PUBLIC_URL: publicUrl, GATEHOUSE_COOKIE_DOMAIN: domain, ...more })
  expect(problems).toEqual([expect.stringContaining(sentence)])
})

test('refuses a protected origin that no cookie reaches, and names the variable to set', () => {
  expect(
    problemsOf({ GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com', GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com' }),
  ).toEqual([
    'GATEHOUSE_PROTECTED_ORIGINS: browsers send the session cookie to sign-in.example.com only and never to grafana.example.com; set GATEHOUSE_COOKIE_DOMAIN to a domain that covers both.',
  ])
})

test('GATEHOUSE_OPEN_DOOR_ALARM accepts on, off, or a list of protected origins', () => {
  const read = (text: string, more = {}) => problemsOf({ ...beside, GATEHOUSE_OPEN_DOOR_ALARM: text, ...more })
  const two = { GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com, https://prometheus.example.com' }
  for (const text of ['on', 'off', 'https://grafana.example.com, https://prometheus.example.com']) expect(read(text, two)).toEqual([])
  expect(read('yes', two)).toEqual([
    'GATEHOUSE_OPEN_DOOR_ALARM must be on, off, or origins like https://grafana.example.com, separated by commas.',
  ])
  expect(read('https://netdata.example.com', two)).toEqual([
    'GATEHOUSE_OPEN_DOOR_ALARM: GATEHOUSE_PROTECTED_ORIGINS does not name https://netdata.example.com.',
  ])
  // A rules file can change while the server runs.
  expect(read('https://netdata.example.com', { GATEHOUSE_RULES: '/etc/gatehouse/rules.yaml' })).toEqual([])
})

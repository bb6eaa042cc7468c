import { expect, test } from 'vitest'
import { days, hours } from '../../limits.ts'
import { judgeProbe, judgeSignInPage } from './door-finding.ts'
import type { ProbeAnswer } from './probe-request.ts'

const publicUrl = 'https://sign-in.example.com'
const now = Date.UTC(2026, 10, 20)
const probed = { origin: 'https://grafana.example.com', path: '/api/x', secret: 'the-secret' }
const proved = `${publicUrl}/?return=the-secret`

type Answered = Extract<ProbeAnswer, { is: 'Answered' }>
const answer = (status: number, more: Partial<Answered> = {}): Answered => ({
  is: 'Answered',
  status,
  location: undefined,
  proof: undefined,
  trouble: false,
  certificate: undefined,
  ...more,
})
const stateOf = (given: ProbeAnswer, path = probed.path) => judgeProbe(given, { ...probed, path }, { publicUrl, now })?.state

test.each([
  ['a redirect with the secret', answer(302, { location: proved })],
  ['a 401 with the secret in Location', answer(401, { location: proved })],
  ['a 403 with the secret in the header', answer(403, { proof: 'the-secret' })],
])('counts %s as closed', (_, given) => {
  expect(stateOf(given)).toBe('Closed')
})

test.each([
  ['a page', answer(200), 'Open'],
  [
    'a page beside the secret, from a proxy that runs the check and ignores its answer',
    answer(200, { proof: 'the-secret', location: proved }),
    'Open',
  ],
  ['a page that is missing', answer(404), 'Open'],
  ['a protocol switch', answer(101), 'Open'],
  ['a redirect without an address', answer(302), 'Open'],
  ['a refusal of another origin', answer(401), 'CheckSkipped'],
  ['an old refusal from a cache', answer(302, { location: `${publicUrl}/?return=another-secret` }), 'CheckSkipped'],
  ['a misconfiguration page', answer(302, { location: `${publicUrl}/misconfiguration?cause=not-protected` }), 'CheckSkipped'],
  ['a sign-in of the application', answer(302, { location: '/login' }), 'CheckSkipped'],
  ['a redirect to itself', answer(301, { location: 'https://grafana.example.com/api/x#a' }), 'RedirectLoop'],
  ['a redirect to another host', answer(302, { location: '//evil.example.net/' }), 'RedirectElsewhere'],
  ['a redirect to http', answer(301, { location: 'http://grafana.example.com/api/x' }), 'RedirectElsewhere'],
  [
    'a redirect to an address that only begins like the public URL',
    answer(302, { location: `${publicUrl}.example.net/?return=the-secret` }),
    'RedirectElsewhere',
  ],
  ['a proxy that cannot reach Gatehouse', answer(500), 'Unreachable'],
  ['a request for a client certificate', answer(400), 'Unreachable'],
  ['a host name without an address', { is: 'Failed', state: 'NameNotFound', reason: 'ENOTFOUND' } as const, 'NameNotFound'],
])('judges the result of a request without a session: %s', (_, given, state) => {
  expect(stateOf(given)).toBe(state)
})

test('draws no conclusion from a redirect of / within the origin, because proxies send those too', () => {
  expect(stateOf(answer(302, { location: '/grafana/' }), '/')).toBeUndefined()
})

test('shows only the origin of a redirect’s target, because an attacker may choose the rest', () => {
  const found = judgeProbe(answer(302, { location: 'https://evil.example.net/call-this-number?x=1' }), probed, { publicUrl, now })
  expect(found?.detail).toBe('https://evil.example.net')
})

test.each([
  ['13 days of 90', days(90), days(13), 'CertificateEnds'],
  ['15 days of 90', days(90), days(15), 'Closed'],
  ['3 hours of 12, when such certificates are renewed', hours(12), hours(3), 'Closed'],
  ['2 hours of 12', hours(12), hours(2), 'CertificateEnds'],
])('judges a certificate by its lifetime and the time that is left: %s', (_, lifetime, left, state) => {
  const certificate = { from: now + left - lifetime, until: now + left }
  expect(stateOf(answer(302, { location: proved, certificate }))).toBe(state)
})

test('finds a sign-in page that is behind its own check', () => {
  const page = { origin: publicUrl, path: '/', secret: 'the-secret' }
  const judged = (given: ProbeAnswer) => judgeSignInPage(given, page, { publicUrl, now }).state
  expect(judged(answer(200))).toBe('Closed')
  expect(judged(answer(403, { trouble: true }))).toBe('RedirectLoop')
  expect(judged(answer(302, { location: '/?return=none' }))).toBe('RedirectLoop')
  expect(judged(answer(302, { location: proved }))).toBe('RedirectLoop')
  expect(judged(answer(502))).toBe('Unreachable')
})

import { expect, test } from 'vitest'
import { type Decision, decide, type SignedIn, type Subject } from './decision.ts'
import { createNetworks } from './networks.ts'
import type { Effect, Rule } from './rule.ts'
import { createRuleSet } from './rule-set.ts'
import { readTarget } from './target.ts'

const grafana = 'https://grafana.example.com'
const everyone: Effect = { is: 'Everyone' }
const deny: Effect = { is: 'Deny' }
const nothing = { secondFactor: false, phishingResistant: false, fresh: undefined }
const users: Effect = { is: 'Allow', who: [{ is: 'Users' }], require: nothing }

const rulesOf = (...rules: (Partial<Omit<Rule, 'to'>> & { to: string })[]) =>
  createRuleSet(
    rules.map(({ to, ...more }, index): Rule => {
      const target = readTarget(to)
      if ('problem' in target) throw new Error(target.problem)
      return { number: index + 1, methods: undefined, from: undefined, effect: users, ...more, to: [target] }
    }),
  )

const ask = (uri: string, more: { origin?: string; method?: string | undefined; address?: string } = {}) => ({
  origin: grafana,
  method: 'GET' as string | undefined,
  address: '192.0.2.1',
  ...more,
  uri,
})
type Rules = ReturnType<typeof rulesOf>
const numberOf = (rules: Rules, ...asked: Parameters<typeof ask>) => {
  const found = rules.find(ask(...asked))
  return found.is === 'Rule' ? found.rule.number : found.is
}

test('the first rule that fits decides, and a request that fits none gets NoRule', () => {
  const rules = rulesOf(
    { to: `${grafana}/api/*` },
    { to: `${grafana}/api/health`, effect: everyone },
    { to: `${grafana}/d/*`, effect: deny },
  )
  expect(numberOf(rules, '/api/health')).toBe(1)
  expect(numberOf(rules, '/d/x?y')).toBe(3)
  expect(numberOf(rules, '/')).toBe('NoRule')
  expect(numberOf(rules, '/api/health', { origin: 'https://other.example.com' })).toBe('NoRule')
  expect(numberOf(rules, '/api/health', { origin: `${grafana}:8443` })).toBe('NoRule')
  expect(rules.origins).toEqual([grafana])
})

test('a rule with a path on one host does not make paths on another host unclear', () => {
  const rules = rulesOf({ to: `${grafana}/x/*` }, { to: 'https://rabbit.example.com/*' })
  for (const uri of ['/api/queues/%2F/q', '/a/../b', '/%00', '/a;b', '/caf\u00e9', '/%zz'])
    expect([uri, numberOf(rules, uri, { origin: 'https://rabbit.example.com' }), numberOf(rules, uri)]).toEqual([
      uri,
      2,
      expect.not.stringMatching(/^1$/),
    ])
})

test('encoded and doubled slashes pass only where every reading leads to the same rule', () => {
  const rules = rulesOf({ to: `${grafana}/api/admin/*`, effect: deny }, { to: `${grafana}/*` })
  for (const uri of ['/api/datasources/proxy/5/rules/%2Ftest', '/api/services/a%2Fb', '/d//x', '//'])
    expect([uri, numberOf(rules, uri)]).toEqual([uri, 2])
  for (const uri of [
    '/api%2Fadmin/x',
    '/api/admin%2Fx',
    '/api//admin/x',
    '//api/admin/x',
    '/%2Fapi/admin/x',
    '/api/%2Fadmin/x',
    '/api%2f%2Fadmin%2fx',
  ])
    expect([uri, numberOf(rules, uri)]).toEqual([uri, 'Unclear'])
})

test('a rule ignores the case of paths, and encodings of plain letters', () => {
  const rules = rulesOf({ to: `${grafana}/Admin/caf\u00e9/*`, effect: deny }, { to: `${grafana}/*` })
  for (const uri of ['/admin/caf%C3%A9/x', '/ADMIN/cafe%CC%81/x', '/%61dmin/%63af%c3%a9/'])
    expect([uri, numberOf(rules, uri)]).toEqual([uri, 1])
  expect(numberOf(rules, '/admin/cafe/x')).toBe(2)
})

test('a rule matches any letter case and Unicode normalization, and paths with characters that programs drop or turn into ASCII are unclear', () => {
  const rules = rulesOf(
    { to: `${grafana}/admin{/*}?`, effect: deny },
    { to: `${grafana}/caf\u00e9{/*}?`, effect: deny },
    { to: `${grafana}/re\u0301sume\u0301{/*}?`, effect: deny },
    { to: `${grafana}/*`, effect: everyone },
  )
  for (const path of ['/café', '/CAFÉ/x', '/Cafe\u0301/', '/CAFE\u0301'])
    expect([path, numberOf(rules, encodeURI(path))]).toEqual([path, 2])
  for (const path of ['/résumé', '/RÉSUMÉ', '/re\u0301sume\u0301/x']) expect([path, numberOf(rules, encodeURI(path))]).toEqual([path, 3])
  for (const path of ['/adm\u0130n', '/admI\u0307n', '/adm\u200bin', '/adm\u00adin', '/\ufeffadmin', '/\u2215admin', '/pa\u00df'])
    expect([path, numberOf(rules, encodeURI(path))]).toEqual([path, 'Unclear'])
})

test('a path is unclear if merging its slashes or decoding %2F can make another rule apply', () => {
  const rules = rulesOf({ to: `${grafana}/api/queues/:vhost/:name`, effect: deny }, { to: `${grafana}/*`, effect: everyone })
  for (const uri of ['//api/queues/%2F/q', '/api//queues/%2F/q', '/api/queues//%2F/q', '/api/queues/%2F//q', '//api/queues/a%2Fb/q'])
    expect([uri, numberOf(rules, uri)]).toEqual([uri, 'Unclear'])
  for (const uri of ['//api/other/%2F/q', '/api//nodes/a%2Fb']) expect([uri, numberOf(rules, uri)]).toEqual([uri, 2])
})

test('GET includes HEAD, and a missing or invalid method is unclear where rules name methods', () => {
  const rules = rulesOf(
    { to: `${grafana}/*`, methods: new Set(['GET', 'M-SEARCH']), effect: everyone },
    { to: `${grafana}/*`, effect: deny },
  )
  for (const method of ['GET', 'HEAD', 'M-SEARCH']) expect([method, numberOf(rules, '/', { method })]).toEqual([method, 1])
  for (const method of ['POST', 'DELETE', 'PROPFIND', 'GETX']) expect([method, numberOf(rules, '/', { method })]).toEqual([method, 2])
  for (const method of [undefined, '', 'get', 'Get', 'GET, POST', 'GET ', 'G\u0395T'])
    expect([method, numberOf(rules, '/', { method })]).toEqual([method, 'Unclear'])
  expect(numberOf(rulesOf({ to: `${grafana}/*` }), '/', { method: undefined })).toBe(1)
})

test('`from` matches the client’s network, including IPv4 addresses in IPv6 form', () => {
  const rules = rulesOf({ to: `${grafana}/*`, from: createNetworks(['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']), effect: everyone })
  for (const address of ['10.1.2.3', '192.0.2.7', '::ffff:10.1.2.3', '2001:db8:1:2::3', '2001:DB8:1::%eth0'])
    expect([address, numberOf(rules, '/', { address })]).toEqual([address, 1])
  for (const address of ['11.0.0.1', '192.0.2.8', '::ffff:11.0.0.1', '2001:db8:2::1', '::1', '', 'unknown', '10.1.2.3.4'])
    expect([address, numberOf(rules, '/', { address })]).toEqual([address, 'NoRule'])
})

const now = 1_000_000
const ada: SignedIn = {
  is: 'SignedIn',
  userIdent: 'ada@ops.example.com',
  administrator: false,
  groups: ['oncall'],
  factor: null,
  passkeyDue: false,
  provenAt: now - 1000,
  factorProvenAt: undefined,
}
type Allow = Extract<Effect, { is: 'Allow' }>
const admits = (...who: Allow['who']): Allow => ({ is: 'Allow', who, require: nothing })
const requires = (require: Partial<Allow['require']>): Allow => ({
  ...admits({ is: 'Users' }),
  require: { ...nothing, ...require },
})

/** An effect, the requesting subject, and the expected decision. */
const decisions: [string, Effect, Subject, Decision][] = [
  ['deny, even for users', deny, ada, { is: 'Refused', why: 'denied' }],
  ['deny for visitors', deny, { is: 'SignedOut' }, { is: 'Refused', why: 'denied' }],
  ['everyone for visitors', everyone, { is: 'SignedOut' }, { is: 'AllowedToEveryone' }],
  ['everyone for a user whose passkey is due', everyone, { ...ada, passkeyDue: true }, { is: 'AllowedToEveryone' }],
  ['users for visitors', users, { is: 'SignedOut' }, { is: 'NeedsSignIn' }],
  ['users for users', users, ada, { is: 'Allowed' }],
  ['a domain', admits({ is: 'Domain', domain: 'ops.example.com' }), ada, { is: 'Allowed' }],
  ['the domain above', admits({ is: 'Domain', domain: 'example.com' }), ada, { is: 'Refused', why: 'not-named' }],
  ['an address', admits({ is: 'Address', userIdent: 'ada@ops.example.com' }), ada, { is: 'Allowed' }],
  ['another address', admits({ is: 'Address', userIdent: 'bob@ops.example.com' }), ada, { is: 'Refused', why: 'not-named' }],
  ['administrators', admits({ is: 'Administrators' }), { ...ada, administrator: true }, { is: 'Allowed' }],
  [
    'a group named administrators',
    admits({ is: 'Administrators' }),
    { ...ada, groups: ['administrators'] },
    { is: 'Refused', why: 'not-named' },
  ],
  ['a group', admits({ is: 'Administrators' }, { is: 'Group', group: 'oncall' }), ada, { is: 'Allowed' }],
  ['another group', admits({ is: 'Group', group: 'on' }), ada, { is: 'Refused', why: 'not-named' }],
  ['a second factor', requires({ secondFactor: true }), ada, { is: 'NeedsStepUp', stepUp: { is: 'SecondFactor' } }],
  ['a second factor that was used', requires({ secondFactor: true }), { ...ada, factor: 'TOTP' }, { is: 'Allowed' }],
  [
    'a passkey after a code',
    requires({ phishingResistant: true }),
    { ...ada, factor: 'TOTP' },
    { is: 'NeedsStepUp', stepUp: { is: 'Passkey' } },
  ],
  ['a passkey', requires({ phishingResistant: true, secondFactor: true }), { ...ada, factor: 'Passkey' }, { is: 'Allowed' }],
  ['a passkey that is due', users, { ...ada, passkeyDue: true }, { is: 'NeedsStepUp', stepUp: { is: 'Passkey' } }],
  ['a passkey that is due, at a rule that refuses', deny, { ...ada, passkeyDue: true }, { is: 'Refused', why: 'denied' }],
  ['a fresh session', requires({ fresh: 1001 }), ada, { is: 'Allowed' }],
  ['a session one millisecond too old', requires({ fresh: 1000 }), ada, { is: 'NeedsStepUp', stepUp: { is: 'Fresh', maxAge: 1000 } }],
  [
    'a second factor that is older than the confirmation',
    requires({ secondFactor: true, fresh: 60_000 }),
    { ...ada, factor: 'TOTP', factorProvenAt: now - 60_000 },
    { is: 'NeedsStepUp', stepUp: { is: 'Fresh', maxAge: 60_000 } },
  ],
  [
    'a second factor within the time',
    requires({ secondFactor: true, fresh: 60_000 }),
    { ...ada, factor: 'TOTP', factorProvenAt: now - 59_999, provenAt: 0 },
    { is: 'Allowed' },
  ],
  [
    'a session from the future',
    requires({ fresh: 1000 }),
    { ...ada, provenAt: now + 1 },
    { is: 'NeedsStepUp', stepUp: { is: 'Fresh', maxAge: 1000 } },
  ],
  [
    'a user who may not enter and has no second factor',
    { ...requires({ secondFactor: true }), who: [{ is: 'Administrators' }] },
    ada,
    { is: 'Refused', why: 'not-named' },
  ],
]

test.each(decisions)('decides: %s', (_, effect, subject, decision) => {
  expect(decide(effect, subject, now)).toEqual(decision)
})

/** Texts that are not targets, and what the error says. */
const noTargets: [string, string][] = [
  ['grafana.example.com/*', 'must begin with an origin'],
  ['https://*.example.com/*', 'must begin with an origin'],
  ['https://:host.example.com/*', 'must begin with an origin'],
  ['https://{a,b}.example.com/*', 'must begin with an origin'],
  ['https://Grafana.example.com/*', 'must begin with an origin'],
  ['https://grafana.example.com./*', 'must begin with an origin'],
  ['https://grafana.example.com:443/*', 'must begin with an origin'],
  ['https://user@grafana.example.com/*', 'must begin with an origin'],
  ['ftp://grafana.example.com/*', 'must begin with an origin'],
  [grafana, 'must have a path'],
  [`${grafana}?x`, 'must have a path'],
  [`${grafana}/x?y`, 'must not have a query'],
  [`${grafana}/x/*?y`, 'must not have a query'],
  [`${grafana}/x#y`, 'must not have a query'],
  [`${grafana}/%61dmin`, 'without percent-encoding'],
  [`${grafana}/a%2Fb`, 'without percent-encoding'],
  [`${grafana}/a/../b`, 'fits no request'],
  [`${grafana}/a;b`, 'fits no request'],
  [`${grafana}/a//b`, 'fits no request'],
  [`${grafana}//*`, 'fits no request'],
  [`${grafana}/x/(`, 'is not a pattern'],
  [`${grafana}/x/:`, 'is not a pattern'],
]

test.each(noTargets)('%s is not a target', (text, problem) => {
  const part = problem.endsWith('an origin') ? 'Origin' : problem.endsWith('a path') ? 'Path' : 'Pattern'
  expect(readTarget(text)).toEqual({ problem: expect.stringContaining(problem), part })
})

test.each([
  ['/x/*', ['/x/', '/x/y'], ['/x', '/xy', '/']],
  ['/x{/*}?', ['/x', '/x/', '/x/y/z'], ['/xy', '/']],
  ['/:team/board', ['/a/board', '/B/Board'], ['/a/b/board', '/board']],
  ['/api/(v1|v2)/*', ['/api/v1/x', '/api/V2/'], ['/api/x/x', '/api/v12/x']],
  ['/a/*/b', ['/a/x/b', '/a/x/y/b'], ['/a/b']],
  ['/a b/100%25', ['/a b/100%25'], ['/a b/100']],
  ['/:page?', ['/x'], ['/', '/x/y']],
])('the pattern %s fits %j and not %j', (text, fitting, others) => {
  const rules = rulesOf({ to: grafana + text })
  const answers = (paths: string[]) => paths.map(path => [path, numberOf(rules, path.replaceAll(' ', '%20'))])
  expect(answers(fitting)).toEqual(fitting.map(path => [path, 1]))
  expect(answers(others)).toEqual(others.map(path => [path, 'NoRule']))
})

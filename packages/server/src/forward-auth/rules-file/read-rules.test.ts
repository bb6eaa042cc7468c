import { expect, test } from 'vitest'
import { createRuleSet } from '../rules/rule-set.ts'
import { readRules } from './read-rules.ts'

const context = {
  coverProblem: (origin: string) => (origin.endsWith('.example.org') ? `no cookie reaches ${origin}` : undefined),
  trustsProxies: true,
}
const read = (text: string, more = {}) => readRules(text, { ...context, ...more })

test('reads every field of a rule', async () => {
  const { rules, groups, problems, warnings } = await read(`
groups:
  oncall: [Ada@Example.com, grace@example.com]
  nobody: []
rules:
  - to: https://status.example.com/*
    allow: everyone
  - to:
      - https://grafana.example.com/api/admin{/*}?
      - https://grafana.example.com/admin{/*}?
    methods: [POST, PUT]
    from: [10.0.0.0/8, 2001:db8::1]
    allow: [administrators, group:oncall, ada@example.com, '*@Ops.example.com']
    require: [second-factor, fresh: 5m]
  - to: https://grafana.example.com/*
    methods: GET
    allow: users
    require: phishing-resistant
  - to: https://grafana.example.com/*
    allow: users
    require:
      fresh: 24h
  - { to: https://old.example.com/*, deny: true }
`)
  expect([problems, warnings]).toEqual([[], []])
  expect([...groups]).toEqual([
    ['oncall', ['ada@example.com', 'grace@example.com']],
    ['nobody', []],
  ])
  const nothing = { secondFactor: false, phishingResistant: false, fresh: undefined }
  expect(rules.map(({ number, methods, from, effect }) => [number, methods && [...methods], from?.texts, effect])).toEqual([
    [1, undefined, undefined, { is: 'Everyone' }],
    [
      2,
      ['POST', 'PUT'],
      ['10.0.0.0/8', '2001:db8::1'],
      {
        is: 'Allow',
        who: [
          { is: 'Administrators' },
          { is: 'Group', group: 'oncall' },
          { is: 'Address', userIdent: 'ada@example.com' },
          { is: 'Domain', domain: 'ops.example.com' },
        ],
        require: { ...nothing, secondFactor: true, fresh: 300_000 },
      },
    ],
    [3, ['GET'], undefined, { is: 'Allow', who: [{ is: 'Users' }], require: { ...nothing, phishingResistant: true } }],
    [4, undefined, undefined, { is: 'Allow', who: [{ is: 'Users' }], require: { ...nothing, fresh: 86_400_000 } }],
    [5, undefined, undefined, { is: 'Deny' }],
  ])
  expect(createRuleSet(rules).origins).toEqual(['https://status.example.com', 'https://grafana.example.com', 'https://old.example.com'])
})

const rule = (lines: string) => `rules:\n  - to: https://a.example.com/*\n${lines.replace(/^/gm, '    ')}\n`

/** A file, and the one problem it has: line, column and a part of the sentence. */
const wrong: [string, number, number, string][] = [
  ['', 1, 1, 'the file must have groups, rules'],
  ['# nothing\n', 1, 1, 'the file must have groups, rules'],
  ['rules: []', 1, 8, 'rules must be a list of at least one rule'],
  ['groups: {}', 1, 1, 'rules must be a list of at least one rule'],
  ['rule:\n  - x', 1, 1, '‘rule’ is not part of the file'],
  ['rules:\n  - to: [', 2, 10, 'Flow sequence in block collection must be'],
  ['rules:\n\t- to: x', 2, 1, 'Tabs are not allowed as indentation'],
  [`${rule('allow: users')}rules: []`, 4, 1, 'Map keys must be unique'],
  [`${rule('allow: users')}---\n${rule('allow: everyone')}`, 4, 1, 'Source contains multiple documents'],
  [rule('allow: users\nallow: everyone'), 4, 5, 'Map keys must be unique'],
  [rule('allow: users\nalow: everyone'), 4, 5, '‘alow’ is not part of a rule'],
  [rule('allow: !!js/function x'), 3, 12, 'Unresolved tag'],
  [rule('allow: *@ops.example.com'), 3, 12, 'put quotes around ‘*@ops.example.com’'],
  [rule('allow: &x users\n<<: *x'), 4, 9, 'put quotes around'],
  ['rules:\n  - allow: users', 2, 5, 'the rule must have to'],
  ['rules:\n  - users', 2, 5, 'a rule must have to, methods'],
  ['rules:\n  - to: a.example.com\n    allow: users', 2, 9, '‘a.example.com’ must begin with an origin'],
  ['rules:\n  - to: [https://a.example.com/*, https://*.example.com/*]\n    allow: users', 2, 35, 'must begin with an origin'],
  ['rules:\n  - to: https://a.example.com\n    allow: users', 2, 9, '‘https://a.example.com’ must have a path'],
  ['rules:\n  - to: [https://a.example.com/*, https://a.example.com/:a-:b]\n    allow: users', 2, 35, 'must not have two of * and :name'],
  ["rules:\n  - to: 'https://a.example.com/((?:a+)+)b'\n    allow: users", 2, 9, 'must have only words in parentheses'],
  ['rules:\n  - to: https://a.example.org/*\n    allow: users', 2, 9, 'no cookie reaches https://a.example.org'],
  ['rules:\n  - to:\n    allow: users', 2, 8, 'to must be a text'],
  [rule('methods: GET'), 2, 5, 'the rule must have allow or deny'],
  [rule('allow:'), 3, 11, 'allow must be a text'],
  [rule('allow: []'), 3, 12, 'allow names no one'],
  [rule('allow: admins'), 3, 12, '‘admins’ must be everyone, users'],
  [rule('allow: [users, group:Oncall]'), 3, 20, '‘group:Oncall’ must be'],
  [rule('allow: group:administrators'), 3, 12, '‘group:administrators’ must be'],
  [rule('allow: [everyone, users]'), 3, 12, 'everyone includes all others'],
  [rule('allow: everyone\nrequire: second-factor'), 4, 14, 'everyone needs no sign-in, so nothing can be required'],
  [rule('allow: everyone\nrequire: { fresh: 5m }'), 4, 14, 'everyone needs no sign-in'],
  ['rules:\n  - to: []\n    allow: users', 2, 9, 'to must not be an empty list'],
  [rule('deny: true\nmethods: []'), 4, 14, 'methods must not be an empty list'],
  [rule('deny: true\nfrom: []'), 4, 11, 'from must not be an empty list'],
  [rule('allow: users\nrequire: []'), 4, 14, 'require must not be an empty list'],
  [rule('allow: users\nrequire: [fresh: 1m, second-factor, fresh: 24h]'), 4, 41, 'fresh must stand once in require'],
  [rule('deny: yes'), 3, 11, 'deny must be true'],
  [rule('deny: true\nallow: users'), 4, 12, 'a rule that denies has neither'],
  [rule('deny: true\nrequire: second-factor'), 4, 14, 'a rule that denies has neither'],
  [rule('allow: users\nrequire: totp'), 4, 14, 'require must be second-factor'],
  [rule('allow: users\nrequire: { fresh: 5m, second-factor: true }'), 4, 14, 'require must be second-factor'],
  ...['5', '0m', '29s', '25h', '-5m', '5 m', '5M', '1e1m', '1441m'].map((text): [string, number, number, string] => [
    rule(`allow: users\nrequire: { fresh: ${text} }`),
    4,
    23,
    'fresh must be a duration',
  ]),
  [rule('allow: users\nmethods: [GET, post]'), 4, 20, '‘post’ must be a method in capitals'],
  [rule('allow: users\nmethods: "*"'), 4, 14, '‘*’ must be a method in capitals'],
  [rule('allow: users\nfrom: 0.0.0.0/0'), 4, 11, '‘0.0.0.0/0’ must be an address or a network'],
  [rule('allow: users\nfrom: home'), 4, 11, '‘home’ must be an address or a network'],
  [`${rule('allow: users')}groups:\n  On-Call: [ada@example.com]`, 5, 3, 'the group ‘On-Call’ must have 1 to 63'],
  ...[
    'administrators',
    'users',
    'everyone',
    'pass',
    'services',
    '"a,b"',
    '"a b"',
    '"a\\nb"',
    '-a',
    '"\\u0000"',
    'Administrators',
    'a'.repeat(64),
  ].map((name): [string, number, number, string] => [`${rule('allow: users')}groups:\n  ${name}: [ada@example.com]`, 5, 3, 'the group ‘']),
  [`${rule('allow: users')}groups:\n  oncall: ada`, 5, 11, '‘ada’ must be one email address'],
  [
    'rules:\n  - { to: https://a.example.com/*, allow: users }\n  - { to: https://a.example.com:8443/*, allow: everyone }',
    3,
    5,
    'https://a.example.com and https://a.example.com:8443 must have the same rules',
  ],
  [
    'rules:\n  - { to: https://a.example.com/*, allow: users }\n  - { to: http://a.example.com/x, allow: users }',
    3,
    5,
    'https://a.example.com and http://a.example.com must have the same rules',
  ],
]

test.each(wrong)('refuses %j at %i:%i', async (text, line, column, sentence) => {
  expect(await read(text)).toMatchObject({
    problems: [{ line, column, text: expect.stringContaining(sentence) }],
  })
})

test('lists every problem of a file at once', async () => {
  const { problems } = await read('rules:\n  - to: a\n    allow: b\n    from: c\n  - deny: d\ngroups:\n  E: f\n', { trustsProxies: false })
  expect(problems.map(({ line }) => line).sort()).toEqual([2, 3, 4, 4, 5, 5, 7, 7])
})

test('`from` requires trusted proxies', async () => {
  const text = rule('allow: everyone\nfrom: 10.0.0.0/8')
  expect((await read(text)).problems).toEqual([])
  expect((await read(text, { trustsProxies: false })).problems).toEqual([
    { line: 4, column: 11, text: 'from needs GATEHOUSE_TRUSTED_PROXIES: without it every client has the address of the proxy.' },
  ])
})

test('accepts the same rules for all origins of one host', async () => {
  const { problems } = await read(`
rules:
  - { to: ['https://a.example.com/x/*', 'https://a.example.com:8443/x/*'], deny: true, methods: [GET, POST] }
  - { to: 'https://b.example.com/*', allow: everyone }
  - { to: ['https://a.example.com:8443/*', 'https://a.example.com/*'], allow: users }
`)
  expect(problems).toEqual([])
})

const a = 'https://a.example.com'
/** Rules in short form, and the only warning about them, if there is one. */
const doubtful: [string[], string | undefined][] = [
  [
    [`{ to: '${a}/*', allow: users }`, `{ to: '${a}/x', allow: everyone }`],
    'rule 2 decides nothing: every request to it fits rule 1 first.',
  ],
  [[`{ to: '${a}/x/*', allow: users }`, `{ to: '${a}/X/y/*', allow: everyone }`], 'rule 2 decides nothing'],
  [[`{ to: '${a}/x', allow: users }`, `{ to: '${a}/x', allow: everyone }`], 'rule 2 decides nothing'],
  [[`{ to: '${a}/x/*', allow: users }`, `{ to: '${a}/x*', allow: everyone }`], 'rule 1 does not fit /x'],
  [[`{ to: '${a}/*', methods: GET, allow: users }`, `{ to: '${a}/x', methods: GET, deny: true }`], 'rule 2 decides nothing'],
  [[`{ to: '${a}/*', methods: GET, allow: users }`, `{ to: '${a}/x', deny: true }`], undefined],
  [[`{ to: '${a}/*', from: 10.0.0.0/8, allow: users }`, `{ to: '${a}/x', deny: true }`], undefined],
  [
    [`{ to: '${a}/*', from: [10.0.0.0/8, 10.1.1.1], allow: users }`, `{ to: '${a}/x', from: 10.1.1.1, deny: true }`],
    'rule 2 decides nothing',
  ],
  [
    [`{ to: '${a}/x/*', deny: true }`, `{ to: '${a}/*', allow: users }`],
    'rule 1 does not fit /x, which rule 2 leaves to more users; write /x{/*}? to include it.',
  ],
  [
    [`{ to: '${a}/x', deny: true }`, `{ to: '${a}/*', allow: users }`],
    'rule 1 does not fit /x/, which rule 2 leaves to more users; write /x{/}? to include it.',
  ],
  [[`{ to: '${a}/x{/*}?', deny: true }`, `{ to: '${a}/*', allow: users }`], undefined],
  [[`{ to: ['${a}/x/*', '${a}/x'], deny: true }`, `{ to: '${a}/*', allow: users }`], undefined],
  [[`{ to: '${a}/x/*', allow: administrators }`, `{ to: '${a}/*', allow: users }`], 'rule 1 does not fit /x'],
  [[`{ to: '${a}/x/*', allow: users }`, `{ to: '${a}/*', allow: administrators }`], undefined],
  [[`{ to: '${a}/x/*', allow: users, require: second-factor }`, `{ to: '${a}/*', allow: users }`], 'rule 1 does not fit /x'],
  [
    [`{ to: '${a}/x/*', allow: users, require: { fresh: 5m } }`, `{ to: '${a}/*', allow: users, require: { fresh: 6m } }`],
    'rule 1 does not fit /x',
  ],
  [[`{ to: '${a}/x/*', allow: users, require: second-factor }`, `{ to: '${a}/*', allow: users, require: phishing-resistant }`], undefined],
  [[`{ to: '${a}/x/*', allow: everyone }`, `{ to: '${a}/*', allow: users }`], undefined],
  [[`{ to: '${a}/x/*', deny: true }`, `{ to: '${a}/y/*', allow: users }`], undefined],
  [[`{ to: '${a}/x/*', deny: true }`, `{ to: 'https://b.example.com/*', allow: users }`], undefined],
  [
    [`{ to: '${a}/x/*', deny: true }`, `{ to: '${a}/*', from: 10.1.1.1, allow: everyone }`, `{ to: '${a}/*', deny: true }`],
    'rule 1 does not fit /x',
  ],
  [[`{ to: '${a}/x/*', deny: true }`, `{ to: '${a}/x', deny: true }`, `{ to: '${a}/*', allow: users }`], undefined],
]

test.each(doubtful)('the warning about the rules %j, if any: %s', async (rules, warning) => {
  const { problems, warnings } = await read(`rules:\n${rules.map(one => `  - ${one}\n`).join('')}`)
  expect(problems).toEqual([])
  expect(warnings.map(({ text }) => text)).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)])
})

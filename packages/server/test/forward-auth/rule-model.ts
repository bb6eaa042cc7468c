import fc from 'fast-check'
import { expect } from 'vitest'
import { decide, type Subject } from '../../src/forward-auth/rules/decision.ts'
import { createNetworks } from '../../src/forward-auth/rules/networks.ts'
import type { Effect, Requirement, Rule, Target, Who } from '../../src/forward-auth/rules/rule.ts'
import { createRuleSet, type RuleSet } from '../../src/forward-auth/rules/rule-set.ts'
import { readTarget } from '../../src/forward-auth/rules/target.ts'

// A second, slow implementation of the rules, without URLPattern, BlockList, an index or early exits. It compares paths segment by segment.

type Plain = {
  origins: string[]
  path: { folder: string; below: boolean; itself: boolean }
  methods: string[] | undefined
  from: string[] | undefined
  effect: Effect
}

const origins = ['https://a.example.com', 'https://a.example.com:8443', 'http://b.example.com']
const segments = ['a', 'B', 'c d', 'é', '%', 'Σς']
/** In a rule's path: matches any one segment that is not empty. */
const anySegment = ':'
/** Names that only requests contain. Where rules differ by path, the server refuses `unclearNames`. */
const otherNames = ['A', 'x', 'É', 'E\u0301', 'σΣ', '']
const unclearNames = ['\u0130', '\u00df', 'a\u200b', 'a\u2215', '\uff21']
const slashes = ['/', '/', '/', '//', '%2f', '/%2F', '%2F//']
const groups = ['oncall', 'ops']
const users = ['ada@example.com', 'bob@ops.example.com', 'eve@x.ops.example.com']
const now = 10_000_000

const folder = fc.array(fc.constantFrom(...segments, anySegment), { maxLength: 3 }).map(names => names.map(name => `/${name}`).join(''))
const who: fc.Arbitrary<Who> = fc.oneof(
  fc.constant<Who>({ is: 'Users' }),
  fc.constant<Who>({ is: 'Administrators' }),
  fc.constantFrom(...users).map((userIdent): Who => ({ is: 'Address', userIdent })),
  fc.constantFrom('example.com', 'ops.example.com').map((domain): Who => ({ is: 'Domain', domain })),
  fc.constantFrom(...groups).map((group): Who => ({ is: 'Group', group })),
)
const rarely = fc.constantFrom(true, false, false)
const require: fc.Arbitrary<Requirement> = fc.record({
  secondFactor: rarely,
  phishingResistant: rarely,
  fresh: fc.constantFrom(undefined, undefined, 1000, 60_000),
})
const effect: fc.Arbitrary<Effect> = fc.oneof(fc.constant<Effect>({ is: 'Deny' }), fc.constant<Effect>({ is: 'Everyone' }), {
  weight: 4,
  arbitrary: fc.record({ is: fc.constant('Allow' as const), who: fc.array(who, { minLength: 1, maxLength: 3 }), require }),
})
const networks = ['10.0.0.0/8', '10.1.0.0/16', '192.0.2.7']
const plainRule: fc.Arbitrary<Plain> = fc.record({
  origins: fc.subarray(origins, { minLength: 1 }),
  path: fc.record({ folder, below: fc.boolean(), itself: fc.boolean() }).filter(({ below, itself }) => below || itself),
  methods: fc.option(fc.subarray(['GET', 'POST', 'HEAD'], { minLength: 1 }), { nil: undefined, freq: 2 }),
  from: fc.option(fc.subarray(networks, { minLength: 1 }), { nil: undefined, freq: 2 }),
  effect,
})
const asked = fc.record({
  origin: fc.constantFrom(...origins, 'https://c.example.com'),
  /** Segments, each with its spelling and the slashes after it. */
  path: fc.array(
    fc.record({
      name: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...segments, ...otherNames) },
        { weight: 1, arbitrary: fc.constantFrom(...unclearNames) },
      ),
      encoded: fc.boolean(),
      slashes: fc.constantFrom(...slashes),
    }),
    { maxLength: 4 },
  ),
  firstSlashes: fc.constantFrom('/', '/', '//', '/%2f'),
  query: fc.constantFrom('', '?', '?/a/../b%zz'),
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
  address: fc.constantFrom('10.0.0.1', '10.1.2.3', '192.0.2.7', '192.0.2.8', '2001:db8::1', ''),
})
const instant = fc.constantFrom(now, now - 999, now - 1000, now - 59_999, now - 60_000, 0, now + 1)
const subject: fc.Arbitrary<Subject> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Subject>({ is: 'SignedOut' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('SignedIn' as const),
      userIdent: fc.constantFrom(...users),
      administrator: fc.boolean(),
      groups: fc.subarray(groups),
      factor: fc.constantFrom(null, 'TOTP' as const, 'Passkey' as const, 'Provider' as const),
      passkeyDue: rarely,
      provenAt: instant,
      factorProvenAt: fc.option(instant, { nil: undefined }),
    }),
  },
)
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

const encode = (text: string) => [...new TextEncoder().encode(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
/** Writes a path. The last segment has no slashes after it. */
const write = ({ firstSlashes, path }: Asked, spell: (segment: Asked['path'][number]) => string) =>
  firstSlashes + path.map((one, index) => spell(one) + (index < path.length - 1 ? one.slashes : '')).join('')
const spell = (one: Asked) => write(one, ({ name, encoded }) => (encoded ? encode(name) : encodeURIComponent(name))) + one.query

const texts = ({ path }: Plain): string[] => {
  const name = path.folder.replaceAll('%', '%25').replace(/:/g, (sign, index) => `${sign}n${index}`)
  return [...(path.below ? [`${name}/*`] : []), ...(path.itself ? [name || '/'] : [])]
}
const toRule = (plain: Plain, index: number): Rule => ({
  number: index + 1,
  to: plain.origins.flatMap(origin =>
    texts(plain).map((text): Target => {
      const target = readTarget(origin + text)
      if ('problem' in target) throw new Error(target.problem)
      return target
    }),
  ),
  methods: plain.methods && new Set(plain.methods),
  from: plain.from && createNetworks(plain.from),
  effect: plain.effect,
})

const lower = (text: string) =>
  text
    .replace(/[A-Z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 32))
    .replace(/É|e\u0301/g, 'é')
    .replace(/[Σς]/g, 'σ')

/** Whether a rule fits one reading of a path, as segments. */
const fitsPath = ({ path }: Plain, names: string[]): boolean => {
  const wanted = path.folder.split('/').slice(1)
  const isStart = wanted.every((name, index) => {
    const given = names[index]
    return given !== undefined && (name === anySegment ? given !== '' : lower(given) === lower(name))
  })
  if (!isStart) return false
  if (names.length > wanted.length) return path.below || (path.itself && path.folder === '' && names.length === 1 && names[0] === '')
  return path.itself && names.length === wanted.length && path.folder !== ''
}

const isIn = (address: string, network: string): boolean => {
  const [base = '', bits = '32'] = network.split('/')
  const count = Number(bits) / 8
  return address.includes('.') && address.split('.').slice(0, count).join('.') === base.split('.').slice(0, count).join('.')
}

/** Why a rule does not fit a request. */
type Miss = 'another origin' | 'another path' | 'another method' | 'another network'

/** The first condition that the request does not meet, or `undefined` if the rule fits one reading of its path. */
const missOf = (plain: Plain, one: Asked, names: string[]): Miss | undefined => {
  if (!plain.origins.includes(one.origin)) return 'another origin'
  if (!fitsPath(plain, names)) return 'another path'
  const method = one.method === 'HEAD' && plain.methods?.includes('GET') ? 'GET' : one.method
  if (plain.methods && !plain.methods.includes(method)) return 'another method'
  return !plain.from || plain.from.some(network => isIn(one.address, network)) ? undefined : 'another network'
}

const isNamed = (who: Who, { userIdent, administrator, groups }: Extract<Subject, { is: 'SignedIn' }>): boolean => {
  if (who.is === 'Users') return true
  if (who.is === 'Administrators') return administrator
  if (who.is === 'Address') return userIdent === who.userIdent
  if (who.is === 'Domain') return userIdent.split('@')[1] === who.domain
  return who.is === 'Group' && groups.includes(who.group)
}

const answer = (plain: Plain, subject: Subject): string => {
  const { effect } = plain
  if (effect.is === 'Deny') return 'Refused'
  if (effect.is === 'Everyone') return 'AllowedToEveryone'
  if (subject.is === 'SignedOut') return 'NeedsSignIn'
  if (!effect.who.some(who => isNamed(who, subject))) return 'Refused'
  const { secondFactor, phishingResistant, fresh } = effect.require
  if (secondFactor && !subject.factor) return 'NeedsStepUp'
  if (phishingResistant && subject.factor !== 'Passkey') return 'NeedsStepUp'
  if (subject.passkeyDue) return 'NeedsStepUp'
  const proved = secondFactor || phishingResistant ? subject.factorProvenAt : subject.provenAt
  if (fresh !== undefined && !(proved !== undefined && proved <= now && proved > now - fresh)) return 'NeedsStepUp'
  return 'Allowed'
}

/** Every way to read slashes. A NUL stands for an encoded slash that a program does not decode. */
const readingsOf = (one: Asked): string[][] => {
  const written = write(one, ({ name }) => name).replace(/%2f/gi, '\u0000')
  const merge = (path: string) => {
    let merged = path
    while (merged.includes('//')) merged = merged.replace('//', '/')
    return merged
  }
  const decode = (path: string) => path.split('\u0000').join('/')
  const readings = [written, merge(written), decode(written), decode(merge(written)), merge(decode(written))]
  return readings.map(path => path.slice(1).split('/'))
}

/** The index of the deciding rule and the answer. `unclear` if different readings of the slashes lead to different rules. */
const model = (rules: Plain[], one: Asked, subject: Subject, noteMiss: (miss: Miss) => void): string => {
  const ofOrigin = rules.filter(rule => rule.origins.includes(one.origin))
  if (ofOrigin.length === 0) return 'no rule'
  const differByPath = ofOrigin.some(rule => texts(rule).some(text => text !== '/*'))
  if (differByPath && one.path.some(({ name }) => unclearNames.includes(name))) return 'unclear'
  const fits = (rule: Plain, reading: string[]) => {
    const miss = missOf(rule, one, reading)
    if (miss) noteMiss(miss)
    return !miss
  }
  const numbers = readingsOf(one).map(reading => rules.findIndex(rule => fits(rule, reading)))
  if (new Set(numbers).size > 1) return 'unclear'
  const rule = rules[numbers[0] ?? -1]
  return rule ? `${numbers[0]} ${answer(rule, subject)}` : 'no rule'
}

const evaluator = (rules: RuleSet, one: Asked, subject: Subject): string => {
  const found = rules.find({ ...one, uri: spell(one) })
  switch (found.is) {
    case 'Unclear':
      return 'unclear'
    case 'NoRule':
      return 'no rule'
    case 'Rule':
      return `${found.rule.number - 1} ${decide(found.rule.effect, subject, now).is}`
  }
}

/** Requests for each random list of rules. To read the rules takes several times as long as to find one for a request. */
const perList = 4
const request = fc.record({ asked, subject, near: fc.option(fc.nat(), { nil: undefined, freq: 2 }) })

/** Moves a request to the origin of a rule and below its path. Random paths rarely fit a rule with several segments. */
const below = (rule: Plain | undefined, one: Asked): Asked => {
  const names = rule?.path.folder.split('/').slice(1) ?? []
  const start = names.map((name, index) => ({
    ...(one.path[index] ?? { encoded: false, slashes: '/' }),
    name: name === anySegment ? 'x' : name,
  }))
  return { ...one, origin: rule?.origins[0] ?? one.origin, path: [...start, ...one.path.slice(2)] }
}

/**
 * Compares the evaluator with the model, in random cases: a case is a request to a list of rules.
 * @returns how often the model gave each answer, how often it found each reason why a rule does not fit, and how often rules with paths of
 * each depth decided
 */
export const compareWithModel = (cases: number) => {
  const answers = new Map<string, number>()
  const misses = new Map<string, number>()
  const depths = new Map<number, number>()
  const count = <T>(counts: Map<T, number>, what: T) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const lists = fc.array(plainRule, { minLength: 1, maxLength: 5 })
  const requests = fc.array(request, { minLength: perList, maxLength: perList })
  const each = fc.property(lists, requests, (rules, requests) => {
    const read = createRuleSet(rules.map(toRule))
    for (const { asked, subject, near } of requests) {
      const one = near === undefined ? asked : below(rules[near % rules.length], asked)
      const expected = model(rules, one, subject, miss => count(misses, miss))
      count(answers, expected.replace(/^\d+ /, ''))
      const decides = rules[Number.parseInt(expected, 10)]
      if (decides) count(depths, decides.path.folder.split('/').length - 1)
      expect(evaluator(read, one, subject)).toBe(expected)
    }
  })
  fc.assert(each, { numRuns: Math.ceil(cases / perList) })
  return { answers, misses, depths }
}

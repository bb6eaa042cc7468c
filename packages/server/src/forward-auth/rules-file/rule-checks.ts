import { foldCase } from '../rules/letters.ts'
import type { Effect, Requirement, Rule, Target, Who } from '../rules/rule.ts'

type About = { rule: Rule; text: string }

/**
 * All origins of a host must have the same rules. Attack: the port comes from the Host header, so a
 * client could choose among the rules of one host.
 */
export const portProblems = (rules: readonly Rule[]): About[] => {
  const origins = [...new Set(rules.flatMap(({ to }) => to.map(({ origin }) => origin)))]
  return origins.flatMap((origin, index) => {
    const { hostname } = new URL(origin)
    const first = origins.slice(0, index).find(other => new URL(other).hostname === hostname)
    if (first === undefined || listFor(rules, first) === listFor(rules, origin)) return []
    const rule = rules.find(({ to }) => to.some(target => target.origin === origin))
    const text = `${first} and ${origin} must have the same rules, because a client can claim either port of ${hostname}; name both in each to, or give them different host names`
    return rule ? [{ rule, text }] : []
  })
}

/** A canonical text of the rules of an origin. */
const listFor = (rules: readonly Rule[], origin: string): string =>
  JSON.stringify(
    rules.flatMap(({ to, methods, from, effect }) =>
      to
        .filter(target => target.origin === origin)
        .map(({ path }) => [path?.text ?? '/*', methods ? [...methods].sort() : null, from ? [...from.texts].sort() : null, effect]),
    ),
  )

/** Rules that no request reaches, and paths that a rule seems to protect but leaves to a looser one. */
export const warningsOf = (rules: readonly Rule[]): About[] =>
  rules.flatMap((rule, index) => {
    const before = rules.slice(0, index)
    const cover = before.find(other => rule.to.every(target => other.to.some(one => covers(one, target))) && isNoNarrower(other, rule))
    if (cover) return [{ rule, text: `rule ${rule.number} decides nothing: every request to it fits rule ${cover.number} first` }]
    return rule.to.flatMap(target => leftOpen(rule, target, rules))
  })

/** Whether `wide` includes every method and network of `narrow`. */
const isNoNarrower = (wide: Rule, narrow: Rule): boolean => {
  const hasMethods = wide.methods === undefined || (narrow.methods && [...narrow.methods].every(method => wide.methods?.has(method)))
  const hasNetworks = wide.from === undefined || narrow.from?.texts.every(text => wide.from?.texts.includes(text))
  return Boolean(hasMethods && hasNetworks)
}

/** Whether `wide` certainly covers every path of `narrow`. It may also return false for a pair where `wide` covers all. */
const covers = (wide: Target, narrow: Target): boolean => {
  if (wide.origin !== narrow.origin) return false
  if (wide.path === undefined || wide.path.text === narrow.path?.text) return true
  const folder = /^(\/[^*{}():?+\\]*)\*$/.exec(wide.path.text)?.[1]
  return folder !== undefined && narrow.path !== undefined && plainStart(narrow.path.text).startsWith(foldCase(folder))
}

/** The part of a pattern before its first special character. */
const plainStart = (text: string) => foldCase(/^[^*{}():?+\\]*/.exec(text)?.[0] ?? '')

/**
 * Attack: a rule on /x/* does not match /x, and one on /x does not match /x/. Many applications
 * answer both the same way.
 */
const leftOpen = (rule: Rule, { origin, path }: Target, rules: readonly Rule[]): About[] => {
  const [, folder, rest] = /^(\/[^*{}():?+\\]*?)(\/\*|\/?)$/.exec(path?.text ?? '') ?? []
  if (folder === undefined || folder === '' || folder === '/') return []
  const twin = rest === '' ? `${folder}/` : folder
  // If the first rule for the twin path has only some methods or networks, later rules can decide
  // it too. Ignore earlier rules that cover this rule: they treat both paths the same.
  const others = rules.filter(
    other =>
      other !== rule &&
      other.to.some(to => to.origin === origin && (to.path?.fits(foldCase(twin)) ?? true)) &&
      !(other.number < rule.number && other.to.some(to => covers(to, { origin, path }))),
  )
  if (rule.to.some(to => to.origin === origin && (to.path?.fits(foldCase(twin)) ?? true))) return []
  const first = others.findIndex(other => isNoNarrower(other, rule))
  const looser = (first === -1 ? others : others.slice(0, first + 1)).find(other => isLooser(other.effect, rule.effect))
  if (!looser) return []
  const both = rest === '/*' ? `${folder}{/*}?` : `${folder}{/}?`
  const text = `rule ${rule.number} does not fit ${twin}, which rule ${looser.number} leaves to more users; write ${both} to include it`
  return [{ rule, text }]
}

/** Whether an effect may let a request pass that the other one stops. */
const isLooser = (effect: Effect, than: Effect): boolean => {
  if (effect.is === 'Deny' || than.is === 'Everyone') return false
  if (effect.is === 'Everyone' || than.is === 'Deny') return true
  const named = new Set(than.who.map(keyOf))
  const addsUsers = !named.has(keyOf({ is: 'Users' })) && effect.who.some(who => !named.has(keyOf(who)))
  return addsUsers || isWeaker(effect.require, than.require)
}

const keyOf = (who: Who) => JSON.stringify(who)

const isWeaker = (one: Requirement, than: Requirement): boolean =>
  (than.secondFactor && !one.secondFactor && !one.phishingResistant) ||
  (than.phishingResistant && !one.phishingResistant) ||
  (than.fresh !== undefined && (one.fresh === undefined || one.fresh > than.fresh))

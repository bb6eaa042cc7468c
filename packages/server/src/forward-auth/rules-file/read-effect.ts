import { hours, minutes, seconds } from '../../durations.ts'
import { limits } from '../../limits.ts'
import { canonicalUsername } from '../../users/username.ts'
import { isGroupName } from '../rules/group-names.ts'
import type { Effect, Requirement, Who } from '../rules/rule.ts'
import type { Fields, Report } from './read-fields.ts'
import { itemsOf, textsOf } from './read-fields.ts'
import type { Place, Value } from './yaml-tree.ts'

/** Reads what a rule does: `allow` with `require`, or `deny`. */
export const readEffect = (fields: Fields, at: Place, { problem, warn }: Report): Effect | undefined => {
  const [allow, require, deny] = [fields.get('allow'), fields.get('require'), fields.get('deny')]
  if (deny) {
    if (deny.is !== 'Text' || deny.text !== 'true') problem(deny.at, 'deny must be true')
    if (allow || require) problem((allow ?? require ?? deny).at, 'a rule that denies has neither allow nor require')
    return { is: 'Deny' }
  }
  if (!allow) {
    problem(at, 'the rule must have allow or deny')
    return undefined
  }
  const isEmpty = allow.is === 'List' && allow.items.length === 0
  const words = isEmpty ? [] : textsOf(allow, 'allow', problem)
  const requirement = require ? readRequirement(require, problem) : noRequirement
  if (isEmpty) problem(allow.at, 'allow names no one; write deny: true to refuse everyone')
  if (words.some(({ text }) => text === 'everyone')) {
    if (words.length > 1) problem(allow.at, 'everyone includes all others; write it alone')
    if (require) problem(require.at, 'everyone needs no sign-in, so nothing can be required; write users instead of everyone')
    return { is: 'Everyone' }
  }
  const who = words.map(({ text, at }) => {
    const one = readWho(text)
    if (!one) problem(at, `‘${text}’ must be everyone, users, administrators, pass, group: and a name, an address, or *@ and a domain`)
    return one
  })
  // A pass proves no sign-in and no second factor, so no program can do what `require` asks.
  const admitsPasses = who.some(one => one?.is === 'Pass')
  if (require && admitsPasses) warn(require.at, 'passes satisfy no require, so this rule admits none; add a rule for passes before it')
  return { is: 'Allow', who: who.filter(one => one !== undefined), require: requirement }
}

const readWho = (word: string): Who | undefined => {
  if (word === 'users') return { is: 'Users' }
  if (word === 'pass') return { is: 'Pass' }
  if (word === 'administrators') return { is: 'Administrators' }
  const group = /^group:(.*)$/.exec(word)?.[1]
  if (group !== undefined) return isGroupName(group) ? { is: 'Group', group } : undefined
  // A placeholder name makes `*@domain` a valid address.
  const userIdent = canonicalUsername(word.replace(/^\*@/, 'anybody@'))
  if (userIdent === undefined) return undefined
  return word.startsWith('*@') ? { is: 'Domain', domain: userIdent.slice('anybody@'.length) } : { is: 'Address', userIdent }
}

const noRequirement: Requirement = { secondFactor: false, phishingResistant: false, fresh: undefined }

/** Reads `require`: a word, a map with `fresh`, or a list of both. */
const readRequirement = (value: Value, problem: Report['problem']): Requirement => {
  const items = itemsOf(value, 'require', problem)
  const [, second] = items.filter(item => item.is === 'Map' && item.fields[0]?.name === 'fresh')
  if (second) problem(second.at, 'fresh must stand once in require')
  return Object.assign({}, noRequirement, ...items.map(item => readRequired(item, problem)))
}

const readRequired = (value: Value, problem: Report['problem']): Partial<Requirement> => {
  if (value.is === 'Text' && value.text === 'second-factor') return { secondFactor: true }
  if (value.is === 'Text' && value.text === 'phishing-resistant') return { phishingResistant: true }
  const [field, ...more] = value.is === 'Map' ? value.fields : []
  if (field?.name !== 'fresh' || more.length > 0) {
    problem(value.at, 'require must be second-factor, phishing-resistant, or fresh: and a duration such as 5m')
    return {}
  }
  const fresh = field.value.is === 'Text' ? readDuration(field.value.text) : undefined
  if (fresh === undefined) problem(field.value.at, 'fresh must be a duration from 30s to 24h, such as 90s, 5m or 1h')
  return { fresh }
}

const units = { s: seconds, m: minutes, h: hours }

const readDuration = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  if (amount === undefined) return undefined
  const duration = units[unit as keyof typeof units](Number(amount))
  return duration >= seconds(30) && duration <= limits.session.absolute ? duration : undefined
}

import type { Effect, Requirement, Rule, Who } from './rule.ts'

/** Who a rule admits, in words: `administrators and ada@example.com can open it, with a second factor`. */
export const describeEffect = (effect: Effect): string => {
  switch (effect.is) {
    case 'Deny':
      return 'no one can open it'
    case 'Everyone':
      return 'everyone can open it without signing in'
    case 'Allow':
      return `${effect.who.map(describeWho).join(' and ')} can open it${describeRequirement(effect.require)}`
  }
}

const describeWho = (who: Who): string => {
  switch (who.is) {
    case 'Users':
      return 'everyone who is signed in'
    case 'Administrators':
      return 'administrators'
    case 'Address':
      return who.userIdent
    case 'Domain':
      return `everyone at ${who.domain}`
    case 'Group':
      return `the group ${who.group}`
    case 'Pass':
      return 'programs with a pass'
  }
}

const describeRequirement = ({ secondFactor, phishingResistant, fresh }: Requirement): string => {
  const parts = [
    ...(secondFactor ? ['with a second factor'] : []),
    ...(phishingResistant ? ['with a passkey'] : []),
    ...(fresh === undefined ? [] : [`at most ${describeDuration(fresh)} after signing in`]),
  ]
  return parts.length > 0 ? `, ${parts.join(', ')}` : ''
}

const describeDuration = (ms: number): string => {
  const { count, unit } = countDuration(ms)
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}

/** A duration in the largest unit that needs no fraction. */
export const countDuration = (ms: number): { count: number; unit: 'hours' | 'minutes' | 'seconds' } => {
  if (ms % 3_600_000 === 0) return { count: ms / 3_600_000, unit: 'hours' }
  return ms % 60_000 === 0 ? { count: ms / 60_000, unit: 'minutes' } : { count: ms / 1000, unit: 'seconds' }
}

/** A rule as the rules file writes it, in one line. */
export const writeRule = ({ to, methods, from, effect }: Rule): string => {
  const list = (texts: readonly string[]) => (texts.length === 1 ? quote(texts[0] ?? '') : `[${texts.map(quote).join(', ')}]`)
  const parts = [
    `to: ${list(to.map(({ origin, path }) => origin + (path?.text ?? '/*')))}`,
    ...(methods ? [`methods: ${list([...methods])}`] : []),
    ...(from ? [`from: ${list(from.texts)}`] : []),
    ...writeEffect(effect, list),
  ]
  return `- { ${parts.join(', ')} }`
}

/** Inside braces, several characters have a meaning in YAML. */
const quote = (text: string) => (/^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`)

const writeEffect = (effect: Effect, list: (texts: readonly string[]) => string): string[] => {
  switch (effect.is) {
    case 'Deny':
      return ['deny: true']
    case 'Everyone':
      return ['allow: everyone']
    case 'Allow': {
      const { secondFactor, phishingResistant, fresh } = effect.require
      const required = [
        ...(secondFactor ? ['second-factor'] : []),
        ...(phishingResistant ? ['phishing-resistant'] : []),
        ...(fresh === undefined ? [] : [`fresh: ${fresh / 1000}s`]),
      ]
      return [`allow: ${list(effect.who.map(wordOf))}`, ...(required.length > 0 ? [`require: [${required.join(', ')}]`] : [])]
    }
  }
}

const wordOf = (who: Who): string => {
  switch (who.is) {
    case 'Users':
      return 'users'
    case 'Administrators':
      return 'administrators'
    case 'Address':
      return who.userIdent
    case 'Domain':
      return `*@${who.domain}`
    case 'Group':
      return `group:${who.group}`
    case 'Pass':
      return 'pass'
  }
}

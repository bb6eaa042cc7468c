import type { ErrorCode } from '@gatehouse/wire'
import { days, limits } from '../limits.ts'
import type { PassScope } from '../passes/pass.ts'
import { isNetwork } from '../visitors/network.ts'
import { isPlain } from './pass-scope.ts'
import type { RuleSet } from './rules/rule-set.ts'
import { readTarget } from './rules/target.ts'

/** A request for a pass. */
export type PassRequest = { name: string; to: string[]; methods: string[]; from: string[]; days: number }

/** What is wrong with a request: the field, the end of a sentence that begins with the field's name, and the value that `code` is about. */
export type PassProblem = { field: keyof PassRequest; problem: string; code?: ErrorCode; value?: string }

const addressCodes = { Origin: 'PassAddressOrigin', Path: 'PassAddressPath', Pattern: 'PassAddressForm' } as const

/** Checks a request for a pass. */
export const readPassRequest = (
  request: PassRequest,
  rules: RuleSet,
): { name: string; scope: PassScope; lifetime: number } | PassProblem => {
  const admitting = originsForPasses(rules)
  const name = request.name.trim()
  const wrong = (field: keyof PassRequest, problem: string): PassProblem => ({ field, problem })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses control characters
  if (name === '' || [...name].length > limits.pass.nameLength || /[\x00-\x1f\x7f-\x9f]/.test(name))
    return { ...wrong('name', `must have 1 to ${limits.pass.nameLength} characters`), code: 'NameLength' }
  if (request.to.length === 0) return wrong('to', 'must name at least one address')
  for (const field of ['to', 'methods', 'from'] as const)
    if (request[field].length > limits.pass.scopeMost) return wrong(field, `must have at most ${limits.pass.scopeMost} entries`)
  for (const text of request.to) {
    const target = readTarget(text)
    if ('problem' in target) return { ...wrong('to', target.problem), code: addressCodes[target.part], value: text }
    if (!isPlain(text))
      return { ...wrong('to', `‘${text}’ must be an address, which may end with /*`), code: 'PassAddressForm', value: text }
    if (!admitting.includes(target.origin))
      return { ...wrong('to', `no rule admits passes at ‘${text}’`), code: 'PassAddressElsewhere', value: text }
  }
  for (const method of request.methods)
    if (!/^[A-Z]+(-[A-Z]+)*$/.test(method))
      return { ...wrong('methods', `‘${method}’ must be a method in capitals, such as GET`), code: 'PassMethod', value: method }
  for (const text of request.from)
    if (!isNetwork(text))
      return { ...wrong('from', `‘${text}’ must be an address or a network such as 10.0.0.0/8`), code: 'PassNetwork', value: text }
  const most = limits.pass.longest / days(1)
  if (!Number.isInteger(request.days) || request.days < 1 || request.days > most) return wrong('days', `must be from 1 to ${most}`)
  const orNull = (list: string[]) => (list.length > 0 ? list : null)
  return {
    name,
    scope: { to: request.to, methods: orNull(request.methods), from: orNull(request.from) },
    lifetime: days(request.days),
  }
}

/** The origins where a rule admits passes. At other origins a pass opens only what everyone may open. */
export const originsForPasses = ({ rules }: RuleSet): string[] => [
  ...new Set(
    rules
      .filter(({ effect }) => effect.is === 'Allow' && effect.who.some(({ is }) => is === 'Pass'))
      .flatMap(({ to }) => to.map(({ origin }) => origin)),
  ),
]

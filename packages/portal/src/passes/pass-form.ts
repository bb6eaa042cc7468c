import type { Failure } from '@gatehouse/sign-in'
import { maxPassEntries, type OwnPasses, type PassRequest } from '@gatehouse/wire'
import type { Typed } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import { fieldProblem, nameProblemText } from '../actions/field-problem.ts'
import { accountTexts } from '../messages/current.ts'
import { valuesText } from '../messages/intl.ts'
import { isOwnKey } from '../messages/own-key.ts'
import { daysUntil, ownDate } from './pass-lifetime.ts'

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** The pass request that the user typed, or its first problem. The server checks the rest. */
export const readPassForm = (typed: Typed, zone: string): PassRequest | Problem => {
  const name = typed('name').trim()
  if (name === '') return { at: 'name', message: accountTexts.passes.add.nameMissing }
  // Separated only by white space, because an address may contain a comma.
  const to = typed('to').split(/\s+/).filter(Boolean)
  if (to.length === 0) return { at: 'to', message: accountTexts.passes.add.toMissing }
  const [methods, from] = [listOf(typed('methods').toUpperCase()), listOf(typed('from'))]
  const full = Object.entries({ to, methods, from }).find(([, entries]) => entries.length > maxPassEntries)
  if (full) return { at: full[0], message: accountTexts.passes.add.tooMany(maxPassEntries) }
  const days = typed('days') === ownDate ? daysUntil(typed('date'), Date.now(), zone) : Number(typed('days'))
  if (days === undefined) return { at: 'date', message: accountTexts.passes.add.date.wrong }
  return { name, to, methods, from, days }
}

/** Returns the problem that the dialog shows for a refusal. For `undefined`, it shows `failureMessage`. */
export const passProblem = (failure: Failure, full: string): Problem | undefined => {
  if (failure.status === 409) return { at: 'page', message: full }
  const refused = fieldProblem(failure)
  switch (refused?.field) {
    case 'name':
      return { at: refused.field, message: nameProblemText(failure.code) }
    case 'to':
    case 'methods':
    case 'from':
      return entryProblem(refused.field, failure)
    case 'days':
      return { at: 'date', message: accountTexts.passes.add.date.wrong }
    case 'passkey':
      return { at: 'page', message: accountTexts.passes.add.passkeyFirst }
  }
  return undefined
}

/** `undefined` for a code that the page does not know. */
const entryProblem = (at: string, { code, value }: Failure): Problem | undefined => {
  const { problems } = accountTexts.passes.add
  return value !== undefined && isOwnKey(problems, code) ? { at, message: problems[code](value) } : undefined
}

/** A text about a pass's limits: its methods and networks. */
export const limitsText = ({ methods, from }: Pick<OwnPasses['passes'][number], 'methods' | 'from'>): string => {
  const words = accountTexts.passes
  if (methods.length === 0) return from.length === 0 ? words.unlimited : words.networks(valuesText(from))
  return from.length === 0 ? words.methods(valuesText(methods)) : words.methodsAndNetworks(valuesText(methods), valuesText(from))
}

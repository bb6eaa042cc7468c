import type { Failure } from '@gatehouse/sign-in'
import type { OwnPasses, PassRequest } from '@gatehouse/wire'
import type { Typed } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import { fieldProblem } from '../actions/field-problem.ts'
import { englishAccount } from '../messages/en-account.ts'

const words = englishAccount.passes

/** The lifetimes that the page offers, in days. */
export const lifetimes = [30, 90, 365]

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** The typed request for a pass, or its first problem. The server checks the rest. */
export const readPassForm = (typed: Typed): PassRequest | Problem => {
  const name = typed('name').trim()
  if (name === '') return { at: 'name', message: words.add.nameMissing }
  // Patterns may contain commas: /api/:version(v1{1,2})
  const to = typed('to').split(/\s+/).filter(Boolean)
  if (to.length === 0) return { at: 'to', message: words.add.toMissing }
  const methods = listOf(typed('methods').toUpperCase())
  return { name, to, methods, from: listOf(typed('from')), days: Number(typed('days')) }
}

/** The problem that a refusal is shown as. For `undefined` the dialog shows the server's message. */
export const passProblem = (failure: Failure, most: number): Problem | undefined => {
  if (failure.status === 409) return { at: 'page', message: words.most(most) }
  const refused = fieldProblem(failure)
  switch (refused?.field) {
    case 'name':
    case 'to':
    case 'methods':
    case 'from':
    case 'days':
      return { at: refused.field, message: words.add.unfit[refused.field](refused.problem) }
    case 'passkey':
      return { at: 'page', message: words.add.passkeyFirst }
  }
  return undefined
}

/** What a pass opens: its addresses, then its methods and networks in words. */
export const scopeText = ({ to, methods, from }: Pick<OwnPasses['passes'][number], 'to' | 'methods' | 'from'>): string[] => [
  to.join(', '),
  `${words.methods(methods)}, ${words.networks(from)}`,
]

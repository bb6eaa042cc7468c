import type { PassesEndRequest, ServicePassRequest } from '@gatehouse/wire'
import type { Typed } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import { fieldProblem } from '../actions/field-problem.ts'
import { outcomeOf, type Run } from '../actions/use-actions.ts'
import { administrationTexts as words } from '../messages/current.ts'
import { passProblem, readPassForm } from '../passes/pass-form.ts'
import type { AdministrationApi } from './administration-api.ts'
import { notAllowed } from './not-allowed.ts'

/** An action of an administrator on passes. */
export type PassAction =
  /** `origins`: where rules admit passes. `most`: how many passes services may have. */
  | { kind: 'addPass'; origins: readonly string[]; most: number }
  | { kind: 'shown'; pass: string }
  | { kind: 'endPass'; passId: string; name: string }
  | { kind: 'endPasses'; owner: PassesEndRequest; ownerName: string }

const passActions = ['addPass', 'shown', 'endPass', 'endPasses'] as const satisfies PassAction['kind'][]
export const isPassAction = (action: { kind: string }): action is PassAction => passActions.some(kind => kind === action.kind)

export const passActionTitle = (action: PassAction): string => {
  const { acts } = words.passes
  switch (action.kind) {
    case 'addPass':
      return acts.addPass.title
    case 'shown':
      return acts.shown.title
    case 'endPass':
      return acts.endPass.title(action.name)
    case 'endPasses':
      return acts.endPasses.title(action.ownerName)
  }
}

/** The server's rule for the name of a service. */
const isService = (text: string) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text)

/**
 * The request that the administrator typed for a service's pass, or its first problem. The server
 * checks the rest.
 */
export const readServicePass = (typed: Typed, zone: string): ServicePassRequest | Problem => {
  const service = typed('service').trim()
  if (!isService(service)) return { at: 'service', message: words.passes.acts.addPass.serviceWrong }
  const request = readPassForm(typed, zone)
  return 'at' in request ? request : { service, ...request }
}

type PassApi = Pick<AdministrationApi, 'addPass' | 'endPass' | 'endPasses'>

/** Creates the pass, then shows it. */
export const runAddPass =
  (api: PassApi, request: ServicePassRequest, most: number): Run<PassAction> =>
  async () => {
    const reply = await api.addPass(request)
    if (reply.ok) return { next: { kind: 'shown', pass: reply.value.pass } }
    const { failure } = reply
    if (fieldProblem(failure)?.field === 'service')
      return { failure, problem: { at: 'service', message: words.passes.acts.addPass.serviceWrong } }
    return { failure, problem: passProblem(failure, words.passes.full(most)) ?? notAllowed(failure) }
  }

/** Ends one pass, or all passes of an owner. */
export const runEndPasses =
  (api: PassApi, action: Extract<PassAction, { kind: 'endPass' | 'endPasses' }>): Run<PassAction> =>
  async () => {
    const { acts } = words.passes
    if (action.kind === 'endPasses') return outcomeOf(await api.endPasses(action.owner), acts.endPasses.done(action.ownerName), notAllowed)
    const reply = await api.endPass({ passId: action.passId })
    const done = acts.endPass.done(action.name)
    // 404: the pass has already ended.
    return !reply.ok && reply.failure.status === 404 ? { message: done } : outcomeOf(reply, done, notAllowed)
  }

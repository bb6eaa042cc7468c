import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { PassCreationRefusal } from '../../account/passes.ts'
import { BadInput } from '../../bad-input.ts'
import { bind, Refused } from '../bind.ts'
import { type AccountCalls, callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

/** Adds the calls for the passes of the user's programs. */
export const addPassCalls = (app: FastifyInstance, deps: AccountCalls) => {
  const { passes } = deps.own
  const who = callerBy(deps)

  bind(app, accountRoutes.userPasses, async (_, call) => {
    const [session] = await who(call)
    if (!session) throw notSignedIn()
    return passes.list(session)
  })
  bind(app, accountRoutes.userPassAdd, async (request, call) => {
    const added = await passes.add(request, ...(await who(call)))
    if (typeof added === 'string' || 'problem' in added) throw refusal(added)
    return added
  })
  bind(app, accountRoutes.userPassEnd, async ({ passId }, call) => {
    const ended = await passes.end(passId, ...(await who(call)))
    if (ended === 'not-signed-in') throw notSignedIn()
    if (ended === 'unknown') throw new Refused(404, 'passId: there is no such pass')
    return {}
  })
}

const refusal = (why: PassCreationRefusal): Refused | BadInput => {
  if (typeof why !== 'string') return new BadInput(`${why.field}: ${why.problem}`, why.code, why.value)
  switch (why) {
    case 'not-signed-in':
      return notSignedIn()
    case 'stale':
      return staleSession()
    case 'lower':
      return secondFactorNeeded()
    case 'passkey':
      return new Refused(403, 'passkey: sign in with a passkey first')
    case 'too-many':
      return new Refused(409, 'pass: the maximum number has been reached')
  }
}

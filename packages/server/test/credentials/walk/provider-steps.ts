import { plainPages as at } from '@gatehouse/wire'
import { signInAtProvider } from '../../sso/sso-sign-in.ts'
import { type Identity, newFactor } from './model.ts'
import { subAtPak } from './scenario.ts'
import type { Action, Step, Turn } from './turn.ts'

const byProvider: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  if (!turn.party.holds.has('provider')) return undefined
  const answer = await signInAtProvider(visitor.browser, scenario.idp, scenario.name)
  model.session(visitor)
  const refused = model.account.forcedReset
  if (!refused) continueByTicket(turn, model.linked.google)
  return { expected: refused ? '403' : '303', answered: String(answer.statusCode) }
}

const continueByTicket = ({ scenario: { model, now }, visitor }: Turn, identity: Identity | undefined) => {
  model.giveTicket(visitor, false, identity)
  if (!model.hasFactor()) model.add(newFactor('unseen', undefined, false, now()))
}

/** Each side has an identity at the trusted provider, which reports a second factor. */
const byTrustedProvider: Step = async turn => {
  const { scenario, visitor, party } = turn
  const { model } = scenario
  const sub = subAtPak(scenario.name, party.actor)
  const answer = await signInAtProvider(visitor.browser, scenario.idp, sub, 'pak')
  model.session(visitor)
  const [, authTokenSelector, authTokenToken] = /^\/auth\/page\/plow\/([\w-]+)\/([\w-]+)$/.exec(String(answer.headers.location)) ?? []
  const answered = authTokenSelector ? 'in' : answer.headers.location === at.secondFactor ? 'second factor' : String(answer.statusCode)
  const identity = model.linked.pak
  if (identity?.sub !== sub || model.account.forcedReset) return { expected: '403', answered }
  if (model.hasFactor() && !identity.vouched) {
    model.giveTicket(visitor, false, identity)
    return { expected: 'second factor', answered }
  }
  model.issue(visitor, { typed: '' }, { typed: undefined }, undefined)
  if (authTokenSelector && authTokenToken) model.handOver(visitor, { authTokenSelector, authTokenToken }, undefined)
  return { expected: 'in', answered }
}

/** Sign-ins at a provider. */
export const providerActions: Action[] = [
  { weight: 0.3, name: 'signs in by a provider', step: byProvider },
  { weight: 0.3, attackers: 0.8, name: 'signs in by the trusted provider', step: byTrustedProvider },
]

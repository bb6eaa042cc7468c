import type { AuthOutcome, PasskeyAssertion } from '@gatehouse/wire'
import { limits } from '../../../src/limits.ts'
import type { PasskeyDevice } from '../../support/passkey-device.ts'
import { optionsFor } from '../../support/passkey-users.ts'
import type { Factor, Used, Visitor } from './model.ts'
import type { Turn } from './turn.ts'

type Purpose = Parameters<typeof optionsFor>[1]

/** Keeps what a successful sign-in gave the browser. */
export const entered = ({ scenario, visitor }: Turn, outcome: AuthOutcome, factor: Used) => {
  if (outcome.tag !== 'AuthSuccessful') return
  scenario.model.handOver(visitor, outcome.contents, factor)
  const options = outcome.passkeys?.upgrade
  visitor.upgradeOffer = options ? { options, expires: scenario.now() + limits.passkey.challenge } : undefined
}

const factorOf = ({ scenario: { model } }: Turn, device: PasskeyDevice): Factor | undefined =>
  model.passkeys().find(({ passkey }) => passkey?.device === device)

/** The passkey that a side uses: mostly one that the account has, sometimes one that was removed. */
const deviceBy = (turn: Turn): PasskeyDevice | undefined => {
  const { party, scenario } = turn
  const there = party.devices.filter(device => factorOf(turn, device))
  const from = there.length > 0 && !scenario.chance.is(0.1) ? there : party.devices
  return from.length > 0 ? scenario.chance.pick(from) : undefined
}

/** An assertion, and the factor that it proves: none if the assertion is forged, replayed or for another purpose. */
type Shown = { credential: PasskeyAssertion; factor: Factor | undefined; isForged: boolean }

/** Makes a passkey sign. Rarely returns an assertion that the server must refuse. */
export const assertionBy = async (turn: Turn, purpose: Purpose): Promise<Shown | undefined> => {
  const { scenario, visitor, said, party } = turn
  const { chance, model, captured } = scenario
  if (party.actor === 'attacker' && captured.length > 0 && chance.is(party.devices.length > 0 ? 0.3 : 1)) {
    said.push("with an owner's assertion")
    return { credential: chance.pick(captured), factor: undefined, isForged: true }
  }
  const device = deviceBy(turn)
  if (!device) return undefined
  const options = await optionsFor(visitor.browser, purpose)
  const factor = factorOf(turn, device)
  const other = model.passkeys().find(({ passkey }) => passkey?.device !== device)?.passkey?.device.held[0]
  if (other && chance.is(0.05)) {
    said.push('with the id of another passkey')
    return { credential: { ...device.get(options), id: other.id, rawId: other.id }, factor: undefined, isForged: true }
  }
  if (chance.is(0.05)) {
    said.push('for another purpose')
    const wrong = purpose === 'Reauthentication' ? 'SignIn' : 'Reauthentication'
    return { credential: device.get(await optionsFor(visitor.browser, wrong)), factor: undefined, isForged: true }
  }
  const credential = device.get(options)
  if (party.actor === 'owner') scenario.capture(credential)
  return { credential, factor, isForged: false }
}

/**
 * Whether a side could use this visitor for a step about passkeys.
 * @param used how many passkeys and recorded assertions the side could show
 */
export const canShowPasskey = (visitor: Visitor, used: number, what: 'passkey' | 'set-up' | 'upgrade', now: number) => {
  switch (what) {
    case 'passkey':
      return used > 0
    case 'set-up':
      return visitor.setUpOffer !== undefined && visitor.setUpOffer.expires > now
    case 'upgrade':
      return visitor.upgradeOffer !== undefined && visitor.upgradeOffer.expires > now
  }
}

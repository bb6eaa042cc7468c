import { accountRoutes, passkeyRoutes } from '@gatehouse/wire'
import { limits } from '../../../src/limits.ts'
import { makePasskeyDevice, type PasskeyDevice } from '../../support/passkey-device.ts'
import { origin } from '../../support/passkey-users.ts'
import { newFactor, type Offered } from './model.ts'
import { assertionBy, entered } from './passkeys.ts'
import { application } from './scenario.ts'
import { endOthers, lower, shown } from './session.ts'
import { type Action, done, howOf, type Step, same, statusOf, type Turn } from './turn.ts'

const signInByPasskey: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const used = await assertionBy(turn, 'SignIn')
  if (!used) return undefined
  const expects = () => {
    if (!used.factor) return 'AuthFailureFailedLogin Unknown'
    if (model.account.forcedReset) return 'AuthFailureForcedReset'
    return model.issue(visitor, { typed: '' }, { typed: undefined }, 'passkey')
  }
  const expected = expects()
  const outcome = await visitor.browser.call(passkeyRoutes.passkeySignIn, { credential: used.credential })
  entered(turn, outcome, 'passkey')
  // The account may have lost the passkey of a recorded or forged assertion. Both refusals are right then.
  if (used.isForged && outcome.tag === 'AuthFailureFailedLogin') return done
  return same(expected, outcome)
}

const verifyPasskey: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const how = howOf(turn)
  const used = await assertionBy(turn, 'SecondFactor')
  if (!used) return undefined
  const first = model.firstFactor(visitor, how)
  const expects = () => {
    if (!first) return 'AuthFailureFailedLogin'
    if (model.account.forcedReset) return 'AuthFailureForcedReset'
    return used.factor ? model.issue(visitor, how, first, 'passkey') : 'NoApprovedChallenges'
  }
  const expected = expects()
  const outcome = await visitor.browser.call(passkeyRoutes.passkeyVerify, { ...scenario.otp(how), credential: used.credential })
  entered(turn, outcome, 'passkey')
  return same(expected, outcome)
}

/** A new device of this side. It joins the side's devices whether or not the server takes its passkey. */
const newDevice = ({ party, scenario: { chance } }: Turn) => {
  const device = makePasskeyDevice(origin, { synced: chance.is(0.5) })
  party.devices.push(device)
  return device
}

/** Adds the passkey to the model, verified at once. */
const bind = ({ scenario, party }: Turn, device: PasskeyDevice, uuid: string, optional: boolean) => {
  const { model, now } = scenario
  model.endPending()
  if (!optional && !model.hasFactor()) model.removeOptionalPasskeys()
  model.add({ ...newFactor(uuid, undefined, false, now()), verified: true, by: party.actor, passkey: { device, optional } })
}

const isGood = ({ scenario: { now } }: Turn, offer: Offered) => offer.expires > now()

/** The first second factor: a passkey in place of an authenticator app. */
const setUpByPasskey: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const { setUpOffer } = visitor
  if (!setUpOffer) return undefined
  const how = howOf(turn)
  const device = newDevice(turn)
  const credential = device.create(setUpOffer.options)
  const first = model.firstFactor(visitor, how)
  const body = { ...scenario.otp(how), credential }
  const refusal = () => {
    if (!first) return 'AuthFailureFailedLogin'
    if (model.account.forcedReset) return 'AuthFailureForcedReset'
    return model.hasFactor() || !isGood(turn, setUpOffer) ? 'NoVerifiedFactors' : undefined
  }
  const refused = refusal()
  const outcome = await visitor.browser.call(passkeyRoutes.passkeySetUp, body)
  if (refused !== undefined || !first) return same(refused ?? '', outcome)
  visitor.setUpOffer = undefined
  bind(turn, device, await scenario.uuidOf(device), false)
  model.clearWrongCodes()
  model.endEverything()
  model.voidLinks()
  const expected = model.issue(visitor, how, first, 'passkey')
  entered(turn, outcome, 'passkey')
  return same(expected, outcome)
}

/** Adds a passkey on the account page. */
const addPasskey: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const session = shown(turn, 'fresh')
  const expects = () => {
    if (typeof session === 'string') return session
    if (model.hasFactor() && !session.factor) return lower
    return model.passkeys().length >= limits.passkey.perUser ? '409 factor: the maximum number has been reached' : '200'
  }
  const expected = expects()
  const asked = await statusOf(visitor, passkeyRoutes.passkeyAddOptions, {})
  if (asked.answered !== '200' || expected !== '200' || typeof session === 'string') return { expected, answered: asked.answered }
  const device = newDevice(turn)
  const credential = device.create(asked.json as Offered['options'])
  const { answered, json } = await statusOf(visitor, passkeyRoutes.passkeyAdd, { credential })
  if (answered === '200') {
    const isOwners = session.factor === 'passkey'
    const optional = isOwners ? model.passkeys().filter(({ passkey }) => passkey?.optional) : []
    bind(turn, device, (json as { factorUUID: string }).factorUUID, false)
    for (const kept of optional) if (!model.all().includes(kept)) model.add(kept)
    session.factor = 'passkey'
    model.renew(visitor, session)
    endOthers(turn, session)
  }
  return { expected, answered }
}

/** Adds the passkey that the password manager created without asking. */
const upgrade: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const { upgradeOffer } = visitor
  if (!upgradeOffer) return undefined
  const device = newDevice(turn)
  const credential = device.create(upgradeOffer.options)
  const caller = shown(turn)
  const expects = () => {
    if (typeof caller === 'string') return caller
    if (!isGood(turn, upgradeOffer)) return refused
    const session = shown(turn, 'fresh')
    if (typeof session === 'string') return session
    if (model.account.byMail || (model.hasFactor() && !session.factor)) return lower
    return model.passkeys().length > 0 ? refused : '200'
  }
  const expected = expects()
  const { answered, json } = await statusOf(visitor, passkeyRoutes.passkeyUpgrade, { credential })
  if (answered === '200' && expected === '200') {
    visitor.upgradeOffer = undefined
    bind(turn, device, (json as { factorUUID: string }).factorUUID, true)
  }
  return { expected, answered }
}

const refused = '403 credential: was refused, or took too long'

const confirmByPasskey: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const used = await assertionBy(turn, 'Reauthentication')
  if (!used) return undefined
  const session = shown(turn)
  const expects = () => {
    if (typeof session === 'string') return session
    if (!used.factor) return refused
    model.renew(visitor, session)
    session.confirmed = scenario.now()
    session.factor = 'passkey'
    return '200'
  }
  const expected = expects()
  return { expected, answered: (await statusOf(visitor, passkeyRoutes.passkeyConfirm, { credential: used.credential })).answered }
}

/** Opens a protected application that requires a passkey. */
const openApplication: Step = async ({ scenario: { model }, visitor }) => {
  const session = model.session(visitor)
  const expected = !session ? '401' : session.factor === 'passkey' ? '200' : '403'
  const asked = { proto: 'http', host: application, uri: '/', method: 'GET' }
  const headers = Object.fromEntries(Object.entries(asked).map(([name, value]) => [`x-forwarded-${name}`, value]))
  return { expected, answered: String((await visitor.browser.get('/auth/request', headers)).statusCode) }
}

/** Lists the account's passkeys, which must be those of the model. */
const listPasskeys: Step = async turn => {
  const { scenario, visitor } = turn
  const session = scenario.model.session(visitor)
  const answer = await visitor.browser.send('POST', accountRoutes.userAccount.path, {})
  const { factors = [] } = answer.json() as { factors?: { passkey?: { credentialId: string } }[] }
  const listed = factors.flatMap(({ passkey }) => (passkey ? [passkey.credentialId] : []))
  const expected = scenario.model.passkeys().map(({ passkey }) => passkey?.device.held[0]?.id ?? '')
  const sorted = (ids: readonly string[]) => ids.toSorted().join()
  return { expected: session ? sorted(expected) : '', answered: sorted(listed) }
}

/** Steps with passkeys: by users, and by attackers with their own passkeys, recorded assertions and stolen sessions. */
export const passkeyActions: Action[] = [
  { weight: 5, attackers: 4, name: 'signs in by passkey', step: signInByPasskey, shows: 'passkey' },
  { weight: 4, name: 'shows a passkey as second factor', step: verifyPasskey, shows: 'first factor' },
  { weight: 12, attackers: 8, name: 'sets up a passkey first', step: setUpByPasskey, shows: 'set-up' },
  { weight: 3, name: 'adds a passkey', step: addPasskey, shows: 'session' },
  { weight: 8, attackers: 12, name: 'adds a passkey automatically', step: upgrade, shows: 'upgrade' },
  { weight: 3, name: 'confirms the session by passkey', step: confirmByPasskey, shows: 'session' },
  { weight: 2, name: 'opens an application', step: openApplication, shows: 'session' },
  { weight: 0.5, name: 'lists passkeys', step: listPasskeys, shows: 'session' },
]

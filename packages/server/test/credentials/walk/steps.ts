import { plainPages as at, routes } from '@gatehouse/wire'
import { limits } from '../../../src/limits.ts'
import { accountActions } from './account-steps.ts'
import { type Answer, type Factor, type First, type How, newFactor } from './model.ts'
import { passkeyActions } from './passkey-steps.ts'
import { entered } from './passkeys.ts'
import { providerActions } from './provider-steps.ts'
import { type Action, aware, codeBy, done, howOf, isGood, linkFor, type Step, same, type Turn, typedBy } from './turn.ts'

const signIn: Step = async turn => {
  const { scenario, party, visitor } = turn
  const typed = typedBy(turn)
  const expected = scenario.model.tryPassword(visitor, typed) ? scenario.model.proceed() : 'AuthFailureFailedLogin'
  const login = { username: scenario.model.account.address, password: typed, useragent: '', ...aware }
  const outcome = await visitor.browser.call(routes.getAuthTokenWithError, login)
  scenario.offer(party, visitor, outcome)
  return same(expected, outcome)
}

/** Signs in with a form. The server issues a ticket for the password. */
const signInByForm: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const typed = typedBy(turn)
  const goesOn = model.tryPassword(visitor, typed) && !model.account.forcedReset
  const answer = await visitor.browser.submit(at.login, { username: model.account.address, password: typed })
  if (goesOn) model.giveTicket(visitor, true)
  // The walk does not read the secret on that page, so no side knows it.
  if (goesOn && !model.hasFactor()) model.add(newFactor('unseen', undefined, false, scenario.now()))
  const led = answer.headers.location === at.secondFactor
  return { expected: goesOn ? 'goes on' : 'stays', answered: led ? 'goes on' : 'stays' }
}

/** The checks that verifyOTP, recoveryCode and resetOTP run first. */
const firstRefusal = ({ scenario: { model } }: Turn, ok: boolean): Answer | undefined => {
  if (!ok) return 'AuthFailureFailedLogin'
  if (model.account.forcedReset) return 'AuthFailureForcedReset'
  return model.hasFactor() ? undefined : 'NoVerifiedFactors'
}

const verify: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const how = howOf(turn)
  const waiting = model.pending()
  const replacing =
    waiting?.replaces && waiting.secret !== undefined && waiting.wrongCodes < limits.factor.wrongFirstCodes ? waiting : undefined
  const others = replacing ? [replacing] : model.former()
  const code = codeBy(turn, scenario.chance.is(0.8) ? model.verified() : others)
  const first = model.firstFactor(visitor, how)
  // A passkey takes no code.
  const takesCode = model.verified().some(({ passkey }) => !passkey) || (replacing !== undefined && first?.typed === 'now')
  let expected = firstRefusal(turn, first !== undefined) ?? (takesCode ? undefined : 'NoVerifiedFactors')
  if (expected === undefined && first) {
    const counted = model.countCodeAttempt()
    const found = counted === 'paused' ? undefined : model.matching(model.verified(), code)
    if (found && found.step > found.factor.lastStep) {
      found.factor.lastStep = found.step
      expected = model.issue(visitor, how, first, 'code')
    } else expected = (found ? undefined : completeElsewhere(turn, how, first, counted, replacing, code)) ?? model.wrongCode(counted)
  }
  const outcome = await visitor.browser.call(routes.verifyOTP, { ...scenario.otp(how), otpVerification: code, ...aware })
  entered(turn, outcome, 'code')
  return same(expected ?? '', outcome)
}

/** If the user types the password, the server also accepts the code of a replacement factor. */
const completeElsewhere = (turn: Turn, how: How, first: First, counted: 'paused' | number, replacing: Factor | undefined, code: number) => {
  const {
    scenario: { model },
    visitor,
    party,
  } = turn
  if (!replacing || first.typed !== 'now') return undefined
  if (counted === 'paused') {
    if (!model.areCodesDisabled()) return undefined
    replacing.wrongCodes++
  }
  const found = model.account.byMail ? undefined : model.matching([replacing], code)
  if (!found) return undefined
  model.complete(found.factor, found.step, party.actor)
  return model.issue(visitor, how, first, 'code')
}

const recover: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model, chance } = scenario
  const how = howOf(turn)
  const otpRecoveryCode = party.recoveryCodes.length > 0 && !chance.is(0.1) ? chance.pick(party.recoveryCodes) : 'aaaa-bbbb-cccc-dddd'
  const first = model.firstFactor(visitor, how)
  let expected = firstRefusal(turn, first !== undefined)
  if (expected === undefined && first) {
    const counted = model.countCodeAttempt()
    if (counted !== 'paused' && model.recoveryCodes().delete(otpRecoveryCode)) expected = model.issue(visitor, how, first, 'recovery code')
    else expected = model.wrongCode(counted)
  }
  const outcome = await visitor.browser.call(routes.recoveryCode, { ...scenario.otp(how), otpRecoveryCode, ...aware })
  entered(turn, outcome, 'recovery code')
  return same(expected ?? '', outcome)
}

/** setupOTP: verifies a new factor's first code, or skips set-up. */
const setUp: Step = async turn => {
  const { scenario, visitor } = turn
  const { model, chance } = scenario
  const isNamed = ({ uuid }: Factor) => uuid !== 'unseen'
  const [waiting] = model.all().filter(factor => isNamed(factor) && !factor.verified)
  const known = [
    ...model
      .former()
      .filter(factor => isNamed(factor) && scenario.knows(turn.party, factor))
      .slice(0, 2),
    ...model.verified().filter(({ passkey }) => !passkey),
  ]
  const target = waiting && chance.is(0.7) ? waiting : known.length > 0 ? chance.pick(known) : undefined
  if (!target) return undefined
  const code = chance.is(0.15) ? null : codeBy(turn, [target])
  const how = howOf(turn)
  const first = model.firstFactor(visitor, how)
  const expected = first === undefined ? 'AuthFailureFailedLogin' : expectSetUp(turn, how, first, target, code)
  const body = { ...scenario.otp(how), otpFactorUUID: target.uuid, otpVerification: code, ...aware }
  const outcome = await visitor.browser.call(routes.setupOTP, body)
  entered(turn, outcome, code === null ? undefined : 'code')
  return same(expected, outcome)
}

const expectSetUp = (turn: Turn, how: How, first: { typed: 'now' | 'before' | undefined }, target: Factor, code: number | null): Answer => {
  const { scenario, visitor, party } = turn
  const { model } = scenario
  if (model.account.forcedReset) return 'AuthFailureForcedReset'
  const missing = 'MissingFactorByFactorUUID'
  if (
    target.verified ||
    !model.all().includes(target) ||
    target.expires <= scenario.now() ||
    target.wrongCodes >= limits.factor.wrongFirstCodes
  )
    return missing
  if (code === null) {
    if (model.hasFactor()) return missing
    if (target.replaces || !model.skip()) return 'NoVerifiedFactors'
    model.remove([target.uuid])
    return model.issue(visitor, how, first, undefined)
  }
  const mayComplete = target.replaces ? first.typed === 'now' && !model.account.byMail && model.hasFactor() : !model.hasFactor()
  if (!mayComplete) return missing
  if (target.secret === undefined) return 'MissingFactorBindingByFactorUUID'
  target.wrongCodes++
  const found = model.matching([target], code)
  if (!found) return 'VerifyTOTPFactorError Unverified InvalidCode'
  model.complete(target, found.step, party.actor)
  return model.issue(visitor, how, first, 'code')
}

const reset: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const typed = typedBy(turn)
  const right = model.tryPassword(visitor, typed)
  const expected = firstRefusal(turn, right) ?? 'AuthRequiresFactorReset'
  const outcome = await visitor.browser.call(routes.resetOTP, scenario.otp({ typed }))
  const sent = (await scenario.collect()).filter(link => link.kind === 'FactorReset')
  const mayBeSent = expected === 'AuthRequiresFactorReset' && !model.account.byMail
  if (sent.length > 0 && !mayBeSent) return { expected: `${expected}, no link`, answered: 'a link' }
  // Mail quotas also decide whether the server sends a link.
  for (const link of sent) {
    if (outcome.tag !== 'AuthRequiresFactorReset') continue
    link.factorUUID = outcome.contents
    model.add(newFactor(outcome.contents, undefined, true, scenario.now()))
  }
  return same(expected, outcome)
}

const askFor =
  (what: 'OneTimeLink' | 'PasswordReset'): Step =>
  async ({ scenario: { model, collect }, visitor: { browser } }) => {
    const { address } = model.account
    if (what === 'PasswordReset') await browser.call(routes.sendPasswordResetEmail, { useremail: address })
    else await browser.call(routes.magiclinkSend, [{ email: address, redirect: { tag: 'RedirectDashboard' } }])
    await collect()
    return done
  }

const redeem: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const link = linkFor(turn, 'OneTimeLink')
  if (!link) return undefined
  const outcome = await visitor.browser.call(routes.magiclinkRedeem, { ...link.claim, ...aware })
  const good = isGood(turn, link, outcome.tag !== 'AuthFailureFailedLogin')
  const expected = good ? model.proceed() : 'AuthFailureFailedLogin'
  scenario.offer(party, visitor, outcome)
  if (good && !model.account.forcedReset) model.giveTicket(visitor, false)
  return same(expected, outcome)
}

const newPassword: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const link = linkFor(turn, 'PasswordReset')
  if (!link) return undefined
  const password = scenario.newPassword()
  const answer = await visitor.browser.send('POST', routes.resetPassword.path, {
    username: model.account.address,
    resettoken: `${link.claim.selector}.${link.claim.token}`,
    newpassword: password,
    newpasswordverification: password,
  })
  const good = isGood(turn, link, answer.statusCode === 200)
  if (good) {
    model.setPassword(password, true)
    party.passwords.push(password)
  }
  return { expected: good ? '200' : '410', answered: String(answer.statusCode) }
}

const openFactorLink: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const link = linkFor(turn, 'FactorReset')
  if (!link) return undefined
  const outcome = await visitor.browser.call(routes.newFactor, link.claim)
  const good = isGood(turn, link, outcome.tag !== 'AuthFailureFailedLogin')
  const waiting = model.all().find(factor => factor.uuid === link.factorUUID && !factor.verified)
  const opens = good && waiting !== undefined && model.hasFactor() && !model.account.byMail
  if (opens && outcome.tag === 'AuthRequiresFactorCreation') {
    model.show(waiting, scenario.see(party, outcome.contents))
  }
  return same(opens ? 'AuthRequiresFactorCreation' : 'AuthFailureFailedLogin', outcome)
}

/** Continues a sign-in by link or provider. */
const goOn: Step = async turn => {
  const { scenario, party, visitor } = turn
  const first = scenario.model.firstFactor(visitor, 'ticket')
  const expected = first ? scenario.model.proceed() : 'AuthFailureFailedLogin'
  const outcome = await visitor.browser.call(routes.continueSignIn, aware)
  scenario.offer(party, visitor, outcome)
  return same(expected, outcome)
}

const enter: Step = async ({ scenario, visitor }) => {
  const { handOver } = visitor
  if (!handOver) return undefined
  const good = handOver.alive && handOver.expires > scenario.now()
  const { authTokenSelector, authTokenToken } = handOver.token
  const answer = await visitor.browser.send('POST', routes.loginWithToken.path, { authTokenSelector, authTokenToken })
  if (good) {
    handOver.alive = false
    scenario.model.startSession(visitor, handOver.factor)
  } else scenario.model.session(visitor)
  return { expected: good ? '200' : '401', answered: String(answer.statusCode) }
}

/** Copies a cookie of the owner. A session from the last 15 minutes can do what its owner can, so the attacker never takes one. */
const steal: Step = async ({ scenario, party, visitor }) => {
  if (!party.holds.has('session') || party.actor === 'owner') return undefined
  const { model, owner, chance } = scenario
  const [from] = [chance.pick(owner.visitors)]
  if (!model.isAlive(from) || !from.session || model.isFresh(from.session.of)) return undefined
  const [name, value] = [...from.browser.jar].find(([cookie]) => cookie.endsWith('session')) ?? []
  if (!name || !value) return undefined
  visitor.browser.jar.set(name, value)
  visitor.session = { ...from.session }
  return done
}

const byAdministrator: Step = async ({ scenario }) => {
  const { chance, model, acts } = scenario
  const what = chance.pick(['forceReset', 'unlock', 'unlock', 'endSessions', 'removeFactor'] as const)
  if (what === 'removeFactor') return removedByAdministrator(scenario)
  await acts[what]()
  if (what === 'unlock') model.unlock()
  if (what !== 'unlock') model.endEverything()
  if (what === 'forceReset') {
    model.account.forcedReset = true
    model.endPending()
    model.voidLinks()
  }
  return done
}

/** Removes a passkey. Rarely the last second factor, because most steps need one. */
const removedByAdministrator = async ({ chance, model, acts }: Turn['scenario']) => {
  const target = model.passkeys()[0]
  const isLast = target !== undefined && model.required().every(factor => factor === target)
  if (!target || (isLast && !chance.is(0.2))) return undefined
  await acts.removeFactor(target.uuid)
  model.remove([target.uuid])
  if (!model.hasFactor()) {
    model.setRecoveryCodes([])
    model.withdraw()
  }
  model.endEverything()
  model.endPending()
  model.voidLinks()
  return done
}

/** Removes every factor. Until the owner sets up another one, the rules for an account without factors apply. */
const factorsRemoved: Step = async ({ scenario }) => {
  const { chance, model, acts } = scenario
  if (!chance.is(0.3)) return undefined
  await acts.removeFactors()
  if (model.verified().length > 0) model.withdraw()
  model.remove(model.all().map(factor => factor.uuid))
  model.setRecoveryCodes([])
  model.clearWrongCodes()
  model.endEverything()
  model.voidLinks()
  return done
}

/** Each action with its weight. */
export const actions: Action[] = [
  { weight: 10, attackers: 3, name: 'signs in by password', step: signIn, shows: 'password' },
  { weight: 5, name: 'signs in by password in a form', step: signInByForm, shows: 'password' },
  { weight: 20, attackers: 6, name: 'gives a code', step: verify, shows: 'first factor' },
  { weight: 5, name: 'gives a recovery code', step: recover, shows: 'first factor' },
  { weight: 14, attackers: 25, name: 'gives a first code, or skips', step: setUp, shows: 'waiting factor' },
  { weight: 9, name: 'asks for a factor reset', step: reset, shows: 'password' },
  { weight: 4, name: 'asks for a one-time link', step: askFor('OneTimeLink') },
  { weight: 1, attackers: 4, name: 'asks for a password reset', step: askFor('PasswordReset') },
  { weight: 10, name: 'opens a one-time link', step: redeem, shows: 'OneTimeLink' },
  { weight: 1, attackers: 20, name: 'sets a password by a link', step: newPassword, shows: 'PasswordReset' },
  { weight: 10, attackers: 30, name: 'opens the link of a factor reset', step: openFactorLink, shows: 'FactorReset' },
  { weight: 2, name: 'goes on with a ticket', step: goOn, shows: 'ticket' },
  { weight: 12, name: 'enters', step: enter, shows: 'hand-over' },
  { weight: 0, attackers: 5, name: 'steals a session', step: steal },
  { weight: 0.2, name: 'is acted on by an administrator', step: byAdministrator },
  { weight: 0.2, name: 'loses the factors', step: factorsRemoved },
  ...providerActions,
  ...accountActions,
  ...passkeyActions,
]

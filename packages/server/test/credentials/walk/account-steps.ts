import { accountRoutes, decode, routes, Factor as ShownFactor } from '@gatehouse/wire'
import { limits } from '../../../src/limits.ts'
import { returnFromProvider } from '../../sso/sso-sign-in.ts'
import { newFactor } from './model.ts'
import { assertionBy } from './passkeys.ts'
import { subAtPak } from './scenario.ts'
import { endOthers, lower, shown } from './session.ts'
import { type Action, codeBy, done, linkFor, type Outcome, type Step, statusOf, type Turn, typedBy } from './turn.ts'

const confirm: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const password = typedBy(turn)
  const session = shown(turn)
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!model.tryPassword(visitor, password)) return '403 password: is wrong'
    if (model.account.byMail && model.hasFactor()) return lower
    model.renew(visitor, session)
    session.confirmed = scenario.now()
    return '200'
  }
  const expected = expects()
  return { expected, answered: (await statusOf(visitor, accountRoutes.userPasswordConfirm, { password })).answered }
}

const startFactor: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (model.hasFactor() && !session.factor) return lower
    return model.verified().filter(({ passkey }) => !passkey).length >= limits.factor.perUser
      ? '409 factor: the maximum number has been reached'
      : '200'
  }
  const expected = expects()
  const { answered, json } = await statusOf(visitor, accountRoutes.userFactorAdd, {
    factorCreationRequestIdentity: model.account.address,
    factorCreationRequestFriendlyName: scenario.unique(),
    factorCreationRequestFactorType: 'TOTP',
  })
  const factor = decode(ShownFactor, json)
  if (factor.ok) model.add(newFactor(factor.value.factorUUID, scenario.see(party, factor.value), false, scenario.now()))
  return { expected, answered }
}

const verifyFactor: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const target = model.pending()
  if (!target || target.uuid === 'unseen') return undefined
  const code = codeBy(turn, [target])
  const session = shown(turn, 'fresh')
  const over = '410 verifyTOTPFactorRequestFactorUUID: is unknown or has waited too long'
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (target.replaces || target.wrongCodes >= limits.factor.wrongFirstCodes) return over
    target.wrongCodes++
    const found = model.matching([target], code)
    if (!found) return '403 verifyTOTPFactorRequestCode: is wrong'
    if (model.hasFactor() && !session.factor) return lower
    // In a session that a passkey opened, the automatic passkeys remain.
    if (session.factor !== 'passkey') model.removeOptionalPasskeys()
    Object.assign(target, { verified: true, lastStep: found.step, by: party.actor })
    session.factor = session.factor === 'passkey' ? 'passkey' : 'code'
    model.renew(visitor, session)
    endOthers(turn, session)
    return '200'
  }
  const expected = expects()
  const body = { verifyTOTPFactorRequestFactorUUID: target.uuid, verifyTOTPFactorRequestCode: code }
  return { expected, answered: (await statusOf(visitor, accountRoutes.userFactorVerify, body)).answered }
}

const removeFactor: Step = async turn => {
  const { scenario, visitor } = turn
  const { model, chance } = scenario
  const there = model.verified()
  const target = there.length > 0 ? chance.pick(there) : undefined
  const isOptional = target?.passkey?.optional === true
  const isLast = !isOptional && model.required().length === 1
  // Rarely remove the last factor: most steps need one.
  if (!target || (isLast && turn.party.actor === 'owner' && !chance.is(0.2))) return undefined
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!session.factor && (!isOptional || model.hasFactor())) return lower
    if (isLast && scenario.policy !== 'skippable') return '409 factor: is the last one, and one is required'
    model.remove([target.uuid])
    if (isLast) model.setRecoveryCodes([])
    endOthers(turn, session)
    return '200'
  }
  const expected = expects()
  return { expected, answered: (await statusOf(visitor, accountRoutes.userFactorRemove, { factorUUID: target.uuid })).answered }
}

const makeCodes =
  (replaces: boolean): Step =>
  async turn => {
    const { scenario, party, visitor } = turn
    const { model, attacker } = scenario
    const session = shown(turn, replaces ? 'fresh' : undefined)
    const none = '403 Recovery codes can be created only right after a sign-in with a second factor, and only if there are none'
    const expects = (): string => {
      if (replaces) {
        if (typeof session === 'string') return session
        if (!model.hasFactor()) return '409 factor: set up a second factor first'
        return session.factor ? '200' : lower
      }
      const due = typeof session !== 'string' && session.factor && model.isFresh(session) && model.hasFactor()
      return due && model.recoveryCodes().size === 0 ? '200' : none
    }
    const expected = expects()
    const { answered, json } = await statusOf(visitor, replaces ? accountRoutes.userRecoveryCodesAnew : accountRoutes.userRecoveryCodes, {})
    if (expected === '200' && answered === '200') {
      const { recoveryCodes } = json as { recoveryCodes: string[] }
      model.setRecoveryCodes(recoveryCodes)
      party.recoveryCodes = recoveryCodes
      if (attacker.holds.has('recovery code') && party !== attacker) attacker.recoveryCodes = recoveryCodes.slice(0, 3)
    }
    return { expected, answered }
  }

const changePassword: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const oldpassword = typedBy(turn)
  const newpassword = scenario.newPassword()
  const session = shown(turn)
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!model.tryPassword(visitor, oldpassword)) return '403 oldpassword: is wrong'
    const { byMail } = model.account
    const { created, factor, confirmed } = session
    model.setPassword(newpassword, byMail)
    party.passwords.push(newpassword)
    model.startSession(visitor, factor)
    // The new session expires when the old one would have. A mailed password does not reauthenticate.
    if (visitor.session) Object.assign(visitor.session.of, { created, confirmed: byMail && model.hasFactor() ? confirmed : scenario.now() })
    return '200'
  }
  const expected = expects()
  const body = { useridentity: model.account.address, oldpassword, newpassword, newpasswordverification: newpassword }
  return { expected, answered: (await statusOf(visitor, accountRoutes.userPasswordUpdate, body)).answered }
}

/** Creates the password of an account without one. */
const createPassword: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model } = scenario
  const newpassword = scenario.newPassword()
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (model.account.password !== null) return '409 useridentity: has a password already'
    const { created, factor, confirmed } = session
    // Without a second factor, the session proves no more than the mailbox does.
    model.setPassword(newpassword, !(factor && model.hasFactor()))
    party.passwords.push(newpassword)
    model.startSession(visitor, factor)
    if (visitor.session) Object.assign(visitor.session.of, { created, confirmed })
    return '200'
  }
  const expected = expects()
  const body = { useridentity: model.account.address, newpassword, newpasswordverification: newpassword }
  return { expected, answered: (await statusOf(visitor, accountRoutes.userPasswordCreate, body)).answered }
}

const changeAddress: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model, chance } = scenario
  // The owner rarely changes the address.
  if (party.actor === 'owner' && !chance.is(0.02)) return undefined
  const again = await proveAgain(turn)
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!again.isRight()) return '403 password: is wrong'
    return model.hasFactor() && !session.factor ? lower : '200'
  }
  const expected = expects()
  const newemail = `${party.actor}-${scenario.unique().replace(' ', '-')}@example.com`
  const { answered } = await statusOf(visitor, accountRoutes.userEmailChange, { newemail, ...again.body })
  const sent = (await scenario.collect()).filter(link => link.kind === 'EmailChange')
  return expected === '200' || sent.length === 0 ? { expected, answered } : { expected, answered: 'a link' }
}

const confirmAddress: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const link = linkFor(turn, 'EmailChange')
  if (!link?.email) return undefined
  const { answered } = await statusOf(visitor, accountRoutes.userEmailConfirm, link.claim)
  const good = link.is === 'newest' && link.expires > scenario.now()
  if (good) {
    model.account.address = link.email
    model.endEverything()
    model.endPending()
    model.voidLinks()
    model.clearWrongPasswords()
  }
  return { expected: good ? '200' : '410 token: is unknown, used or expired', answered }
}

/** Reauthenticates with the password or a passkey. */
const proveAgain = async (turn: Turn) => {
  const { scenario, visitor } = turn
  const used = scenario.chance.is(0.3) ? await assertionBy(turn, 'Reauthentication') : undefined
  if (used) return { body: { password: '', credential: used.credential }, isRight: () => used.factor !== undefined, isBare: false }
  const password = typedBy(turn)
  return { body: { password }, isRight: () => scenario.model.tryPassword(visitor, password), isBare: true }
}

/** Rare, because linking includes a round trip to the provider. */
const linkProvider: Step = async turn => {
  const { scenario, party, visitor } = turn
  const { model, idp } = scenario
  const again = await proveAgain(turn)
  // Without a password, the session alone is the proof.
  const isOwner = () => (again.isBare && model.account.password === null) || again.isRight()
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!isOwner()) return '403 password: is wrong'
    return model.hasFactor() && !session.factor ? lower : '200'
  }
  const expected = expects()
  const { answered, json } = await statusOf(visitor, accountRoutes.userProviderLink, { provider: 'Pak', ...again.body })
  if (answered !== '200' || expected !== '200') return { expected, answered }
  const sub = subAtPak(scenario.name, party.actor)
  const back = await returnFromProvider(visitor.browser, await idp.visit((json as { location: string }).location, sub))
  const isFree = model.linked.pak === undefined
  // If the account has a second factor, only a session that used it can link an identity.
  if (isFree) model.linked.pak = { sub, by: party.actor, vouched: model.hasFactor() }
  return { expected: isFree ? 'linked' : 'taken', answered: back.headers.location === '/account' ? 'linked' : 'taken' }
}

const unlinkProvider: Step = async turn => {
  const { scenario, visitor } = turn
  const { model } = scenario
  const again = await proveAgain(turn)
  // Without a password, the session alone is the proof.
  const isOwner = () => (again.isBare && model.account.password === null) || again.isRight()
  const session = shown(turn, 'fresh')
  const expects = (): string => {
    if (typeof session === 'string') return session
    if (!isOwner()) return '403 password: is wrong'
    if (model.hasFactor() && !session.factor) return lower
    if (model.linked.pak) model.endEverything(session)
    model.linked.pak = undefined
    return '200'
  }
  const expected = expects()
  return { expected, answered: (await statusOf(visitor, accountRoutes.userProviderUnlink, { provider: 'Pak', ...again.body })).answered }
}

const signOut: Step = async ({ scenario, visitor }) => {
  const session = scenario.model.session(visitor)
  if (session) session.alive = false
  await visitor.browser.send('POST', routes.logoutBySelf.path, {})
  return done
}

const endOtherSessions: Step = async (turn): Promise<Outcome> => {
  const session = shown(turn)
  if (typeof session !== 'string') turn.scenario.model.endEverything(session)
  const { answered } = await statusOf(turn.visitor, accountRoutes.userSessionEndOthers, {})
  return { expected: typeof session === 'string' ? session : '200', answered }
}

/** Actions of the account page, by the owner or with the owner's cookie. */
export const accountActions: Action[] = [
  { weight: 3, name: 'confirms the session by password', step: confirm, shows: 'session' },
  { weight: 3, name: 'starts another factor', step: startFactor, shows: 'session' },
  { weight: 3, name: 'verifies another factor', step: verifyFactor, shows: 'session' },
  { weight: 1, name: 'removes a factor', step: removeFactor, shows: 'session' },
  { weight: 2, name: 'makes recovery codes', step: makeCodes(false), shows: 'session' },
  { weight: 1, name: 'replaces the recovery codes', step: makeCodes(true), shows: 'session' },
  { weight: 2, name: 'changes the password', step: changePassword, shows: 'session' },
  { weight: 10, name: 'creates a password', step: createPassword, shows: 'no password' },
  { weight: 1, name: 'asks for another address', step: changeAddress, shows: 'session' },
  { weight: 1, name: 'confirms another address', step: confirmAddress, shows: 'EmailChange' },
  { weight: 0.5, name: 'links a provider', step: linkProvider, shows: 'session' },
  { weight: 0.3, name: 'unlinks a provider', step: unlinkProvider, shows: 'session' },
  { weight: 0.5, name: 'signs out', step: signOut, shows: 'session' },
  { weight: 0.5, name: 'ends the other sessions', step: endOtherSessions, shows: 'session' },
]

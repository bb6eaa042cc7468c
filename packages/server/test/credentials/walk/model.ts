import type { PasskeyCreationOptions } from '@gatehouse/wire'
import { limits, minutes, seconds } from '../../../src/limits.ts'
import type { Browser } from '../../support/harness.ts'
import type { PasskeyDevice } from '../../support/passkey-device.ts'
import { codeOf } from './codes.ts'

// A second implementation of the credential rules for the random walk, independent of credential-rules.ts.

export type Actor = 'owner' | 'attacker'
export type Policy = 'skippable' | 'required' | 'phishing-resistant'

/** A short form of a call's answer. */
export type Answer = string

export type Factor = {
  uuid: string
  /** In base32; undefined until it has been shown to a user. */
  secret: string | undefined
  replaces: boolean
  verified: boolean
  lastStep: number
  wrongCodes: number
  expires: number
  /** The side that verified it first. */
  by?: Actor
  /** `optional`: a password manager added it without asking, so a sign-in with the password does not need it. */
  passkey?: { device: PasskeyDevice; optional: boolean }
}
/** What a sign-in used after the first factor. */
export type Used = 'code' | 'recovery code' | 'passkey' | undefined
export type Link = {
  kind: 'OneTimeLink' | 'PasswordReset' | 'FactorReset' | 'EmailChange'
  claim: { selector: string; token: string }
  readers: ReadonlySet<Actor>
  expires: number
  /** For an older link, only the server knows whether it is still valid. */
  is: 'newest' | 'older' | 'dead'
  factorUUID: string | undefined
  email: string | undefined
}
/** An identity at a provider. `vouched`: the account's own second factor vouched for it. */
export type Identity = { sub: string; by: Actor; vouched: boolean }
type Ticket = { byPassword: boolean; identity: Identity | undefined; expires: number; alive: boolean }
export type HandOver = { token: { authTokenSelector: string; authTokenToken: string }; factor: Used; expires: number; alive: boolean }
export type Session = { created: number; seen: number; confirmed: number; factor: Used; alive: boolean; version: number }
/** The server's options to create a passkey, and when they expire. They work once. */
export type Offered = { options: PasskeyCreationOptions; expires: number }
export type Visitor = {
  actor: Actor
  browser: Browser
  id: string
  known: boolean
  ticket: Ticket | undefined
  handOver: HandOver | undefined
  session: { of: Session; version: number } | undefined
  /** For the first second factor. */
  setUpOffer?: Offered | undefined
  /** For a passkey that the password manager creates without asking. */
  upgradeOffer?: Offered | undefined
}
/** How the first factor is presented. */
export type How = { typed: string } | 'ticket'
export type First = { typed: 'now' | 'before' | undefined }

/** The expected state of one account. */
export const createModel = (now: () => number, policy: Policy, begin: { password: string | null; address: string }) => {
  const account = { ...begin, byMail: false, forcedReset: false }
  /** The linked identities. Pak is trusted, and reports a second factor for everyone. */
  const linked: { google: Identity | undefined; pak: Identity | undefined } = { google: undefined, pak: undefined }
  let factors: Factor[] = []
  /** Removed and abandoned factors, whose codes the walk also tries. */
  const former: Factor[] = []
  let recoveryCodes = new Set<string>()
  const links: Link[] = []
  const tickets: Ticket[] = []
  const handOvers: HandOver[] = []
  const sessions: Session[] = []
  const wrongPasswords = new Map<string, { attempts: number; until: number }>()
  let wrongCodes = { attempts: 0, until: 0 }
  let skips = { count: 0, first: 0 }

  const verified = () => factors.filter(factor => factor.verified)
  const passkeys = () => factors.filter(factor => factor.passkey !== undefined)
  const required = () => verified().filter(factor => !factor.passkey?.optional)
  const hasFactor = () => required().length > 0
  /** The unverified factor whose secret was shown, or one that was not shown yet. */
  const pending = () => {
    const all = factors.filter(factor => !factor.verified && factor.expires > now())
    return all.find(factor => factor.secret !== undefined) ?? all[0]
  }

  const end = (alive: { alive: boolean }[]) => {
    for (const one of alive) one.alive = false
  }
  const keep = (kept: readonly Factor[]) => {
    const hadFactor = hasFactor()
    former.push(...factors.filter(factor => !kept.includes(factor)))
    factors = [...kept]
    if (!hadFactor || hasFactor()) return
    withdraw()
  }
  const withdraw = () => {
    if (account.password !== null) account.byMail = true
    withdrawVouches()
  }
  const withdrawVouches = () => {
    for (const identity of [linked.google, linked.pak]) if (identity) identity.vouched = false
  }
  const endPending = () => keep(verified())
  const isUnseenReplacement = (factor: Factor) => !factor.verified && factor.replaces && factor.secret === undefined
  const voidLinks = () => {
    for (const link of links) link.is = 'dead'
  }
  const endEverything = (but?: Session) => {
    end(tickets)
    end(handOvers)
    end(sessions.filter(session => session !== but))
  }

  /** Counts and checks a typed password. Known browsers have their own count. */
  const tryPassword = (visitor: Visitor, typed: string): boolean => {
    const key = visitor.known ? visitor.id : ''
    const count = wrongPasswords.get(key) ?? { attempts: 0, until: 0 }
    const { waitFrom, firstWait, longestWait, disabledFrom } = limits.lockout
    if (count.attempts >= disabledFrom || count.until > now()) return false
    const attempts = count.attempts + 1
    const wait = Math.min(longestWait, firstWait * 2 ** (attempts - waitFrom))
    wrongPasswords.set(key, { attempts, until: attempts >= waitFrom ? now() + wait : 0 })
    if (typed !== account.password) return false
    wrongPasswords.delete(key)
    return true
  }

  const firstFactor = (visitor: Visitor, how: How): First | undefined => {
    if (how !== 'ticket') return tryPassword(visitor, how.typed) ? { typed: 'now' } : undefined
    const { ticket } = visitor
    if (!ticket?.alive || ticket.expires <= now()) return undefined
    return { typed: ticket.byPassword ? 'before' : undefined }
  }

  const giveTicket = (visitor: Visitor, byPassword: boolean, identity?: Identity) => {
    const ticket = { byPassword, identity, expires: now() + limits.ticket.lifetime, alive: true }
    tickets.push(ticket)
    visitor.ticket = ticket
  }

  /** What follows a correct first factor. */
  const proceed = (): Answer => {
    if (account.forcedReset) return 'AuthFailureForcedReset'
    return hasFactor() ? 'AuthRequires2FA' : 'AuthRequiresFactorCreation'
  }

  /** Completes a sign-in. */
  const issue = (visitor: Visitor, how: How, first: First, used: Used): Answer => {
    const { identity } = (how === 'ticket' && visitor.ticket) || {}
    // With only a mailbox, a provider account or a recovery code, an attacker must not gain the lasting access of a passkey.
    const passed = hasFactor() ? used === 'code' : used === undefined
    const mayUpgrade = first.typed !== undefined && !account.byMail && passed && passkeys().length === 0
    if (how === 'ticket' && visitor.ticket) visitor.ticket.alive = false
    // The browser drops its ticket cookie in either case.
    visitor.ticket = undefined
    visitor.known = true
    if (used) wrongCodes = { attempts: 0, until: 0 }
    // An optional passkey vouches for nothing.
    if (used && hasFactor()) {
      if (first.typed) account.byMail = false
      if (identity) identity.vouched = true
    }
    return mayUpgrade ? 'AuthSuccessful, with an upgrade' : 'AuthSuccessful'
  }
  /** Keeps the hand-over code the server issued. */
  const handOver = (visitor: Visitor, token: HandOver['token'], factor: Used) => {
    visitor.handOver = { token, factor, expires: now() + limits.handOver.lifetime, alive: true }
    handOvers.push(visitor.handOver)
  }

  /** Counts an attempt with a code, right or wrong. */
  const countCodeAttempt = (): 'paused' | number => {
    const { attempts, until } = wrongCodes
    if (attempts >= limits.codes.disabledFrom || until > now()) return 'paused'
    const next = attempts + 1
    wrongCodes = { attempts: next, until: next % limits.codes.pauseEvery === 0 ? now() + limits.codes.pause : 0 }
    return next
  }
  const wrongCode = (counted: 'paused' | number): Answer => {
    if (counted === 'paused') return 'TOTPError Denied InvalidCode'
    if (counted % limits.codes.pauseEvery !== 0) return 'TOTPError Pending InvalidCode'
    end(tickets)
    return 'TOTPError Denied InvalidCode'
  }

  const matching = (candidates: readonly Factor[], code: number) => {
    const at = Math.floor(now() / limits.totp.step)
    for (const factor of candidates)
      for (const step of [at, at - 1, at + 1]) if (factor.secret && codeOf(factor.secret, step) === code) return { factor, step }
    return undefined
  }

  /** The first second factor ends the passkeys that were added without asking: an attacker with only the password may have added them. */
  const removeOptionalPasskeys = () => {
    if (!hasFactor()) keep(factors.filter(factor => !factor.passkey?.optional))
  }

  const complete = (factor: Factor, step: number, actor: Actor) => {
    if (!factor.replaces) removeOptionalPasskeys()
    Object.assign(factor, { verified: true, lastStep: step, by: actor })
    // A factor reset by email neither adds nor removes a passkey.
    if (factor.replaces) keep([factor, ...passkeys()])
    wrongCodes = { attempts: 0, until: 0 }
    if (factor.replaces) {
      recoveryCodes = new Set()
      withdrawVouches()
    }
    endEverything()
    voidLinks()
  }

  const isAlive = ({ session }: Visitor): boolean => {
    const of = session?.of
    return (
      of?.alive === true &&
      session?.version === of.version &&
      of.created + limits.session.absolute > now() &&
      of.seen + limits.session.idle > now()
    )
  }
  /** The visitor's session if it is alive. Using it extends it. */
  const session = (visitor: Visitor): Session | undefined => {
    if (!isAlive(visitor) || !visitor.session) return undefined
    const { of } = visitor.session
    if (of.seen + limits.session.seenEvery <= now()) of.seen = now()
    return of
  }
  const isFresh = ({ confirmed }: Session) => confirmed + limits.session.fresh > now()
  const startSession = (visitor: Visitor, factor: Used) => {
    if (visitor.session && isAlive(visitor)) visitor.session.of.alive = false
    const of = { created: now(), seen: now(), confirmed: now(), factor, alive: true, version: 0 }
    sessions.push(of)
    visitor.session = { of, version: 0 }
  }
  const renew = (visitor: Visitor, of: Session) => {
    of.version++
    visitor.session = { of, version: of.version }
  }

  const setPassword = (password: string, byMail: boolean) => {
    Object.assign(account, { password, byMail, forcedReset: false })
    wrongPasswords.clear()
    endEverything()
    endPending()
    voidLinks()
  }

  const skip = (): boolean => {
    const allowed =
      policy === 'skippable' && (skips.count === 0 || (skips.count < limits.skip.most && skips.first > now() - limits.skip.within))
    if (allowed) skips = { count: skips.count + 1, first: skips.count === 0 ? now() : skips.first }
    return allowed
  }

  return {
    account,
    linked,
    links,
    sessions,
    all: () => factors,
    /** Newest first. */
    former: () => former.toReversed(),
    verified,
    hasFactor,
    required,
    passkeys,
    removeOptionalPasskeys,
    pending,
    endPending,
    voidLinks,
    endEverything,
    tryPassword,
    firstFactor,
    giveTicket,
    proceed,
    issue,
    handOver,
    countCodeAttempt,
    areCodesDisabled: () => wrongCodes.attempts >= limits.codes.disabledFrom,
    wrongCode,
    matching,
    complete,
    session,
    isAlive,
    isFresh,
    startSession,
    renew,
    setPassword,
    withdraw,
    skip,
    unlock: () => {
      wrongPasswords.clear()
      wrongCodes = { attempts: 0, until: 0 }
    },
    clearWrongPasswords: () => wrongPasswords.clear(),
    clearWrongCodes: () => {
      wrongCodes = { attempts: 0, until: 0 }
    },
    /** Records that the secret of an unverified factor was shown. */
    show: (factor: Factor, secret: string | undefined) => {
      factor.secret = secret
      factor.expires = now() + limits.factor.unverified
      keep(factors.filter(one => one.verified || one === factor))
    },
    add: (factor: Factor) => {
      if (factor.replaces) keep(factors.filter(one => !isUnseenReplacement(one)))
      else endPending()
      factors.push(factor)
    },
    remove: (uuids: readonly string[]) => {
      keep(factors.filter(factor => !uuids.includes(factor.uuid)))
    },
    recoveryCodes: () => recoveryCodes,
    setRecoveryCodes: (codes: readonly string[]) => {
      recoveryCodes = new Set(codes)
    },
  }
}

export const newFactor = (uuid: string, secret: string | undefined, replaces: boolean, now: number): Factor => ({
  uuid,
  secret,
  replaces,
  verified: false,
  lastStep: 0,
  wrongCodes: 0,
  expires: now + limits.factor.unverified,
})

/** How far the clock may advance in one step. */
export const pauses = [1, seconds(1), seconds(29), seconds(31), minutes(1), minutes(4), minutes(6), minutes(11), minutes(16), minutes(61)]

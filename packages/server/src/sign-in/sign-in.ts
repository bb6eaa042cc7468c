import type { AuthOutcome, AuthToken, LoginRequest, SecondFactorType } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { StepResult } from '../audit/audit-events.ts'
import { type Proof, permit } from '../credentials/credential-rules.ts'
import type { Db, Tables, UsedFactor } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import { demand, factsOf } from '../factors/credential-permits.ts'
import { offerAtSignIn, strategyOf, takesCode } from '../factors/factor-strategies.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import * as pushCounts from '../factors/push/push-counts.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { replacementType } from '../factors/totp/totp-binding.ts'
import type { Keyring } from '../keys/keyring.ts'
import { arriveByHandOver, exchangeHandOver, type HandedOver, type HandOverClaim, issueHandOver } from '../sessions/hand-overs.store.ts'
import type { PasskeyDue, PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import type { Session } from '../sessions/session.ts'
import { endSession, startSession } from '../sessions/sessions.store.ts'
import { issueTicket, redeemTicket } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, Confirmed } from './authenticate.ts'
import * as lockout from './lockout.store.ts'
import { type SecondFactorPolicy, skipRefusal } from './second-factor-policy.ts'

/** An outcome, and the cookies to set with it. */
export type SignedIn = { outcome: AuthOutcome; cookies?: { binding?: string; browser?: string; ticket?: string; passkey?: string } }

export const failed: SignedIn = { outcome: { tag: 'AuthFailureFailedLogin' } }
export const forcedReset: SignedIn = { outcome: { tag: 'AuthFailureForcedReset' } }

/** Signs users in, and hands their browser over to the dashboard. */
export const createSignIn = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  /** Undefined if passkeys are off. */
  ceremonies: PasskeyCeremonies | undefined
  keyring: Keyring
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  passkeyDue: PasskeyDueOf
  /** The product's name in authenticator apps and mails. */
  productName: string
  /** The language of users whose own is unknown. */
  defaultLanguage: string
  now: () => number
}) => {
  const { db, ceremonies, keyring, policy, now } = deps
  const { authenticatePassword, authenticateTicket } = deps.authentication

  /** @param next what proves the first factor in the next step: the password again, or a ticket if no script keeps the password */
  const withPassword = async (request: LoginRequest, visitor: Visitor, next: 'password' | 'ticket' = 'password'): Promise<SignedIn> => {
    using first = await authenticatePassword(request, visitor, { event: 'sign-in', field: 'username' })
    if (!first) return failed
    // Either everything that follows from a right password happens, or nothing.
    return await db.transaction().execute(async tx => {
      const confirmed = await first.confirm(tx, 'factor-types')
      if (!confirmed) return first.refuse(tx, failed)
      const signedIn = await proceed(confirmed, visitor)
      return next === 'ticket' ? addTicket(confirmed, signedIn) : signedIn
    })
  }

  /** Continues with the ticket that a one-time link or a provider left in this browser. */
  const withTicket = async (visitor: Visitor): Promise<SignedIn> => {
    using first = await authenticateTicket('', visitor, 'sign-in-continued')
    if (!first) return failed
    return await db.transaction().execute(async tx => {
      const confirmed = await first.confirm(tx)
      return confirmed ? proceed(confirmed, visitor) : first.refuse(tx, failed)
    })
  }

  const record = ({ tx, account: { userId }, event, by }: Confirmed, visitor: Visitor, result: StepResult) =>
    audit.record(tx, { event, result: by ? `${by}: ${result}` : result, actor: userId, target: userId, now: now() }, visitor)

  /** Takes the step after the first factor: a new password, a second factor, setting one up, or the dashboard. */
  const proceed = async (confirmed: Confirmed, visitor: Visitor): Promise<SignedIn> => {
    const { tx, account, proof } = confirmed
    if (account.userForcedReset) {
      await record(confirmed, visitor, 'forced-reset')
      return forcedReset
    }
    const factorTypes = confirmed.factorTypes ?? (await factors.listTypes(tx, account.userId))
    if (factorTypes.length > 0) {
      for (const type of factorTypes) await strategyOf(type).prepareVerification(tx, account.userId, now())
      // The replacement for a lost phone is an authenticator app, so the page must show a field for its code.
      const mayReplace = proof.password !== undefined && !factorTypes.some(takesCode)
      if (mayReplace && (await totpFactors.findOpenReplacement(tx, account.userId, now()))) factorTypes.push(replacementType)
      await record(confirmed, visitor, 'second-factor-required')
      return requireSecondFactor(confirmed, factorTypes, visitor)
    }
    if (policy !== 'off') {
      const offer = await demand(tx, account, 'offer-first-factor', proof)
      const contents = await offerAtSignIn(offer, keyring, {
        issuer: deps.productName,
        account: account.userIdent,
        now: now(),
      })
      await record(confirmed, visitor, 'factor-creation-required')
      const skipRefused = await skipRefusal(tx, account, deps, now())
      const passkey = visitor.knowsPasskeys ? await ceremonies?.creation(tx, account, 'SetUp', visitor) : undefined
      return {
        outcome: {
          tag: 'AuthRequiresFactorCreation',
          contents,
          ...(skipRefused && { skipRefused }),
          ...(passkey && { passkey: passkey.options }),
        },
        ...(passkey && { cookies: { passkey: passkey.binding } }),
      }
    }
    return issue(confirmed, visitor, { factor: null, hasFactor: false })
  }

  const requireSecondFactor = async ({ tx, account }: Confirmed, all: SecondFactorType[], visitor: Visitor): Promise<SignedIn> => {
    const { userId } = account
    // The specification has no passkeys, and its clients reject the unknown name.
    const factorTypes = visitor.knowsPasskeys ? all : all.filter(type => type !== 'Passkey')
    // With authenticator apps alone, the response is exactly that of the specification.
    if (factorTypes.every(takesCode)) return { outcome: { tag: 'AuthRequires2FA' } }
    const own = factorTypes.includes('Passkey') ? await passkeys.listPasskeys(tx, userId) : []
    const asked = own.length > 0 ? ceremonies?.request('SecondFactor', visitor, { userId, passkeys: own }) : undefined
    return {
      outcome: { tag: 'AuthRequires2FA', contents: { factorTypes, ...(asked && { passkey: asked.options }) } },
      ...(asked && { cookies: { passkey: asked.binding } }),
    }
  }

  /** Adds a ticket for the next step, if there is one, for browsers that do not send the password again. */
  const addTicket = async ({ tx, account, proof }: Confirmed, signedIn: SignedIn): Promise<SignedIn> => {
    const { outcome } = signedIn
    if (outcome.tag !== 'AuthRequires2FA' && outcome.tag !== 'AuthRequiresFactorCreation') return signedIn
    const factorUUID = outcome.tag === 'AuthRequiresFactorCreation' ? outcome.contents.factorUUID : null
    const byPassword = proof.password !== undefined
    const ticket = await issueTicket(tx, { userId: account.userId, byPassword, identity: proof.identity, factorUUID }, now())
    return { ...signedIn, cookies: { ...signedIn.cookies, ticket } }
  }

  /**
   * Issues the hand-over code of a sign-in, after every required factor has passed. No other function does.
   * @param hasFactor whether the account has a second factor, as this transaction read it
   */
  const issue = async (
    confirmed: Confirmed,
    visitor: Visitor,
    { factor, hasFactor }: { factor: UsedFactor | null; hasFactor: boolean },
  ): Promise<SignedIn> => {
    const { tx, account, ticket, counter } = confirmed
    const { userId } = account
    const usedOwn = factor !== null && factor !== 'Provider'
    const proof: Proof = {
      ...confirmed.proof,
      ...(usedOwn && { secondFactor: true }),
      ...(factor === 'Provider' && { trustedProvider: true }),
    }
    const facts = { ...factsOf(account), hasFactor }
    const entry = permit(tx, userId, 'sign-in', proof, facts)
    if ('refused' in entry) throw new Error(`a sign-in came to its end without ${entry.refused}`)
    if (ticket !== undefined) await redeemTicket(tx, ticket, now())
    const browser = counter
      ? await lockout.rememberBrowser(tx, counter, userId, visitor, now())
      : await lockout.rememberBrowserOf(tx, account, visitor, now())
    // A provider's second factor is not the account's own, so it does not end the pause after wrong codes.
    if (usedOwn) {
      await failedCodes.clearCodes(tx, userId)
      await pushCounts.clearPushes(tx, userId)
      await challenges.closeOpen(tx, userId, now())
      // Attack: a mailbox reader sets the password. Then the owner signs in with a one-time link or a provider, and with a code. The
      // owner did not type that password, so the code says nothing about it.
      const vouched = permit(tx, userId, 'vouch-for-password', proof, facts)
      if (!('refused' in vouched)) await accounts.vouchForPassword(vouched)
      const identified = permit(tx, userId, 'vouch-for-identity', proof, facts)
      if (proof.identity && !('refused' in identified)) await accounts.vouchForIdentity(identified, proof.identity)
    }
    const { language } = visitor
    if (language !== undefined && language !== (account.userLastLanguage ?? deps.defaultLanguage))
      await accounts.setLastLanguage(tx, userId, language)
    const { binding, ...token } = await issueHandOver(entry, { factor, signIn: visitor.signIn }, now())
    await record(confirmed, visitor, factor === null ? 'successful' : `successful: ${factor}`)
    const after = visitor.knowsPasskeys
      ? await ceremonies?.afterSignIn(tx, account, mayUpgrade(confirmed, factor, hasFactor), visitor)
      : undefined
    return {
      outcome: { tag: 'AuthSuccessful', contents: authToken(token, userId, visitor), ...(after && { passkeys: after.passkeys }) },
      cookies: { binding, browser, ...(after?.binding !== undefined && { passkey: after.binding }) },
    }
  }

  /**
   * Whether the password manager may create a passkey without asking: the user typed the password in this sign-in, no mailbox reader can
   * have set it, and a user with a second factor used an authenticator app or a phone. Attack: someone with a mailbox, a provider account
   * or a recovery code would gain lasting access.
   */
  const mayUpgrade = ({ account, proof }: Confirmed, factor: UsedFactor | null, hasFactor: boolean): boolean =>
    proof.password !== undefined &&
    !factsOf(account).isPasswordByMail &&
    (hasFactor ? factor === 'TOTP' || factor === 'Push' : factor === null)

  const authToken = (
    token: { authTokenSelector: string; authTokenToken: string; authTokenExpires: number },
    user: string,
    visitor: Visitor,
  ): AuthToken => ({
    authTokenSelector: token.authTokenSelector,
    authTokenToken: token.authTokenToken,
    authTokenUserAgent: visitor.userAgent,
    authTokenExpires: new Date(token.authTokenExpires).toISOString(),
    authTokenUser: user,
  })

  /**
   * Exchanges a hand-over code for a session, and ends the browser's previous session.
   * @returns the session's cookie value. Undefined if the code is unknown, used, expired or for another browser
   */
  const exchange = (claim: HandOverClaim, visitor: Visitor, before: Session | undefined): Promise<string | undefined> =>
    db.transaction().execute(async tx => {
      const handedOver = await exchangeHandOver(tx, claim, now())
      if (!handedOver) {
        await audit.record(tx, { event: 'hand-over-refused', result: 'exchange', actor: null, target: null, now: now() }, visitor)
        return undefined
      }
      return replaceSession(tx, handedOver, visitor, before)
    })

  /**
   * Redeems the hand-over code, at the token page or by the call that replaces the page.
   * @returns `session` is the cookie value of the new session; absent if plowlogin or loginWithToken has already started the session.
   * Undefined if the code is unknown, used, expired or for another browser
   */
  const arrive = (
    claim: HandOverClaim,
    visitor: Visitor,
    before: Session | undefined,
    /** For the audit log. */
    by: 'token-page' | 'exchange' = 'token-page',
  ): Promise<{ session?: string; recoveryCodesDue: boolean; passkeyDue?: PasskeyDue | undefined } | undefined> =>
    db.transaction().execute(async tx => {
      const arrived = await arriveByHandOver(tx, claim, now())
      if (!arrived) {
        await audit.record(tx, { event: 'hand-over-refused', result: by, actor: null, target: null, now: now() }, visitor)
        return undefined
      }
      const recoveryCodesDue = await areRecoveryCodesDue(tx, arrived.user)
      const account = await accounts.findById(tx, arrived.user)
      const passkeyDue = account && deps.passkeyDue({ userIdent: account.userIdent, sessionFactor: arrived.factor })
      const due = { recoveryCodesDue, passkeyDue }
      return arrived.exchanged ? due : { session: await replaceSession(tx, arrived, visitor, before), ...due }
    })

  const replaceSession = async (tx: Db, handedOver: HandedOver, visitor: Visitor, before: Session | undefined): Promise<string> => {
    if (before) await endSession(tx, before.sessionSelector)
    const session = await startSession(tx, handedOver, visitor, now())
    const { user, signIn } = handedOver
    const started = { event: 'session-started', result: 'successful', actor: user, target: user, now: now() } as const
    await audit.record(tx, started, { ...visitor, signIn })
    return session
  }

  return { withPassword, withTicket, proceed, addTicket, issue, exchange, arrive }
}
export type SignIn = ReturnType<typeof createSignIn>

/** Whether to offer recovery codes: the user has a second factor, and no codes in case they lose it. */
export const areRecoveryCodesDue = async (db: Db, userId: string): Promise<boolean> =>
  (await factors.hasVerified(db, userId)) && (await recoveryCodes.countRecoveryCodes(db, userId)) === 0

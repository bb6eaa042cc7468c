import type { AuthOutcome, AuthToken, LoginRequest, SsoProviderName } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, StepResult } from '../audit/audit-events.ts'
import { type Proof, permit } from '../credentials/credential-rules.ts'
import type { Db, Tables, UsedFactor } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import { demand, factsOf } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as pushCounts from '../factors/push/push-counts.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import { arriveByHandOver, exchangeHandOver, type HandedOver, type HandOverClaim, issueHandOver } from '../sessions/hand-overs.store.ts'
import type { Session } from '../sessions/session.ts'
import { endSession, startSession } from '../sessions/sessions.store.ts'
import { issueTicket } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { CheckFirstFactor } from './authenticate.ts'
import { type SecondFactorPolicy, skipRefusal } from './second-factor-policy.ts'

/** An outcome and the cookies that go with it. */
export type SignedIn = { outcome: AuthOutcome; cookies?: { binding?: string; browser?: string; ticket?: string } }

/** Which step of a sign-in this is to the audit, by which provider if by one, what it proved, and what is done when all have passed. */
type Step = { event: AuditEvent; by?: SsoProviderName; proof: Proof; finish: () => Promise<string | undefined> }

export const failed: SignedIn = { outcome: { tag: 'AuthFailureFailedLogin' } }
export const forcedReset: SignedIn = { outcome: { tag: 'AuthFailureForcedReset' } }

/** Decides on sign-ins: who gets in, and how the browser is handed to the dashboard. */
export const createSignIn = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  keyring: Keyring
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  /** What authenticator apps and mails call the product. */
  productName: string
  now: () => number
}) => {
  const { db, firstFactor, keyring, policy, now } = deps

  /** @param keeps `ticket`: what stands in for the password at the next step, where no script keeps it */
  const withPassword = async (request: LoginRequest, visitor: Visitor, keeps?: 'ticket'): Promise<SignedIn> =>
    (await firstFactor.withPassword(request, visitor, { event: 'sign-in', field: 'username' }, first =>
      // All that follows from a right password happens, or nothing.
      db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
        const account = await first.confirm(tx)
        if (!account) return undefined
        const next = await proceed(tx, account, visitor, { event: 'sign-in', proof: first.proof, finish: () => first.finish(tx) })
        return keeps ? withTicketFor(tx, account, next, true) : next
      }),
    )) ?? failed

  /** Goes on with the ticket that a one-time link or a provider left in this browser. */
  const withTicket = async (visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.check({ username: '', password: '' }, visitor, { event: 'sign-in-continued', field: 'ticket' }, first =>
      db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
        const account = await first.confirm(tx)
        return account && proceed(tx, account, visitor, { event: 'sign-in-continued', proof: first.proof, finish: () => first.finish(tx) })
      }),
    )) ?? failed

  const note = (tx: Db, { userId }: accounts.Account, visitor: Visitor, { event, by }: Step, result: StepResult) =>
    audit.record(tx, { event, result: by ? `${by}: ${result}` : result, actor: userId, target: userId, now: now() }, visitor)

  /** The first factor passed. What comes next: a new password, a second factor, setting one up, or the dashboard. */
  const proceed = async (tx: Db, account: accounts.Account, visitor: Visitor, step: Step): Promise<SignedIn> => {
    const said = (result: StepResult) => note(tx, account, visitor, step, result)
    if (account.userForcedReset) {
      await said('forced-reset')
      return forcedReset
    }
    const factorTypes = await factors.listTypes(tx, account.userId)
    if (factorTypes.length > 0) {
      // The code of a factor that replaces a lost phone needs a field to be typed into.
      const takesCode = factorTypes.includes('TOTP') || !step.proof.password
      if (!takesCode && (await totpFactors.findOpenReplacement(tx, account.userId, now()))) factorTypes.push('TOTP')
      const [authenticator] = await totpFactors.listVerifiedTotp(tx, account.userId)
      if (authenticator) await challenges.openChallenge(tx, account.userId, authenticator.factorUUID, now())
      await said('second-factor-required')
      // Where a code is all there is, the answer is the specification's own.
      return { outcome: factorTypes.includes('Push') ? { tag: 'AuthRequires2FA', contents: { factorTypes } } : { tag: 'AuthRequires2FA' } }
    }
    if (policy !== 'off') {
      const offer = await demand(tx, account, 'offer-first-factor', step.proof)
      const { factorUUID } = await factors.startFactor(offer, { type: 'TOTP', now: now() })
      const shown = { issuer: deps.productName, account: account.userIdent, now: now() }
      const contents = await totpFactors.bindTotp(offer, keyring, factorUUID, shown)
      if (!contents) throw new Error('a factor that was just started is gone')
      await said('factor-creation-required')
      const skipRefused = await skipRefusal(tx, account, deps, now())
      return { outcome: { tag: 'AuthRequiresFactorCreation', contents, ...(skipRefused && { skipRefused }) } }
    }
    return issue(tx, account, visitor, { ...step, factor: null, hasFactor: false })
  }

  /** The same outcome, with a ticket for the browser where another step is to follow and no password goes along with it. */
  const withTicketFor = async (tx: Db, { userId }: accounts.Account, next: SignedIn, byPassword: boolean): Promise<SignedIn> => {
    const { outcome } = next
    if (outcome.tag !== 'AuthRequires2FA' && outcome.tag !== 'AuthRequiresFactorCreation') return next
    const factorUUID = outcome.tag === 'AuthRequiresFactorCreation' ? outcome.contents.factorUUID : null
    const ticket = await issueTicket(tx, { userId, byPassword, factorUUID }, now())
    return { ...next, cookies: { ...next.cookies, ticket } }
  }

  /** Every factor that is asked for has passed: the one place that issues the token of a sign-in. */
  const issue = async (
    tx: Db,
    account: accounts.Account,
    visitor: Visitor,
    /** `hasFactor`: as this transaction has read it. */
    step: Step & { factor: UsedFactor | null; hasFactor: boolean },
  ): Promise<SignedIn> => {
    const usedOwn = step.factor !== null && step.factor !== 'Provider'
    const proof: Proof = {
      ...step.proof,
      ...(usedOwn && { secondFactor: true }),
      ...(step.factor === 'Provider' && { trustedProvider: true }),
    }
    const facts = { ...factsOf(account), hasFactor: step.hasFactor }
    const entry = permit(tx, account.userId, 'sign-in', proof, facts)
    if ('refused' in entry) throw new Error(`a sign-in came to its end without ${entry.refused}`)
    const browser = await step.finish()
    // Codes that are paused stay so, whatever a provider says: its second factor is not ours.
    if (usedOwn) {
      await failedCodes.clearCodes(tx, account.userId)
      await pushCounts.clearPushes(tx, account.userId)
      await challenges.closeOpen(tx, account.userId, now())
      // Attack: a mailbox reader sets the password, and the owner signs in by one-time link or provider, and a code. The owner did not
      // type that password, so the code says nothing about it.
      const vouched = permit(tx, account.userId, 'vouch-for-password', proof, facts)
      if (!('refused' in vouched)) await accounts.vouchForPassword(vouched)
    }
    const { binding, ...token } = await issueHandOver(entry, step.factor, now())
    await note(tx, account, visitor, step, step.factor === null ? 'successful' : `successful: ${step.factor}`)
    return {
      outcome: { tag: 'AuthSuccessful', contents: authToken(token, account.userId, visitor) },
      cookies: { binding, ...(browser !== undefined && { browser }) },
    }
  }

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
   * Exchanges a hand-over for a session and returns the session's cookie value; `undefined` when it is unknown, used,
   * expired or another browser's. The session the browser had before ends.
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
   * The browser has come to the token page. Returns the cookie value of the session that this starts, or nothing new
   * when plowlogin or loginWithToken started it before; `undefined` when the page does not work (any more).
   */
  const arrive = (
    claim: HandOverClaim,
    visitor: Visitor,
    before: Session | undefined,
  ): Promise<{ session?: string; recoveryCodesDue: boolean } | undefined> =>
    db.transaction().execute(async tx => {
      const arrived = await arriveByHandOver(tx, claim, now())
      if (!arrived) {
        await audit.record(tx, { event: 'hand-over-refused', result: 'token-page', actor: null, target: null, now: now() }, visitor)
        return undefined
      }
      const recoveryCodesDue = await areRecoveryCodesDue(tx, arrived.user)
      return arrived.exchanged ? { recoveryCodesDue } : { session: await replaceSession(tx, arrived, visitor, before), recoveryCodesDue }
    })

  const replaceSession = async (tx: Db, handedOver: HandedOver, visitor: Visitor, before: Session | undefined): Promise<string> => {
    if (before) await endSession(tx, before.sessionSelector)
    const session = await startSession(tx, handedOver, visitor, now())
    const { user } = handedOver
    await audit.record(tx, { event: 'session-started', result: 'successful', actor: user, target: user, now: now() }, visitor)
    return session
  }

  return { withPassword, withTicket, proceed, withTicketFor, issue, exchange, arrive }
}
export type SignIn = ReturnType<typeof createSignIn>

/** Somebody who has a second factor and no way in without it is offered recovery codes. */
export const areRecoveryCodesDue = async (db: Db, userId: string): Promise<boolean> =>
  (await factors.hasVerified(db, userId)) && (await recoveryCodes.countRecoveryCodes(db, userId)) === 0

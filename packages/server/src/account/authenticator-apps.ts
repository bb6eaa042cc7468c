import type { Factor, FactorCreationRequest, VerifyTOTPFactorRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import { nameOf } from '../factors/factor-name.ts'
import { codeRefusal } from '../factors/factor-strategies.ts'
import * as factors from '../factors/factors.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { matchCode } from '../factors/totp/totp.ts'
import { bindTotp } from '../factors/totp/totp-binding.ts'
import type { Keyring } from '../keys/keyring.ts'
import { isFresh, type Session } from '../sessions/session.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { FactorRefusal, OwnFactors } from './factors.ts'
import type { Reauthentication } from './reauthentication.ts'

/** Enrolls authenticator apps of the signed-in user. */
export const createOwnTotp = (deps: {
  db: Kysely<Tables>
  reauthentication: Reauthentication
  ownFactors: OwnFactors
  keyring: Keyring
  /** The product's name in authenticator apps. */
  productName: string
  now: () => number
}) => {
  const { db, reauthentication, ownFactors, keyring, now } = deps

  /** Starts the enrollment of a named authenticator app. It becomes a second factor once its first code is right. */
  const start = async (
    request: FactorCreationRequest,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ factor: Factor } | FactorRefusal> => {
    nameOf(request.factorCreationRequestFriendlyName, 'factorCreationRequestFriendlyName')
    if (request.factorCreationRequestFactorType !== 'TOTP') throw new BadInput('factorCreationRequestFactorType: expected TOTP')
    return reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ factor: Factor } | FactorRefusal> => {
      const begun = await ownFactors.begin(tx, account, session, request)
      if (typeof begun === 'string' || 'wrongFactor' in begun) return begun
      const shown = { issuer: deps.productName, account: account.userIdent, now: now() }
      const factor = await bindTotp(begun.permit, keyring, begun.factorUUID, shown)
      if (!factor) throw new Error('a factor that was just started is gone')
      const { userId } = account
      await audit.record(tx, { event: 'factor-started', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { factor }
    })
  }

  /** Checks the first code of an authenticator app, and completes its enrollment. */
  const verify = async (
    request: VerifyTOTPFactorRequest,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ session: string } | FactorRefusal> => {
    const { verifyTOTPFactorRequestFactorUUID: factorUUID, verifyTOTPFactorRequestCode: code } = request
    if (!caller) return 'not-signed-in'
    if (!isFresh(caller, now())) return 'stale'
    const refuse = async (result: AuditResult, refusal: FactorRefusal) => {
      const { userId } = caller
      await audit.record(db, { event: 'factor-added', result, actor: userId, target: userId, now: now() }, visitor)
      return refusal
    }
    const factor = await totpFactors.findWaiting(db, caller.userId, factorUUID, now())
    const other = factor ? undefined : await factors.findOwn(db, caller.userId, factorUUID)
    const wrongFactor = other && codeRefusal([other.factorFactorType], factorUUID)
    if (wrongFactor) return refuse('wrong-factor-type', { wrongFactor })
    // Users complete a factor reset at sign-in, with their password, and not here.
    if (!factor || factor.factorReplaces) return refuse('refused', 'over')
    if (!(await factors.countFirstCode(db, factorUUID, now()))) return refuse('too-many-codes', 'over')
    const match = matchCode(keyring, [factor], code, now())
    if (match.tag !== 'Match') return refuse('wrong-code', 'wrong-code')
    return ownFactors.complete(caller, { ...factor, type: 'TOTP' }, visitor, tx => totpFactors.useStep(tx, factorUUID, match.step))
  }

  return { start, verify }
}
export type OwnTotp = ReturnType<typeof createOwnTotp>

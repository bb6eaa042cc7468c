import type { OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { StepResult } from '../audit/audit-events.ts'
import type { Tables } from '../db/schema.ts'
import { codeRefusal } from '../factors/factor-strategies.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { matchCode } from '../factors/totp/totp.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, FirstFactor } from './authenticate.ts'
import type { CodeChallenge } from './code-challenge.ts'
import { missingFactor, noApproval, noFactors, refused, unreadable } from './factor-outcomes.ts'
import type { FactorReplacement } from './factor-replacement.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** The authenticator apps that may have generated the code. `replacing` is the app that a factor reset started to replace a lost factor. */
type Apps = {
  verified: readonly totpFactors.TotpFactor[]
  candidates: readonly totpFactors.TotpFactor[]
  replacing: totpFactors.TotpFactor | undefined
}
type Refusal = { result: StepResult; answer: SignedIn }

export const createVerifyOtp = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  signIn: SignIn
  codeChallenge: CodeChallenge
  replacement: FactorReplacement
  keyring: Keyring
  now: () => number
}) => {
  const { db, signIn, replacement, keyring, now } = deps
  const { authenticate } = deps.authentication
  const { answerChallenge, refuseCode } = deps.codeChallenge
  const { refuseStep, confirmStep } = createFactorSteps(deps)

  /**
   * Answers `POST verifyOTP`: completes a sign-in with a code of an authenticator app or, if the request has no code, with an approval on a
   * phone. The request carries the password or a ticket again, because the server keeps no half-finished sign-in.
   */
  const verifyOtp = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    using first = await authenticate(credentialsOf(request), visitor, step('second-factor'))
    if (!first) return failed
    if (first.account.userForcedReset) return await refuseStep(first, 'forced-reset', visitor, forcedReset)
    const apps = await findApps(first, request)
    if ('result' in apps) return await refuseStep(first, apps.result, visitor, apps.answer)
    const { otpVerification: code } = request
    return code == null ? await useApproval(first, visitor) : await checkCode(first, code, apps, visitor)
  }

  /** Finds the user's apps, or only the one that the request names. Refuses a request that no code can satisfy. */
  const findApps = async (first: FirstFactor, request: OTPRequest): Promise<Apps | Refusal> => {
    const { userId } = first.account
    const { otpFactorUUID: only, otpVerification: code } = request
    const factorTypes = await factors.listTypes(db, userId)
    if (factorTypes.length === 0) return { result: 'no-factor', answer: noFactors }
    const named = only == null ? undefined : await factors.findOwn(db, userId, only)
    const mismatch = named && code != null ? codeRefusal([named.factorFactorType], named.factorUUID) : undefined
    if (mismatch) return { result: 'wrong-factor-type', answer: refused(mismatch) }
    const verified = await totpFactors.listVerifiedTotp(db, userId)
    const candidates = only == null ? verified : verified.filter(factor => factor.factorUUID === only)
    const replacing = await findReplacement(first, request)
    if (only != null && candidates.length === 0 && !replacing) return { result: 'unknown-factor', answer: missingFactor(only) }
    const wrongType = code == null || replacing ? undefined : codeRefusal(factorTypes)
    if (wrongType) return { result: 'wrong-factor-type', answer: refused(wrongType) }
    return { verified, candidates, replacing }
  }

  /**
   * Finds the factor that a reset started to replace a lost one. Its first code completes the reset. The request must contain the password;
   * any browser may send it, because the tab that requested the reset may be closed.
   */
  const findReplacement = async (first: FirstFactor, { otpFactorUUID: only, otpVerification: code }: OTPRequest) => {
    if (code == null || first.proof.password !== 'this-request') return undefined
    const found = await totpFactors.findOpenReplacement(db, first.account.userId, now())
    return only == null || found?.factorUUID === only ? found : undefined
  }

  /** Counts the code, then compares it. */
  const checkCode = async (first: FirstFactor, code: number, apps: Apps, visitor: Visitor): Promise<SignedIn> => {
    const { verified, candidates, replacing } = apps
    const { allowed, attempts } = await failedCodes.countCode(db, first.account.userId, now())
    if (!allowed) {
      // A pause ends soon, but disabled codes stay disabled until a reset. The user may have closed the tab that requested the reset.
      const completed = attempts >= limits.codes.disabledFrom ? await completeByFirstCode(first, replacing, code, visitor) : undefined
      return completed ?? refuseCode(first, 'paused', attempts, visitor)
    }
    const match = matchCode(keyring, candidates, code, now())
    // A code that was used before gets the same answer as a wrong code, so the answer does not reveal that it was right.
    if (match.tag === 'Match')
      return (await acceptCode(first, match, verified, visitor)) ?? refuseCode(first, 'used-code', attempts, visitor, code)
    const newMatch = replacing && matchCode(keyring, [replacing], code, now())
    if (newMatch?.tag === 'Match')
      return (await completeReplacement(first, newMatch, visitor)) ?? refuseCode(first, 'used-code', attempts, visitor)
    switch (match.tag) {
      case 'Unreadable':
        return refuseStep(first, 'secret-unreadable', visitor, unreadable)
      case 'MissingSecret':
        return refuseCode(first, 'missing-secret', attempts, visitor)
      case 'NoMatch':
        return refuseCode(first, 'wrong-code', attempts, visitor, code)
    }
  }

  /** Uses the code up, and issues the hand-over code. @returns undefined if the code was used before */
  const acceptCode = (
    first: FirstFactor,
    { factorUUID, step: timeStep }: { factorUUID: string; step: number },
    verified: readonly totpFactors.TotpFactor[],
    visitor: Visitor,
  ): Promise<SignedIn | undefined> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      if (!(await totpFactors.useStep(tx, factorUUID, timeStep))) return undefined
      await factors.recordUse(tx, factorUUID, now())
      await answerChallenge(tx, confirmed.account, verified, { status: 'Approved', reason: 'ReasonNone', factorUUID })
      return signIn.issue(confirmed, visitor, { factor: 'TOTP', hasFactor: true })
    })

  /**
   * Checks the code as a first code, which has its own limit.
   * @returns undefined if the limit is reached, the new factor did not generate the code, or `completeReplacement` refuses it
   */
  const completeByFirstCode = async (
    first: FirstFactor,
    replacing: totpFactors.TotpFactor | undefined,
    code: number,
    visitor: Visitor,
  ): Promise<SignedIn | undefined> => {
    if (!replacing || !(await factors.countFirstCode(db, replacing.factorUUID, now()))) return undefined
    const match = matchCode(keyring, [replacing], code, now())
    return match.tag === 'Match' ? completeReplacement(first, match, visitor) : undefined
  }

  /** Replaces the lost factor with the new one. @returns undefined if the code was used before, or the replacement is no longer allowed */
  const completeReplacement = (
    first: FirstFactor,
    match: { factorUUID: string; step: number },
    visitor: Visitor,
  ): Promise<SignedIn | undefined> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      return 'refused' in confirmed ? confirmed.refused : replacement.complete(confirmed, match, visitor)
    })

  /** Redeems a phone approval once, only in the browser that asked for it. */
  const useApproval = async (first: FirstFactor, visitor: Visitor): Promise<SignedIn> => {
    const { push: binding } = visitor
    const signedIn = binding === undefined ? undefined : await redeemApproval(first, binding, visitor)
    return signedIn ?? refuseStep(first, 'no-code', visitor, noApproval)
  }

  const redeemApproval = (first: FirstFactor, binding: string, visitor: Visitor): Promise<SignedIn | undefined> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const { userId } = confirmed.account
      if (await failedCodes.isPaused(tx, userId, now())) return undefined
      if (!(await pushWaits.redeemWait(tx, { binding, ticket: first.ticket, userId }, now()))) return undefined
      return signIn.issue(confirmed, visitor, { factor: 'Push', hasFactor: true })
    })

  return verifyOtp
}
export type VerifyOtp = ReturnType<typeof createVerifyOtp>

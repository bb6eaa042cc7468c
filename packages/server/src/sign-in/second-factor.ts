import type { OTPRequest, RecoveryCodeRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { StepResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import type { Answer } from '../factors/challenges.store.ts'
import { codeRefusal } from '../factors/factor-strategies.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import { clockOffset } from '../factors/totp/clock-offset.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { matchCode } from '../factors/totp/totp.ts'
import { answerTotpChallenge } from '../factors/totp/totp-challenge.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import type { Metrics } from '../metrics.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import { revokeTickets } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, FirstFactor } from './authenticate.ts'
import { missingFactor, noApproval, noFactors, refused, unreadable, wrongCode } from './factor-outcomes.ts'
import type { FactorReplacement } from './factor-replacement.ts'
import { createFactorSteps, credentialsOf, step, wrongCodeResult } from './factor-steps.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** Checks second factors at a sign-in: a code, an approval on a phone, or a recovery code. */
export const createSecondFactor = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  signIn: SignIn
  replacement: FactorReplacement
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  now: () => number
}) => {
  const { db, signIn, replacement, keyring, mail, metrics, now } = deps
  const { authenticate } = deps.authentication
  const { record, refuseStep, confirmStep } = createFactorSteps(deps)

  /** verifyOTP: checks a code of a verified factor or, without a code, the approval on a phone. */
  const verifyCode = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    using first = await authenticate(credentialsOf(request), visitor, step('second-factor'))
    return first ? await checkCode(first, request, visitor) : failed
  }

  const checkCode = async (first: FirstFactor, request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    const { userId, userForcedReset } = first.account
    const { otpFactorUUID: only, otpVerification: code } = request
    if (userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    const factorTypes = await factors.listTypes(db, userId)
    if (factorTypes.length === 0) return refuseStep(first, 'no-factor', visitor, noFactors)
    const named = only == null ? undefined : await factors.findOwn(db, userId, only)
    const mismatch = named && code != null ? codeRefusal([named.factorFactorType], named.factorUUID) : undefined
    if (mismatch) return refuseStep(first, 'wrong-factor-type', visitor, refused(mismatch))
    const verified = await totpFactors.listVerifiedTotp(db, userId)
    const candidates = only == null ? verified : verified.filter(factor => factor.factorUUID === only)
    const replacing = await findReplacement(first, request)
    if (only != null && candidates.length === 0 && !replacing) return refuseStep(first, 'unknown-factor', visitor, missingFactor(only))
    if (code == null) return useApproval(first, visitor)
    const wrongType = replacing ? undefined : codeRefusal(factorTypes)
    if (wrongType) return refuseStep(first, 'wrong-factor-type', visitor, refused(wrongType))
    const { allowed, attempts } = await failedCodes.countCode(db, userId, now())
    if (!allowed) {
      // A pause ends, but disabled codes stay disabled, and the tab that asked for the reset may be closed. First codes have their own
      // limit.
      const completed = attempts >= limits.codes.disabledFrom ? await completeByFirstCode(first, replacing, code, visitor) : undefined
      return completed ?? refuseCode(first, 'paused', attempts, visitor)
    }
    const match = matchCode(keyring, candidates, code, now())
    // A code that was used before gets the answer of a wrong one, which does not reveal that it was right.
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

  /**
   * Finds the factor that a reset put in place of a lost one, whose code completes the reset. It takes a typed password, and works in any
   * browser: the tab that asked for the reset may be gone.
   */
  const findReplacement = async (first: FirstFactor, { otpFactorUUID: only, otpVerification: code }: OTPRequest) => {
    if (code == null || first.proof.password !== 'this-request') return undefined
    const found = await totpFactors.findOpenReplacement(db, first.account.userId, now())
    return only == null || found?.factorUUID === only ? found : undefined
  }

  /** @returns undefined if the code is not that of the new factor */
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

  /** @returns undefined if the code was used before */
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

  /** @returns undefined if the code was used before */
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

  const answerChallenge = (
    tx: Db,
    { userId }: accounts.Account,
    verified: readonly totpFactors.TotpFactor[],
    answer: Answer,
  ): Promise<void> => {
    metrics.challenge(answer.status, answer.reason)
    return answerTotpChallenge(tx, userId, verified, answer, now())
  }

  /**
   * Refuses a code. Each fifth in a row denies the challenge; from the third on the user gets a mail.
   * @param code one that was compared with those of the user's authenticator apps
   */
  const refuseCode = async (
    first: FirstFactor,
    result: StepResult,
    attempts: number,
    visitor: Visitor,
    code?: number,
  ): Promise<SignedIn> => {
    const { account, proof } = first
    const paused = result === 'paused'
    const missing = result === 'missing-secret'
    const status = paused || missing || attempts % limits.codes.pauseEvery === 0 ? 'Denied' : 'Pending'
    const reason = missing ? 'MissingSecret' : 'InvalidCode'
    const answer = wrongCode(status, reason)
    // The code that began the pause has changed everything. Later ones take no lock, so that a flood of them does not delay a code that was
    // counted before.
    if (paused) return refuseStep(first, result, visitor, answer)
    const offset = await db.transaction().execute(async tx => {
      if (!(await accounts.lockAccount(tx, account.userId))) return undefined
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answerChallenge(tx, account, verified, { status, reason })
      // A ticket allows no further codes: its user has to sign in again.
      if (status === 'Denied') await revokeTickets(tx, account.userId)
      // Under the account's lock, so that parallel codes are in a row too.
      const clock = code === undefined ? undefined : await clockOffset(tx, keyring, verified, code, now())
      await record(tx, 'second-factor', result === 'wrong-code' ? wrongCodeResult(clock) : result, account, visitor)
      if (proof.password && attempts >= limits.codes.noticeFrom) await mail.notifyDaily(tx, account, { kind: 'wrong-codes' }, visitor)
      return clock
    })
    await first.clearAttempts(db)
    return offset === undefined ? answer : wrongCode(status, reason, offset)
  }

  /** recoveryCode: checks one of the ten recovery codes, which share the count of the six-digit codes. */
  const useRecoveryCode = async (request: RecoveryCodeRequest, visitor: Visitor): Promise<SignedIn> => {
    using first = await authenticate(credentialsOf(request), visitor, step('second-factor'))
    return first ? await checkRecoveryCode(first, request.otpRecoveryCode, visitor) : failed
  }

  const checkRecoveryCode = async (first: FirstFactor, code: string, visitor: Visitor): Promise<SignedIn> => {
    const { userId, userForcedReset } = first.account
    if (userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    if (!(await factors.hasVerified(db, userId))) return refuseStep(first, 'no-factor', visitor, noFactors)
    const { allowed, attempts } = await failedCodes.countCode(db, userId, now())
    if (!allowed) return refuseCode(first, 'paused', attempts, visitor)
    return (await acceptRecoveryCode(first, code, visitor)) ?? refuseCode(first, 'wrong-recovery-code', attempts, visitor)
  }

  /** @returns undefined if the code is wrong or was used before */
  const acceptRecoveryCode = (first: FirstFactor, code: string, visitor: Visitor): Promise<SignedIn | undefined> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const { account } = confirmed
      if (!(await recoveryCodes.useRecoveryCode(tx, account.userId, code))) return undefined
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answerChallenge(tx, account, verified, { status: 'Approved', reason: 'ReasonNone' })
      const left = await recoveryCodes.countRecoveryCodes(tx, account.userId)
      await mail.notify(tx, account, { kind: 'recovery-code-used', left }, visitor)
      return signIn.issue(confirmed, visitor, { factor: 'RecoveryCode', hasFactor: true })
    })

  return { verifyCode, useRecoveryCode }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

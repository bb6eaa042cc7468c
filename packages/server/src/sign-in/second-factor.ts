import type { OTPRequest, RecoveryCodeRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { StepResult } from '../audit/audit-events.ts'
import type { Db, Tables, UsedFactor } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import type { Metrics } from '../metrics.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import { revokeTickets } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { CheckFirstFactor, FirstFactor } from './authenticate.ts'
import { mismatch, missingFactor, noApproval, noFactors, unreadable, wrongCode, wrongType } from './factor-outcomes.ts'
import type { FactorReplacement } from './factor-replacement.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** Decides on second factors at a sign-in: a code, what a device has approved, or one of the recovery codes. */
export const createSecondFactor = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  signIn: SignIn
  replacement: FactorReplacement
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  now: () => number
}) => {
  const { db, firstFactor, signIn, replacement, keyring, mail, metrics, now } = deps
  const { note, refuseWithout, confirm } = createFactorSteps(deps)

  /**
   * verifyOTP: a code of a verified factor; without one, what a device has approved. With the password typed, the code of a factor that
   * replaces a lost one counts as well, in any browser: the tab that asked for the reset may be gone.
   */
  const verifyCode = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.check(credentialsOf(request), visitor, step('second-factor'), async first => {
      const { account } = first
      const without = refuseWithout('second-factor', account, visitor)
      if (account.userForcedReset) return without('forced-reset', forcedReset)
      if (!(await factors.hasVerified(db, account.userId))) return without('no-factor', noFactors)
      const { otpFactorUUID: only, otpVerification: code } = request
      const named = only == null ? undefined : await factors.findOwn(db, account.userId, only)
      if (named?.factorFactorType === 'Push' && code != null) return without('wrong-factor-type', mismatch(named.factorUUID))
      const verified = await totpFactors.listVerifiedTotp(db, account.userId)
      const asked = only == null ? verified : verified.filter(factor => factor.factorUUID === only)
      const isTyped = code != null && first.proof.password === 'this-request'
      const found = isTyped ? await totpFactors.findOpenReplacement(db, account.userId, now()) : undefined
      const replacing = only == null || found?.factorUUID === only ? found : undefined
      if (only != null && asked.length === 0 && !replacing) return without('unknown-factor', missingFactor(only))
      if (code == null) return useApproval(first, visitor)
      if (verified.length === 0 && !replacing) return without('wrong-factor-type', wrongType)
      const tried = await failedCodes.countCode(db, account.userId, now())
      if (!tried.allowed) return wrong(first, visitor, 'paused', tried.attempts)
      const match = totpFactors.matchCode(keyring, asked, code, now())
      // Old and new code are one attempt: they were counted once.
      const newMatch = replacing && match.tag !== 'Match' ? totpFactors.matchCode(keyring, [replacing], code, now()) : undefined
      if (newMatch?.tag === 'Match') {
        const replaced = await db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
          const confirmed = await confirm(tx, first)
          return 'ends' in confirmed ? confirmed.ends : replacement.complete(tx, confirmed, first, newMatch, visitor)
        })
        return replaced?.outcome.tag === 'AuthFailureFactorError' ? wrong(first, visitor, 'used-code', tried.attempts) : replaced
      }
      if (match.tag === 'Unreadable') {
        await note(db, 'second-factor', 'secret-unreadable', account, visitor)
        return unreadable
      }
      if (match.tag !== 'Match')
        return wrong(first, visitor, match.tag === 'MissingSecret' ? 'missing-secret' : 'wrong-code', tried.attempts)
      const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'used' | undefined> => {
        const confirmed = await confirm(tx, first)
        if ('ends' in confirmed) return confirmed.ends
        if (!(await totpFactors.useStep(tx, match.factorUUID, match.step))) return 'used'
        await factors.noteUse(tx, match.factorUUID, now())
        await answer(tx, account, verified, { status: 'Approved', reason: 'ReasonNone', factorUUID: match.factorUUID })
        return pass(tx, confirmed, first, visitor, 'TOTP')
      })
      // Used before: refused with the very words of a wrong one, which do not tell that it was right.
      return done === 'used' ? wrong(first, visitor, 'used-code', tried.attempts) : done
    })) ?? failed

  /** The sign-in is done. */
  const pass = (tx: Db, account: accounts.Account, first: FirstFactor, visitor: Visitor, factor: UsedFactor) => {
    const { proof, finish } = first
    return signIn.issue(tx, account, visitor, { event: 'second-factor', factor, hasFactor: true, proof, finish: () => finish(tx) })
  }

  /** What the user's device approved for this very browser, once. Others, and those who come again, get nothing by it. */
  const useApproval = async (first: FirstFactor, visitor: Visitor): Promise<SignedIn | undefined> => {
    const { account } = first
    const none = () => refuseWithout('second-factor', account, visitor)('no-code', noApproval)
    if (visitor.push === undefined) return none()
    const { push } = visitor
    const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'none' | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      if (await failedCodes.isPaused(tx, account.userId, now())) return 'none'
      if (!(await pushWaits.redeemWait(tx, { binding: push, ticket: first.ticket, userId: account.userId }, now()))) return 'none'
      return pass(tx, confirmed, first, visitor, 'Push')
    })
    return done === 'none' ? none() : done
  }

  /** The open challenge gets its answer; where it is over, one is opened for it. */
  const answer = async (
    tx: Db,
    { userId }: accounts.Account,
    verified: readonly totpFactors.TotpFactor[],
    given: Parameters<typeof challenges.answerChallenge>[2],
  ): Promise<void> => {
    metrics.challenge(given.status, given.reason)
    if (await challenges.answerChallenge(tx, userId, given, now())) return
    const [factor] = verified
    if (factor) await challenges.openChallenge(tx, userId, factor.factorUUID, now())
    await challenges.answerChallenge(tx, userId, given, now())
  }

  /** A code that does not pass. The fifth in a row decides the challenge; from the third on the owner is told. */
  const wrong = async ({ account, proof }: FirstFactor, visitor: Visitor, result: StepResult, attempts: number): Promise<SignedIn> => {
    const paused = result === 'paused'
    const missing = result === 'missing-secret'
    const status = paused || missing || attempts % limits.codes.pauseEvery === 0 ? 'Denied' : 'Pending'
    const reason = missing ? 'MissingSecret' : 'InvalidCode'
    const answered = wrongCode(status, reason)
    if (paused) {
      // The code that began the pause changed what there is to change. Those after it take no lock, so that however many
      // come they are not in the way of one that was let through to the check before them.
      await note(db, 'second-factor', result, account, visitor)
      return answered
    }
    await db.transaction().execute(async tx => {
      if (!(await accounts.lockAccount(tx, account.userId))) return
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answer(tx, account, verified, { status, reason })
      // Who was let in by mail alone has to begin anew.
      if (status === 'Denied') await revokeTickets(tx, account.userId)
      await note(tx, 'second-factor', result, account, visitor)
      if (proof.password && attempts >= limits.codes.noticeFrom) await mail.notifyOnce(tx, account, { kind: 'wrong-codes' }, visitor)
    })
    return answered
  }

  /** recoveryCode: one of the ten in place of the six digits, on the same count. */
  const useRecoveryCode = async (request: RecoveryCodeRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.check(credentialsOf(request), visitor, step('second-factor'), async first => {
      const { account } = first
      const without = refuseWithout('second-factor', account, visitor)
      if (account.userForcedReset) return without('forced-reset', forcedReset)
      if (!(await factors.hasVerified(db, account.userId))) return without('no-factor', noFactors)
      const tried = await failedCodes.countCode(db, account.userId, now())
      if (!tried.allowed) return wrong(first, visitor, 'paused', tried.attempts)
      const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'wrong' | undefined> => {
        const confirmed = await confirm(tx, first)
        if ('ends' in confirmed) return confirmed.ends
        if (!(await recoveryCodes.useRecoveryCode(tx, account.userId, request.otpRecoveryCode))) return 'wrong'
        await answer(tx, account, await totpFactors.listVerifiedTotp(tx, account.userId), { status: 'Approved', reason: 'ReasonNone' })
        const left = await recoveryCodes.countRecoveryCodes(tx, account.userId)
        await mail.notify(tx, account, { kind: 'recovery-code-used', left }, visitor)
        return pass(tx, confirmed, first, visitor, 'RecoveryCode')
      })
      return done === 'wrong' ? wrong(first, visitor, 'wrong-recovery-code', tried.attempts) : done
    })) ?? failed

  return { verifyCode, useRecoveryCode }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

import type { Kysely } from 'kysely'
import type { StepResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import type { Answer } from '../factors/challenges.store.ts'
import { clockOffset } from '../factors/totp/clock-offset.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { answerTotpChallenge } from '../factors/totp/totp-challenge.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import type { Metrics } from '../metrics.ts'
import { revokeTickets } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { FirstFactor } from './authenticate.ts'
import { wrongCode } from './factor-outcomes.ts'
import { createFactorSteps, wrongCodeResult } from './factor-steps.ts'
import type { SignedIn } from './sign-in.ts'

/** Answers the challenge that asks for a code. Authenticator apps and recovery codes share this challenge and the count of wrong codes. */
export const createCodeChallenge = (deps: { db: Kysely<Tables>; keyring: Keyring; mail: Mail; metrics: Metrics; now: () => number }) => {
  const { db, keyring, mail, metrics, now } = deps
  const { record, refuseStep } = createFactorSteps(deps)

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
   * Refuses a code. Every fifth wrong code in a row denies the challenge. From the third on, if the password was right, the server notifies
   * the user by mail, at most once a day.
   * @param code the code, if it was compared with those of the user's authenticator apps
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
    // The code that started the pause has already denied the challenge and revoked the tickets. Later codes take no lock, so a flood of
    // them does not delay a code that was counted before the pause.
    if (paused) return refuseStep(first, result, visitor, answer)
    const offset = await db.transaction().execute(async tx => {
      if (!(await accounts.lockAccount(tx, account.userId))) return undefined
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answerChallenge(tx, account, verified, { status, reason })
      // After a denial, the ticket allows no further codes: the user has to sign in again.
      if (status === 'Denied') await revokeTickets(tx, account.userId)
      // Runs under the account's lock, so that parallel codes count as codes in a row too.
      const clock = code === undefined ? undefined : await clockOffset(tx, keyring, verified, code, now())
      await record(tx, 'second-factor', result === 'wrong-code' ? wrongCodeResult(clock) : result, account, visitor)
      if (proof.password && attempts >= limits.codes.noticeFrom) await mail.notifyDaily(tx, account, { kind: 'wrong-codes' }, visitor)
      return clock
    })
    await first.clearAttempts(db)
    return offset === undefined ? answer : wrongCode(status, reason, offset)
  }

  return { answerChallenge, refuseCode }
}
export type CodeChallenge = ReturnType<typeof createCodeChallenge>

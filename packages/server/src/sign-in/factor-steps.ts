import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult, StepResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import type * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Confirmed, FirstFactor } from './authenticate.ts'
import { failed, forcedReset, type SignedIn } from './sign-in.ts'

export const credentialsOf = (request: { otpUsername: string; otpPassword: string }) => ({
  username: request.otpUsername,
  password: request.otpPassword,
})

export const step = (event: AuditEvent) => ({ event, field: 'otpUsername' })

/** @param clockOffset seconds, if the codes show that the clock of the authenticator app is wrong */
export const wrongCodeResult = (clockOffset: number | undefined): StepResult =>
  clockOffset === undefined
    ? 'wrong-code'
    : `wrong-code: ${clockOffset < 0 ? 'clock-behind' : 'clock-ahead'}: ${Math.round(Math.abs(clockOffset) / 60)} min`

/** The common part of the steps after the first factor. */
export const createFactorSteps = ({ db, now }: { db: Kysely<Tables>; now: () => number }) => {
  const record = (tx: Db, event: AuditEvent, result: AuditResult, { userId }: accounts.Account, visitor: Visitor) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** Refuses a step outside a transaction. The password was right, so reset its failed attempts; codes are counted separately. */
  const refuseStep = async (first: FirstFactor, result: AuditResult, visitor: Visitor, answer: SignedIn) => {
    await record(db, first.event, result, first.account, visitor)
    await first.clearAttempts(db)
    return answer
  }

  /** Confirms the first factor in the transaction of the next step. Ends the sign-in if the user must now reset the password. */
  const confirmStep = async (tx: Db, first: FirstFactor): Promise<Confirmed | { refused: SignedIn }> => {
    const confirmed = await first.confirm(tx)
    if (!confirmed) return { refused: await first.refuse(tx, failed) }
    return confirmed.account.userForcedReset ? { refused: forcedReset } : confirmed
  }

  return { record, refuseStep, confirmStep }
}

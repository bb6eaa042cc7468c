import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import type * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { FirstFactor } from './authenticate.ts'
import { forcedReset, type SignedIn } from './sign-in.ts'

export const credentialsOf = (request: { otpUsername: string; otpPassword: string }) => ({
  username: request.otpUsername,
  password: request.otpPassword,
})

export const step = (event: AuditEvent) => ({ event, field: 'otpUsername' })

/** What every step after the first factor does. */
export const createFactorSteps = ({ db, now }: { db: Kysely<Tables>; now: () => number }) => {
  const note = (tx: Db, event: AuditEvent, result: AuditResult, { userId }: accounts.Account, visitor: Visitor) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** For answers that go no further: that the first factor was right leaves a row whatever is lacking. */
  const refuseWithout =
    (event: AuditEvent, account: accounts.Account, visitor: Visitor) => async (result: AuditResult, answer: SignedIn) => {
      await note(db, event, result, account, visitor)
      return answer
    }

  /**
   * Confirms a first factor in the transaction of what follows. Another answer than an account ends it: a reset that was forced
   * meanwhile holds for a call that is under way as well.
   */
  const confirm = async (tx: Db, first: FirstFactor): Promise<accounts.Account | { ends: SignedIn | undefined }> => {
    const account = await first.confirm(tx)
    return account && !account.userForcedReset ? account : { ends: account && forcedReset }
  }

  return { note, refuseWithout, confirm }
}

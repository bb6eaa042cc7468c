import * as audit from '../audit/audit.store.ts'
import type { AuditEvent } from '../audit/audit-events.ts'
import type { Db } from '../db/schema.ts'
import { demand } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import { clearCodes } from '../factors/failed-codes.store.ts'
import { clearPushes } from '../factors/push/push-counts.store.ts'
import { removeRecoveryCodes } from '../factors/recovery-codes.store.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Origin } from '../visitors/visitor.ts'

/** Who does it: an administrator's user id with where the request came from, or the command line. */
export type By = { actor: string; origin: Origin | undefined }

/** What may be done to somebody else's account, the same from the command line and from the administration page. Each in the caller's transaction. */
export const createUserActs = ({ mail, now }: { mail: Mail; now: () => number }) => {
  const record = (tx: Db, event: AuditEvent, target: string, { actor, origin }: By) =>
    audit.record(tx, { event, result: 'successful', actor, target, now: now() }, origin)

  /** Lifts every lock, of the password, of codes and of devices. */
  const unlock = async (tx: Db, account: accounts.Account, by: By): Promise<void> => {
    await lockout.unlock(tx, account.userIdent)
    await clearCodes(tx, account.userId)
    await clearPushes(tx, account.userId)
    await record(tx, 'user-unlocked', account.userId, by)
  }

  /** Whatever is open or about to be is over, links in the mail as well. */
  const endAll = async (tx: Db, userId: string): Promise<void> => {
    await revokeAll(tx, userId)
    await factors.endPending(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
  }

  const forceReset = async (tx: Db, { userId }: accounts.Account, by: By): Promise<void> => {
    await accounts.forceReset(tx, userId)
    await endAll(tx, userId)
    await record(tx, 'user-forced-reset', userId, by)
  }

  /** The callers are the administration page, which has checked who asks, and the command line. */
  const permitFor = async (tx: Db, account: accounts.Account) => {
    await accounts.lockAccount(tx, account.userId)
    return demand(tx, account, 'administer-credentials', { administrator: true })
  }

  /** The owner is told, though not from where an administrator did it. */
  const tellOfRemoval = (tx: Db, account: accounts.Account) =>
    mail.notify(tx, account, { kind: 'factor-removed' }, { address: '', userAgent: '' })

  /** For somebody who has lost authenticator and recovery codes. @returns whether there was a second factor */
  const removeFactors = async (tx: Db, account: accounts.Account, by: By): Promise<boolean> => {
    const permit = await permitFor(tx, account)
    const removed = await factors.removeFactors(permit)
    await removeRecoveryCodes(permit)
    if (removed > 0) await accounts.withdrawVouches(permit)
    await clearCodes(tx, account.userId)
    await endAll(tx, account.userId)
    if (removed > 0) await tellOfRemoval(tx, account)
    await record(tx, 'factor-removed', account.userId, by)
    return removed > 0
  }

  /** One second factor of perhaps several; with the last one go the recovery codes. @returns whether it was there */
  const removeFactor = async (tx: Db, account: accounts.Account, factorUUID: string, by: By): Promise<boolean> => {
    const permit = await permitFor(tx, account)
    if (!(await factors.removeVerified(permit, factorUUID))) return false
    if (!(await factors.hasVerified(tx, account.userId))) {
      await removeRecoveryCodes(permit)
      await accounts.withdrawVouches(permit)
      await clearCodes(tx, account.userId)
    }
    await endAll(tx, account.userId)
    await tellOfRemoval(tx, account)
    await record(tx, 'factor-removed', account.userId, by)
    return true
  }

  const remove = async (tx: Db, account: accounts.Account, by: By): Promise<void> => {
    await lockout.unlock(tx, account.userIdent)
    await accounts.deleteAccount(tx, account.userId)
    await record(tx, 'user-deleted', account.userId, by)
  }

  return { unlock, forceReset, removeFactors, removeFactor, remove }
}
export type UserActs = ReturnType<typeof createUserActs>

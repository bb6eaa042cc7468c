import { removalNotice } from '../account/factors.ts'
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
import { endPassesOf } from '../passes/passes.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Origin } from '../visitors/visitor.ts'

/** The actor: an administrator's user id with the origin of the request, or the command line. */
export type By = { actor: string; origin: Origin | undefined }

/**
 * The actions of administrators on a user's account, for the command line and the administration page. Each function runs in the
 * caller's transaction.
 */
export const createUserActs = ({ mail, now }: { mail: Mail; now: () => number }) => {
  const record = (tx: Db, event: AuditEvent, target: string, { actor, origin }: By) =>
    audit.record(tx, { event, result: 'successful', actor, target, now: now() }, origin)

  /** Removes every lock: of the password, of codes and of phone approvals. */
  const unlock = async (tx: Db, account: accounts.Account, by: By): Promise<void> => {
    await lockout.unlock(tx, account.userIdent)
    await clearCodes(tx, account.userId)
    await clearPushes(tx, account.userId)
    await record(tx, 'user-unlocked', account.userId, by)
  }

  /** Ends all sessions, passes, unfinished set-ups and mailed links. */
  const endAll = async (tx: Db, userId: string): Promise<void> => {
    await revokeAll(tx, userId)
    await endPassesOf(tx, { is: 'User', userId })
    await factors.endPending(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
  }

  const forceReset = async (tx: Db, { userId }: accounts.Account, by: By): Promise<void> => {
    await accounts.forceReset(tx, userId)
    await endAll(tx, userId)
    await record(tx, 'user-forced-reset', userId, by)
  }

  /** The administration page has already checked the caller; the command line needs no check. */
  const permitFor = async (tx: Db, account: accounts.Account) => {
    await accounts.lockAccount(tx, account.userId)
    return demand(tx, account, 'administer-credentials', { administrator: true })
  }

  /** Notifies the user. The email omits the administrator's IP address and browser. */
  const notifyOfRemoval = (tx: Db, account: accounts.Account, factor?: Parameters<typeof removalNotice>[0]) =>
    mail.notify(tx, account, factor ? removalNotice(factor) : { kind: 'factor-removed' }, { address: '', userAgent: '' })

  /**
   * Removes all second factors of a user who has lost them and the recovery codes.
   * @returns true if there was a second factor
   */
  const removeFactors = async (tx: Db, account: accounts.Account, by: By): Promise<boolean> => {
    const permit = await permitFor(tx, account)
    const removed = await factors.removeFactors(permit)
    await removeRecoveryCodes(permit)
    if (removed > 0) await accounts.withdrawVouches(permit)
    await clearCodes(tx, account.userId)
    await endAll(tx, account.userId)
    if (removed > 0) await notifyOfRemoval(tx, account)
    await record(tx, 'factor-removed', account.userId, by)
    return removed > 0
  }

  /**
   * Removes one second factor. If it was the last one, also removes the recovery codes.
   * @returns false if the factor doesn't exist
   */
  const removeFactor = async (tx: Db, account: accounts.Account, factorUUID: string, by: By): Promise<boolean> => {
    const permit = await permitFor(tx, account)
    const factor = await factors.findOwn(tx, account.userId, factorUUID)
    if (!factor || !(await factors.removeVerified(permit, factorUUID))) return false
    if (!(await factors.hasVerified(tx, account.userId))) {
      await removeRecoveryCodes(permit)
      await accounts.withdrawVouches(permit)
      await clearCodes(tx, account.userId)
    }
    await endAll(tx, account.userId)
    await notifyOfRemoval(tx, account, factor)
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

import { randomBytes } from 'node:crypto'
import type { Db } from '../packages/server/src/db/schema.ts'
import { hours, limits } from '../packages/server/src/limits.ts'
import { createPasswords, thisMachine } from '../packages/server/src/passwords/passwords.ts'
import * as accounts from '../packages/server/src/users/users.store.ts'

/** What can stand behind a name. */
export type Kind = 'nobody' | 'a password' | 'no password' | 'a forced reset' | 'a lock' | 'a disabled password'

/** A name that tells nothing of what stands behind it, nor does its place in an index. */
const makeName = () => `${randomBytes(12).toString('hex')}@example.com`

/** Makes names of a kind, with the accounts behind them. All share one password, which takes one hash. */
export const createPeople = async () => {
  const passwords = await createPasswords(1)
  const shared = await passwords.inTurn(thisMachine, turn => turn.hash(randomBytes(24).toString('base64url')))
  const now = Date.now()

  /** A count as it is after so many wrong passwords; long ago, so that no owner is written to while we measure. */
  const lock = (db: Db, failedLoginUserIdent: string, failedLoginAttempts: number) =>
    db
      .insertInto('failed_logins')
      .values({
        failedLoginUserIdent,
        failedLoginBrowser: '',
        failedLoginAttempts,
        failedLoginLockCreated: now - hours(24),
        failedLoginLockExpires: now + hours(24),
        failedLoginRefused: 0,
        failedLoginAllowed: 0,
        failedLoginCounted: now,
      })
      .execute()

  const add = async (db: Db, kind: Kind, name: string, isOdd: boolean): Promise<void> => {
    if (kind === 'nobody') return
    const userPassword = kind === 'no password' ? null : shared
    const userId = await accounts.addAccount(db, { userIdent: name, userPassword, userTZLabel: 'UTC', now })
    if (!userId) throw new Error(`${name} is there already`)
    if (kind === 'a forced reset') await accounts.forceReset(db, userId)
    if (kind === 'a lock') await lock(db, name, limits.lockout.waitFrom)
    if (kind === 'a disabled password') await lock(db, name, limits.lockout.disabledFrom)
    // Half of those without a password come by single sign-on, half were invited and have not chosen one.
    if (kind === 'no password' && isOdd) await db.updateTable('users').set({ userGoogleId: name }).where('userId', '=', userId).execute()
  }

  /** So many of each kind, in turn: rows of one kind side by side would share pages of the table, and be found a little quicker than others. */
  return async (db: Db, kinds: readonly Kind[], count: number): Promise<string[][]> => {
    const namesOf = kinds.map(() => Array.from({ length: count }, makeName))
    for (let i = 0; i < count; i++) for (const [which, kind] of kinds.entries()) await add(db, kind, namesOf[which]?.[i] ?? '', i % 2 === 1)
    return namesOf
  }
}

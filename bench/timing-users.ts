import { randomBytes } from 'node:crypto'
import type { Db } from '../packages/server/src/db/schema.ts'
import { hours, limits } from '../packages/server/src/limits.ts'
import { decoySalt } from '../packages/server/src/passwords/old-hash.ts'
import { createPasswords, thisMachine } from '../packages/server/src/passwords/passwords.ts'
import * as accounts from '../packages/server/src/users/users.store.ts'

/** The state of an account. */
export type Kind = `imported: ${string}` | 'no account' | 'a password' | 'no password' | 'a forced reset' | 'a lock' | 'a disabled password'

/** A random name, so that its position in an index does not depend on its kind. */
const makeName = () => `${randomBytes(12).toString('hex')}@example.com`

/** Creates accounts of each kind. They share one password hash, because hashing is slow. */
export const createTimingUsers = async () => {
  const passwords = await createPasswords(1)
  const shared = await passwords.inTurn(thisMachine, turn => turn.hash(randomBytes(24).toString('base64url')))
  const now = Date.now()

  /** Adds the failed attempts of a locked account. The lock is a day old, so the server sends the user no email. */
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
    if (kind === 'no account') return
    const userPassword = kind === 'no password' ? null : shared
    // All attempts use wrong passwords, so decoy salts and an arbitrary hash are enough.
    const oldKind = kind.startsWith('imported: ') ? kind.slice('imported: '.length) : undefined
    const old = oldKind === undefined ? undefined : { kind: oldKind, salt: decoySalt(oldKind) }
    const userId = await accounts.addAccount(db, { userIdent: name, userPassword, ...(old && { old }), userTZLabel: 'UTC', now })
    if (!userId) throw new Error(`${name} exists already`)
    if (kind === 'a forced reset') await accounts.forceReset(db, userId)
    if (kind === 'a lock') await lock(db, name, limits.lockout.waitFrom)
    if (kind === 'a disabled password') await lock(db, name, limits.lockout.disabledFrom)
    // Half of the users without a password use single sign-on; the others have not yet accepted an invitation.
    if (kind === 'no password' && isOdd) await db.updateTable('users').set({ userGoogleId: name }).where('userId', '=', userId).execute()
  }

  /** Alternates the kinds. Rows of one kind next to each other would share pages of the table and be found slightly faster. */
  return async (db: Db, kinds: readonly Kind[], count: number): Promise<string[][]> => {
    const namesOf = kinds.map(() => Array.from({ length: count }, makeName))
    for (let i = 0; i < count; i++) for (const [which, kind] of kinds.entries()) await add(db, kind, namesOf[which]?.[i] ?? '', i % 2 === 1)
    return namesOf
  }
}

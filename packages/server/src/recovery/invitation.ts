import type { Db } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import type { Account } from '../users/users.store.ts'

/**
 * Whether a user whom an administrator added has never signed in. Only they get a link with the long lifetime. A missing password does not
 * prove it, because users who sign in with passkeys have none either.
 */
export const isInvited = async (tx: Db, account: Pick<Account, 'userId' | 'userPassword' | 'userForcedReset'>): Promise<boolean> =>
  account.userPassword === null && account.userForcedReset === 0 && (await factors.listNamed(tx, account.userId)).length === 0

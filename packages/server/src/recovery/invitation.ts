import * as audit from '../audit/audit.store.ts'
import type { Db } from '../db/schema.ts'
import { providerColumns } from '../users/linked-identities.ts'
import type { Account } from '../users/users.store.ts'

/**
 * Whether a user whom an administrator added has never signed in. Only these users get a link with the long lifetime, even if a stranger
 * requests the link. A second factor does not prove a sign-in, because imports bring factors. A linked identity does: the user came from
 * its provider.
 */
export const isInvited = async (tx: Db, account: Account): Promise<boolean> =>
  account.userPassword === null &&
  account.userForcedReset === 0 &&
  Object.values(providerColumns).every(column => account[column] === null) &&
  !(await audit.hasStartedSession(tx, account.userId))

import type { SkipRefusal } from '@gatehouse/wire'
import type * as accounts from './accounts.ts'
import type { Db } from './db/schema.ts'
import type { SecondFactorPolicy } from './sign-in.ts'
import { hasSkipLeft } from './skips.ts'

/** Why a user without a second factor cannot skip setting one up. Undefined if they can. */
export const skipRefusal = async (
  db: Db,
  { userId, userIdent }: accounts.Account,
  rules: { policy: SecondFactorPolicy; isAdministrator: (userIdent: string) => boolean },
  now: number,
): Promise<SkipRefusal | undefined> => {
  if (rules.policy !== 'skippable') return 'Required'
  if (rules.isAdministrator(userIdent)) return 'Administrator'
  return (await hasSkipLeft(db, userId, now)) ? undefined : 'UsedUp'
}

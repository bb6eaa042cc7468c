import type { SkipRefusal } from '@gatehouse/wire'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type * as accounts from '../users/users.store.ts'
import { findSkips, hasSkipLeft } from './deferrals.store.ts'

/** Whether users must set up a second factor: the server does not ask them, they can skip it, or it is required. */
export type SecondFactorPolicy = 'off' | 'skippable' | 'required'

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

/** How often a user may still skip setting up a second factor. */
export const skipsLeft = async (
  db: Db,
  account: accounts.Account,
  rules: Parameters<typeof skipRefusal>[2],
  now: number,
): Promise<number> => {
  if (await skipRefusal(db, account, rules, now)) return 0
  return limits.skip.most - ((await findSkips(db, account.userId))?.skipCount ?? 0)
}

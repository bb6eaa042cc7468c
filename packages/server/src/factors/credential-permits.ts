import { type Act, type Permit, type Proof, permit, type Refused } from '../credentials/credential-rules.ts'
import type { Db } from '../db/schema.ts'
import { vouchedIdentities } from '../users/linked-identities.ts'
import type * as accounts from '../users/users.store.ts'
import * as factors from './factors.store.ts'

/**
 * Asks the table in credential-rules.ts whether a change is allowed, in the transaction that makes the change.
 * @param account the account, as this transaction read it under its lock
 */
export const ask = async <A extends Act>(tx: Db, account: accounts.Account, act: A, proof: Proof): Promise<Permit<A> | Refused> =>
  permit(tx, account.userId, act, proof, { ...factsOf(account), hasFactor: await factors.hasVerified(tx, account.userId) })

export const factsOf = (account: accounts.Account) => ({
  hasPassword: account.userPassword !== null,
  isPasswordByMail: account.userPasswordByMail === 1,
  vouched: vouchedIdentities(account),
})

/** Like `ask`, but throws on a refusal: the caller has already checked the conditions. */
export const demand = async <A extends Act>(tx: Db, account: accounts.Account, act: A, proof: Proof): Promise<Permit<A>> => {
  const asked = await ask(tx, account, act, proof)
  if ('refused' in asked) throw new Error(`${act} was not refused before: ${asked.refused}`)
  return asked
}

import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import type { Tables } from './db/schema.ts'
import { passwordProblem } from './password-rules.ts'
import type { Passwords } from './passwords.ts'

/**
 * Makes the first administrator where there is no user at all.
 * @returns the password if one was made up; it is nowhere else
 * @throws Error when the wished password breaks the rules
 */
export const makeFirstAdmin = async (
  deps: { db: Kysely<Tables>; passwords: Passwords; now: () => number },
  wished: { username: string; password: string | undefined },
): Promise<{ made: boolean; password?: string }> => {
  if ((await accounts.countAccounts(deps.db)) > 0) return { made: false }
  const problem = wished.password === undefined ? undefined : await passwordProblem(wished.password, wished.username)
  if (problem) throw new Error(`GATEHOUSE_ADMIN_PASSWORD: the password ${problem}.`)
  const password = wished.password ?? madeUpPassword()
  const userPassword = await deps.passwords.inTurn(turn => turn.hash(password))
  await deps.db.transaction().execute(async tx => {
    const account = { userIdent: wished.username, userPassword, userTZLabel: 'UTC', now: deps.now() }
    const userId = await accounts.addAccount(tx, account)
    if (userId)
      await audit.record(tx, { event: 'user-added', result: 'successful', actor: null, target: userId, now: deps.now() }, undefined)
  })
  return wished.password === undefined ? { made: true, password } : { made: true }
}

/** Twenty characters of 31 that cannot be mistaken for one another, 99 bits, in groups that can be typed from a screen. */
const madeUpPassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')).join('-')
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import type { PasswordProblem } from '../passwords/password-rules.ts'
import { type Passwords, thisMachine } from '../passwords/passwords.ts'
import * as accounts from './users.store.ts'

/** Whether the server created the first administrator. `password` is set only if the server generated it: it is stored nowhere else. */
export type FirstAdmin = { made: boolean; password?: string }

/**
 * Prepares the first administrator if the database has no users, and returns the function that creates the account. Call that function
 * last, when startup can no longer fail, because the password is shown only once.
 * @throws Error when the configured password breaks the rules
 */
export const prepareFirstAdmin = async (
  deps: { db: Kysely<Tables>; passwords: Passwords; passwordProblem: PasswordProblem; now: () => number },
  configured: { username: string; password: string | undefined } | undefined,
): Promise<() => Promise<FirstAdmin>> => {
  const { db, passwords, now } = deps
  if (!configured || (await accounts.countAccounts(db)) > 0) return async () => ({ made: false })
  const problem = configured.password === undefined ? undefined : await deps.passwordProblem(configured.password, configured.username)
  if (problem) throw new Error(`GATEHOUSE_ADMIN_PASSWORD: the password ${problem.says}.`)
  const password = configured.password ?? generatePassword()
  const userPassword = await passwords.inTurn(thisMachine, turn => turn.hash(password))
  return () =>
    db.transaction().execute(async (tx): Promise<FirstAdmin> => {
      const userId = await accounts.addAccount(tx, { userIdent: configured.username, userPassword, userTZLabel: 'UTC', now: now() })
      // Another server that started at the same time created the account first.
      if (!userId) return { made: false }
      await audit.record(tx, { event: 'user-added', result: 'successful', actor: null, target: userId, now: now() }, undefined)
      return configured.password === undefined ? { made: true, password } : { made: true }
    })
}

/** Twenty characters from an alphabet without look-alikes (99 bits), in groups that are easy to type from a screen. */
const generatePassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')).join('-')
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

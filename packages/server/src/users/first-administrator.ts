import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import type { PasswordProblem } from '../passwords/password-rules.ts'
import { type Passwords, thisMachine } from '../passwords/passwords.ts'
import * as accounts from './users.store.ts'

/** What became of the first administrator; the password is told where it was made up, and is nowhere else. */
export type FirstAdmin = { made: boolean; password?: string }

/**
 * Gets the first administrator ready where there is no user at all, and returns what makes it. That comes when nothing can
 * fail any more: the password is told once.
 * @throws Error when the wished password breaks the rules
 */
export const prepareFirstAdmin = async (
  deps: { db: Kysely<Tables>; passwords: Passwords; passwordProblem: PasswordProblem; now: () => number },
  wished: { username: string; password: string | undefined } | undefined,
): Promise<() => Promise<FirstAdmin>> => {
  const { db, passwords, now } = deps
  if (!wished || (await accounts.countAccounts(db)) > 0) return async () => ({ made: false })
  const problem = wished.password === undefined ? undefined : await deps.passwordProblem(wished.password, wished.username)
  if (problem) throw new Error(`GATEHOUSE_ADMIN_PASSWORD: the password ${problem}.`)
  const password = wished.password ?? madeUpPassword()
  const userPassword = await passwords.inTurn(thisMachine, turn => turn.hash(password))
  return () =>
    db.transaction().execute(async (tx): Promise<FirstAdmin> => {
      const userId = await accounts.addAccount(tx, { userIdent: wished.username, userPassword, userTZLabel: 'UTC', now: now() })
      // Another server that was started at the same time was quicker.
      if (!userId) return { made: false }
      await audit.record(tx, { event: 'user-added', result: 'successful', actor: null, target: userId, now: now() }, undefined)
      return wished.password === undefined ? { made: true, password } : { made: true }
    })
}

/** Twenty characters of 31 that cannot be mistaken for one another, 99 bits, in groups that can be typed from a screen. */
const madeUpPassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')).join('-')
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

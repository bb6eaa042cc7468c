import type { Kysely } from 'kysely'
import { createUserActs } from '../admin/user-acts.ts'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent } from '../audit/audit-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import { createKeyring } from '../keys/keyring.ts'
import { createMail } from '../mail/mail.ts'
import { createPasswordProblem } from '../passwords/password-rules.ts'
import { createPasswords, thisMachine } from '../passwords/passwords.ts'
import { shippedLanguages } from '../texts/shipped-languages.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Deps } from './deps.ts'
import { readPassword } from './read-password.ts'
import { UsageError } from './usage-error.ts'

export const addUser = async ({ args: [address = ''], config, database: { db, clock }, write, data }: Deps) => {
  const userIdent = identOf(address)
  if (await accounts.findByIdent(db, userIdent)) throw new UsageError(`A user ${userIdent} already exists.`)
  const password = await readPassword(`Password for ${userIdent}: `)
  const problem = await createPasswordProblem(config)(password, userIdent)
  if (problem) throw new UsageError(`The password ${problem.says}.`)
  const passwords = await createPasswords(1)
  const userPassword = await passwords.inTurn(thisMachine, turn => turn.hash(password))
  const added = await db.transaction().execute(async tx => {
    const userId = await accounts.addAccount(tx, { userIdent, userPassword, userTZLabel: 'UTC', now: clock.now() })
    if (userId) await record(tx, 'user-added', userId, clock.now())
    return userId
  })
  if (!added) throw new UsageError(`A user ${userIdent} already exists.`)
  write(`Added ${userIdent} (id ${added}).`)
  data({ id: added, address: userIdent })
}

const byCli = { actor: 'cli', origin: undefined }

const act = async <T>(
  { args: [address = ''], config, database: { db, clock } }: Deps,
  then: (acts: ReturnType<typeof createUserActs>, tx: Db, account: accounts.Account) => Promise<T>,
) => {
  const account = await find(db, address)
  const texts = shippedLanguages(config.language)
  const mail = createMail({ keyring: createKeyring(config.masterKeys), now: clock.now, administrators: [...config.admins], texts })
  const acts = createUserActs({ mail, now: clock.now })
  const result = await db.transaction().execute(tx => then(acts, tx, account))
  return { result, userIdent: account.userIdent }
}

export const unlockUser = async (deps: Deps) => {
  const { userIdent } = await act(deps, (acts, tx, account) => acts.unlock(tx, account, byCli))
  deps.write(`Unlocked ${userIdent}.`)
}

export const forceReset = async (deps: Deps) => {
  const { userIdent } = await act(deps, (acts, tx, account) => acts.forceReset(tx, account, byCli))
  deps.write(`${userIdent} was signed out everywhere and must reset the password.`)
}

/** Removes all second factors of a user who has lost them and the recovery codes. */
export const resetFactor = async (deps: Deps) => {
  const { config, write } = deps
  const { result: hadOne, userIdent } = await act(deps, (acts, tx, account) => acts.removeFactors(tx, account, byCli))
  write(
    hadOne
      ? `Removed all second factors of ${userIdent}. The user was signed out everywhere and is notified by email.`
      : `${userIdent} had no second factor. The user was signed out everywhere.`,
  )
  if (config.secondFactor !== 'off') write(hadOne ? 'The next sign-in asks to set up a new one.' : 'The next sign-in asks to set one up.')
}

export const deleteUser = async (deps: Deps) => {
  const { userIdent } = await act(deps, (acts, tx, account) => acts.remove(tx, account, byCli))
  deps.write(`Deleted ${userIdent}.`)
}

const identOf = (address: string) => {
  const ident = canonicalUsername(address)
  if (ident === undefined) throw new UsageError(`${JSON.stringify(address)} is not an email address.`)
  return ident
}

const find = async (db: Kysely<Tables>, address: string) => {
  const ident = identOf(address)
  const account = await accounts.findByIdent(db, ident)
  if (!account) throw new UsageError(`No user ${ident} exists.`)
  return account
}

const record = (tx: Db, event: AuditEvent, target: string, now: number) =>
  audit.record(tx, { event, result: 'successful', actor: 'cli', target, now }, undefined)

import type { Kysely } from 'kysely'
import * as accounts from '../accounts.ts'
import * as audit from '../audit.ts'
import type { Db, Tables } from '../db/schema.ts'
import * as factors from '../factors.ts'
import { clearCodes, listPauses } from '../failed-codes.ts'
import * as lockout from '../lockout.ts'
import * as mailLinks from '../mail-links.ts'
import { passwordProblem } from '../password-rules.ts'
import { createPasswords } from '../passwords.ts'
import { readPassword } from '../read-password.ts'
import { removeRecoveryCodes } from '../recovery-codes.ts'
import * as tokens from '../tokens.ts'
import { type Deps, openOutbox } from './deps.ts'
import { Wrong } from './wrong.ts'

const add = async ({ config, database: { db, clock }, write }: Deps, address: string) => {
  const userIdent = identOf(address)
  if (await accounts.findByIdent(db, userIdent)) throw new Wrong(`There is a user ${userIdent} already.`)
  const password = await readPassword(`Password for ${userIdent}: `)
  const problem = await passwordProblem(password, userIdent, config.minPasswordLength)
  if (problem) throw new Wrong(`The password ${problem}.`)
  const passwords = await createPasswords(1)
  const userPassword = await passwords.inTurn(turn => turn.hash(password))
  const added = await db.transaction().execute(async tx => {
    const userId = await accounts.addAccount(tx, { userIdent, userPassword, userTZLabel: 'UTC', now: clock.now() })
    if (userId) await record(tx, 'user-added', userId, clock.now())
    return userId
  })
  if (!added) throw new Wrong(`There is a user ${userIdent} already.`)
  write(`Added ${userIdent} (id ${added}).`)
}

/** One line for each user. */
export const listUsers = async ({ database: { db, clock }, write }: Deps) => {
  const [users, locks] = [await accounts.listAccounts(db), await lockout.listLocks(db, clock.now())]
  const pauses = new Map((await listPauses(db, clock.now())).map(({ userId, until }) => [userId, until]))
  if (users.length === 0) write('There are no users yet. Add one with: npm run cli -- user add ADDRESS')
  for (const user of users) {
    const ends = locks.filter(lock => lock.failedLoginUserIdent === user.userIdent).map(lock => lock.failedLoginLockExpires)
    const notes = [
      ...(user.userForcedReset ? ['must reset the password'] : []),
      ...(ends.includes(null) ? ['locked until reset'] : ends.length > 0 ? [`locked until ${lastOf(ends)}`] : []),
      ...factorNotes(pauses.get(user.userId)),
    ]
    write([user.userId, user.userIdent, ...notes].join('  '))
  }
}

const lastOf = (instants: (number | null)[]) => new Date(Math.max(...instants.map(Number))).toISOString()

const factorNotes = (pausedUntil: number | null | undefined): string[] => {
  if (pausedUntil === undefined) return []
  return [pausedUntil === null ? 'second factor disabled' : `second factor paused until ${lastOf([pausedUntil])}`]
}

const unlock = async ({ database: { db, clock }, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await lockout.unlock(tx, account.userIdent)
    await clearCodes(tx, account.userId)
    await record(tx, 'user-unlocked', account.userId, clock.now())
  })
  write(`Unlocked ${account.userIdent}.`)
}

const forceReset = async ({ database: { db, clock }, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await accounts.forceReset(tx, account.userId)
    await tokens.endEverything(tx, account.userId)
    await mailLinks.voidAll(tx, account.userId, clock.now())
    await record(tx, 'user-forced-reset', account.userId, clock.now())
  })
  write(`${account.userIdent} is signed out everywhere and must reset the password.`)
}

/** For somebody who has lost authenticator and recovery codes: the next sign-in sets up a new one. */
const resetFactor = async ({ config, database: { db, clock }, write }: Deps, address: string) => {
  const account = await find(db, address)
  const { mail } = openOutbox(config, clock.now)
  const hadOne = await db.transaction().execute(async tx => {
    await accounts.lockAccount(tx, account.userId)
    const removed = await factors.removeFactors(tx, account.userId)
    await removeRecoveryCodes(tx, account.userId)
    await clearCodes(tx, account.userId)
    await tokens.endEverything(tx, account.userId)
    await mailLinks.voidAll(tx, account.userId, clock.now())
    if (removed > 0) await mail.notify(tx, account, { kind: 'factor-removed' }, { address: '', userAgent: '' })
    await record(tx, 'factor-removed', account.userId, clock.now())
    return removed > 0
  })
  write(
    hadOne
      ? `${account.userIdent} has no second factor any more, is signed out everywhere and is told by mail.`
      : `${account.userIdent} had no second factor, and is signed out everywhere.`,
  )
  if (config.secondFactor !== 'off') write(hadOne ? 'The next sign-in sets up a new one.' : 'The next sign-in sets one up.')
}

const remove = async ({ database: { db, clock }, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await lockout.unlock(tx, account.userIdent)
    await accounts.deleteAccount(tx, account.userId)
    await record(tx, 'user-deleted', account.userId, clock.now())
  })
  write(`Deleted ${account.userIdent}.`)
}

const identOf = (address: string) => {
  const ident = accounts.canonicalUsername(address)
  if (ident === undefined) throw new Wrong(`${JSON.stringify(address)} is not an e-mail address.`)
  return ident
}

const find = async (db: Kysely<Tables>, address: string) => {
  const ident = identOf(address)
  const account = await accounts.findByIdent(db, ident)
  if (!account) throw new Wrong(`There is no user ${ident}.`)
  return account
}

const record = (tx: Db, event: audit.AuditEvent, target: string, now: number) =>
  audit.record(tx, { event, result: 'successful', actor: 'cli', target, now }, undefined)

/** What is done to one user, by its name on the command line. */
export const userActs: ReadonlyMap<string, (deps: Deps, address: string) => Promise<void>> = new Map([
  ['add', add],
  ['unlock', unlock],
  ['force-reset', forceReset],
  ['reset-factor', resetFactor],
  ['delete', remove],
])

import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import { type Config, ConfigProblems, readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import type { Tables } from './db/schema.ts'
import * as lockout from './lockout.ts'
import { passwordProblem } from './password-rules.ts'
import { createPasswords } from './passwords.ts'
import { readPassword } from './read-password.ts'
import * as tokens from './tokens.ts'

const usage = `Usage: npm run cli -- user COMMAND

  user add ADDRESS           adds a user; the password is read from standard input
  user list                  lists the users, and what is locked
  user unlock ADDRESS        lifts every lock of a user
  user force-reset ADDRESS   signs a user out everywhere and asks for a new password
  user delete ADDRESS        deletes a user and signs it out everywhere
`

/** What the command line was told and cannot do. */
class Wrong extends Error {}

type Deps = { config: Config; db: Kysely<Tables>; now: number; write: (line: string) => void }

const add = async ({ config, db, now, write }: Deps, address: string) => {
  const userIdent = identOf(address)
  if (await accounts.findByIdent(db, userIdent)) throw new Wrong(`There is a user ${userIdent} already.`)
  const password = await readPassword(`Password for ${userIdent}: `)
  const problem = await passwordProblem(password, userIdent, config.minPasswordLength)
  if (problem) throw new Wrong(`The password ${problem}.`)
  const passwords = await createPasswords(1)
  const userPassword = await passwords.inTurn(turn => turn.hash(password))
  const added = await db.transaction().execute(async tx => {
    const userId = await accounts.addAccount(tx, { userIdent, userPassword, userTZLabel: 'UTC', now })
    if (userId) await record(tx, 'user-added', userId, now)
    return userId
  })
  if (!added) throw new Wrong(`There is a user ${userIdent} already.`)
  write(`Added ${userIdent} (id ${added}).`)
}

const list = async ({ db, now, write }: Deps) => {
  const [users, locks] = [await accounts.listAccounts(db), await lockout.listLocks(db, now)]
  if (users.length === 0) write('There are no users yet. Add one with: npm run cli -- user add ADDRESS')
  for (const user of users) {
    const ends = locks.filter(lock => lock.failedLoginUserIdent === user.userIdent).map(lock => lock.failedLoginLockExpires)
    const notes = [
      ...(user.userForcedReset ? ['must reset the password'] : []),
      ...(ends.includes(null) ? ['locked until reset'] : ends.length > 0 ? [`locked until ${lastOf(ends)}`] : []),
    ]
    write([user.userId, user.userIdent, ...notes].join('  '))
  }
}

const lastOf = (instants: (number | null)[]) => new Date(Math.max(...instants.map(Number))).toISOString()

const unlock = async ({ db, now, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await lockout.unlock(tx, account.userIdent)
    await record(tx, 'user-unlocked', account.userId, now)
  })
  write(`Unlocked ${account.userIdent}.`)
}

const forceReset = async ({ db, now, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await accounts.forceReset(tx, account.userId)
    await tokens.endEverything(tx, account.userId)
    await record(tx, 'user-forced-reset', account.userId, now)
  })
  write(`${account.userIdent} is signed out everywhere and must reset the password.`)
}

const remove = async ({ db, now, write }: Deps, address: string) => {
  const account = await find(db, address)
  await db.transaction().execute(async tx => {
    await lockout.unlock(tx, account.userIdent)
    await accounts.deleteAccount(tx, account.userId)
    await record(tx, 'user-deleted', account.userId, now)
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

const record = (tx: Parameters<typeof audit.record>[0], event: audit.AuditEvent, target: string, now: number) =>
  audit.record(tx, { event, result: 'successful', actor: 'cli', target, now }, undefined)

/** What is done to one user, by its name on the command line. */
const acts: ReadonlyMap<string, (deps: Deps, address: string) => Promise<void>> = new Map([
  ['add', add],
  ['unlock', unlock],
  ['force-reset', forceReset],
  ['delete', remove],
])

const decide = ([noun, verb = '', address, ...more]: string[]): ((deps: Deps) => Promise<void>) => {
  if (noun === 'user' && more.length === 0) {
    if (verb === 'list' && address === undefined) return list
    const act = acts.get(verb)
    if (act && address) return deps => act(deps, address)
  }
  throw new Wrong(usage)
}

const run = async () => {
  // A database that we may make is for our user alone.
  process.umask(0o077)
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return write(usage)
  const command = decide(positionals)
  const config = readConfig(process.env)
  const { db, clock, close } = await openDatabase(config.databaseUrl)
  try {
    await command({ config, db, now: clock.now(), write })
  } finally {
    await close()
  }
}

try {
  await run()
} catch (error) {
  const problems = error instanceof ConfigProblems ? error.problems : [error instanceof Error ? error.message : String(error)]
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exitCode = 1
}

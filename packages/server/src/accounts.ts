import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Db, Row } from './db/schema.ts'

/**
 * The one spelling of a username, for look-up and for counting alike: trimmed, NFC, lower case, exactly one '@', the
 * domain in ASCII. `undefined` when the text is no e-mail address.
 */
export const canonicalUsername = (text: string): string | undefined => {
  const name = text.trim().normalize('NFC').toLowerCase()
  // No white space, control or quoting character has a place in a name; full-width '＠' folds into '@' in some mailers.
  if (name.length > 254 || /[\s\p{C},;:<>()[\]"\\/?#%＠﹫]/u.test(name)) return undefined
  const [local, domain, ...more] = name.split('@')
  if (!local || !domain || more.length > 0) return undefined
  // It reads `127.1` as an address of the network, which no mailbox has for a domain.
  const ascii = domainToASCII(domain)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(ascii) && !isIP(ascii) ? `${local}@${ascii}` : undefined
}

export type Account = Row<'users'>

export const findByIdent = (db: Db, userIdent: string): Promise<Account | undefined> =>
  db.selectFrom('users').selectAll().where('userIdent', '=', userIdent).executeTakeFirst()

export const isAccount = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom('users').select('userId').where('userId', '=', userId).executeTakeFirst()) !== undefined

/** Reads from the users' table, whatever there is; throws when the database can't. */
export const askForAny = async (db: Db): Promise<void> => {
  await db.selectFrom('users').select('userId').limit(1).execute()
}

export const countAccounts = async (db: Db): Promise<number> => {
  const { n } = await db.selectFrom('users').select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return Number(n)
}

export const listAccounts = (db: Db) =>
  db.selectFrom('users').select(['userId', 'userIdent', 'userForcedReset', 'userCreated']).orderBy('userIdent').execute()

/** Adds a user with a verified e-mail address of the same name. `undefined` when the name is taken. */
export const addAccount = async (
  db: Db,
  account: { userIdent: string; userPassword: string; userTZLabel: string; now: number },
): Promise<string | undefined> => {
  const userId = randomUUID()
  const added = await db
    .insertInto('users')
    .values({
      userId,
      userIdent: account.userIdent,
      userPassword: account.userPassword,
      userForcedReset: 0,
      userTZLabel: account.userTZLabel,
      userAzureId: null,
      userGoogleId: null,
      userPakId: null,
      userCreated: account.now,
    })
    .onConflict(c => c.column('userIdent').doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!added) return undefined
  await db.insertInto('emails').values({ emailEmail: account.userIdent, emailUser: userId, emailVerkey: null }).execute()
  return userId
}

/**
 * Takes the account for writing if its password is still the one that was verified, and stores the newer hash where one is
 * given. Returns the account as it is now; `undefined` when the password was changed or the account deleted meanwhile.
 */
export const confirmPassword = (db: Db, userId: string, verified: string, rehashed: string | undefined): Promise<Account | undefined> =>
  db
    .updateTable('users')
    .set({ userPassword: rehashed ?? verified })
    .where('userId', '=', userId)
    .where('userPassword', '=', verified)
    .returningAll()
    .executeTakeFirst()

export const forceReset = async (db: Db, userId: string): Promise<void> => {
  await db.updateTable('users').set({ userForcedReset: 1 }).where('userId', '=', userId).execute()
}

/** Deletes a user and, by the tables' own rules, everything that hangs on it save the audit. */
export const deleteAccount = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('users').where('userId', '=', userId).execute()
}

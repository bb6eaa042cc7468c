import { randomUUID } from 'node:crypto'
import type { SSOProvider } from '@gatehouse/wire'
import type { Identity, Permit } from '../credentials/credential-rules.ts'
import { compiledOnce } from '../db/compiled.ts'
import { type Db, type Row, userColumns } from '../db/schema.ts'
import { joinedToBegin, lockingRow, preparedAs } from '../db/statement-marks.ts'
import { linkedColumns, providerColumns, vouchColumns } from './linked-identities.ts'
import { noOldPassword, type OldPassword, passwordColumns } from './stored-password.ts'

export type Account = Row<'users'>

export const findByIdent = (db: Db, userIdent: string): Promise<Account | undefined> =>
  db.selectFrom('users').selectAll().where('userIdent', '=', userIdent).executeTakeFirst()

export const findById = (db: Db, userId: string): Promise<Account | undefined> =>
  db.selectFrom('users').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Locks the account's row, so that parallel transactions decide one after the other. `undefined` when the account doesn't exist. */
export const lockAccount = (db: Db, userId: string): Promise<Account | undefined> =>
  db.selectFrom('users').selectAll().where('userId', '=', userId).modifyEnd(lockingRow).executeTakeFirst()

/** Runs a small query on the `users` table. Throws when the database is unavailable. */
export const probeUsers = async (db: Db): Promise<void> => {
  await db.selectFrom('users').select('userId').limit(1).execute()
}

export const countAccounts = async (db: Db): Promise<number> => {
  const { n } = await db.selectFrom('users').select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return Number(n)
}

/** The ids and usernames of some users. */
export const listNames = (db: Db, userIds: readonly string[]) =>
  // An empty list would be invalid SQL, so the list begins with an id that no user has.
  db
    .selectFrom('users')
    .select(['userId', 'userIdent'])
    .where('userId', 'in', ['', ...userIds])
    .execute()

export const listAccounts = (db: Db) =>
  db.selectFrom('users').select(['userId', 'userIdent', 'userForcedReset', 'userCreated']).orderBy('userIdent').execute()

/** Whole accounts with these usernames. */
export const listByIdents = (db: Db, idents: readonly string[]): Promise<Account[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('userIdent', 'in', ['', ...idents])
    .execute()

/** Whole accounts in the order of their usernames, starting after `after`. */
export const listAccountsAfter = (db: Db, after: string, most: number): Promise<Account[]> =>
  db.selectFrom('users').selectAll().where('userIdent', '>', after).orderBy('userIdent').limit(most).execute()

/** Adds a user, whose verified email address is the username. `undefined` when the username is taken. */
export const addAccount = async (
  db: Db,
  account: {
    userIdent: string
    userPassword: string | null
    /** Set if `userPassword` was computed from a digest that another program stored. */
    old?: OldPassword
    groups?: readonly string[]
    userTZLabel: string
    /** The identity at a provider for which the account is created. */
    identity?: Identity
    now: number
  },
): Promise<string | undefined> => {
  const userId = randomUUID()
  const added = await db
    .insertInto('users')
    .values({
      userId,
      userIdent: account.userIdent,
      ...passwordColumns(account.userPassword, account.old),
      userForcedReset: 0,
      userPasswordByMail: 0,
      userTZLabel: account.userTZLabel,
      userAzureId: null,
      userGoogleId: null,
      userPakId: null,
      userAzureVouched: null,
      userGoogleVouched: null,
      userPakVouched: null,
      // Vouch for this identity from the start: the account is created for it, so no attacker can have linked it.
      ...(account.identity && linkedColumns(account.identity, true)),
      userGroups: (account.groups ?? []).join(' '),
      userCreated: account.now,
    })
    .onConflict(c => c.column('userIdent').doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!added) return undefined
  await db
    .insertInto('emails')
    .values({ emailEmail: account.userIdent, emailUser: userId, emailVerkey: null })
    // Another user may have requested this address without confirming it.
    .onConflict(c =>
      c.column('emailEmail').doUpdateSet({ emailUser: userId, emailVerkey: null }).where('emails.emailVerkey', 'is not', null),
    )
    .execute()
  return userId
}

/**
 * Locks the account's row if its password hash is still the one that was verified, and stores the new hash if one is given. Returns the
 * current account, or `undefined` if the password was changed or the account was deleted in the meantime.
 */
export const confirmPassword = async (
  db: Db,
  userId: string,
  verified: string,
  rehashed: string | undefined,
): Promise<Account | undefined> => {
  const [account] =
    rehashed === undefined ? await selectVerified(db, { userId, verified }) : await updateVerified(db, { userId, verified, rehashed })
  return account
}

/** The statement of {@link confirmPassword} without a new hash. */
export const selectVerified = compiledOnce((db, { userId, verified }: { userId: string; verified: string }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('userId', '=', userId)
    .where('userPassword', '=', verified)
    .modifyEnd(lockingRow)
    .modifyEnd(preparedAs('confirm-password'))
    .modifyEnd(joinedToBegin),
)

const updateVerified = compiledOnce((db, { userId, verified, rehashed }: { userId: string; verified: string; rehashed: string }) =>
  db
    .updateTable('users')
    .set({ userPassword: rehashed, ...noOldPassword })
    .where('userId', '=', userId)
    .where('userPassword', '=', verified)
    .returning(userColumns)
    .modifyEnd(preparedAs('rehash-password')),
)

/** Sets a password. This also completes a reset that an administrator forced. */
export const setPassword = async (
  { tx, userId }: Permit<'reset-password' | 'change-password' | 'create-password'>,
  userPassword: string,
  userPasswordByMail: 0 | 1,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ userPassword, ...noOldPassword, userForcedReset: 0, userPasswordByMail })
    .where('userId', '=', userId)
    .execute()
}

/**
 * Records that the user typed the password and passed a second factor in one sign-in. From then on the password proves more than access
 * to the mailbox.
 */
export const vouchForPassword = async ({ tx, userId }: Permit<'vouch-for-password'>): Promise<void> => {
  await tx.updateTable('users').set({ userPasswordByMail: 0 }).where('userId', '=', userId).where('userPasswordByMail', '=', 1).execute()
}

/**
 * Records that a second factor of the account vouches for this identity. From then on, a second factor at a trusted provider completes
 * sign-ins with it.
 */
export const vouchForIdentity = async (
  { tx, userId }: Permit<'vouch-for-identity' | 'vouch-for-link'>,
  { provider, id }: Identity,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ [vouchColumns[provider]]: id })
    .where('userId', '=', userId)
    .where(providerColumns[provider], '=', id)
    .execute()
}

/**
 * Withdraws what the last second factor vouched for, because that factor is gone: an attacker may have set the password or linked the
 * identities. The next sign-in with them and a second factor vouches for them again.
 */
export const withdrawVouches = async (permit: Permit<'remove-factor' | 'remove-own-phone' | 'administer-credentials'>): Promise<void> => {
  const { tx, userId } = permit
  await tx.updateTable('users').set({ userPasswordByMail: 1 }).where('userId', '=', userId).where('userPassword', 'is not', null).execute()
  await withdrawIdentityVouches(permit)
}

/** Withdraws the vouches for linked identities, because the second factors that vouched for them are gone. */
export const withdrawIdentityVouches = async ({
  tx,
  userId,
}: Permit<'remove-factor' | 'remove-own-phone' | 'administer-credentials' | 'complete-replacement'>): Promise<void> => {
  const none = { userAzureVouched: null, userGoogleVouched: null, userPakVouched: null }
  await tx.updateTable('users').set(none).where('userId', '=', userId).execute()
}

/** Finds the account that is linked to a provider's identity. */
export const findByProvider = (db: Db, provider: SSOProvider, id: string): Promise<Account | undefined> =>
  db.selectFrom('users').selectAll().where(providerColumns[provider], '=', id).executeTakeFirst()

/** Links an identity at a provider, or unlinks it. No second factor vouches for a newly linked identity yet. */
export const setProvider = async (
  { tx, userId }: Permit<'finish-provider-link' | 'unlink-provider'>,
  provider: SSOProvider,
  id: string | null,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ [providerColumns[provider]]: id, [vouchColumns[provider]]: null })
    .where('userId', '=', userId)
    .execute()
}

export const setTimeZone = async (db: Db, userId: string, userTZLabel: string): Promise<void> => {
  await db.updateTable('users').set({ userTZLabel }).where('userId', '=', userId).execute()
}

/** @param userLanguage null for the browser's language */
export const setLanguage = async (db: Db, userId: string, userLanguage: string | null): Promise<void> => {
  await db.updateTable('users').set({ userLanguage }).where('userId', '=', userId).execute()
}

/** Stores the language of a sign-in, for mails to users who have chosen none. */
export const setLastLanguage = async (db: Db, userId: string, userLastLanguage: string): Promise<void> => {
  await db.updateTable('users').set({ userLastLanguage }).where('userId', '=', userId).execute()
}

/** @param groups names without spaces, see `isGroupName` */
export const setGroups = async (db: Db, userId: string, groups: readonly string[]): Promise<void> => {
  await db
    .updateTable('users')
    .set({ userGroups: groups.join(' ') })
    .where('userId', '=', userId)
    .execute()
}

/** Stores the groups of the user's last sign-in at a provider. */
export const setProviderGroups = async (db: Db, account: Account, groups: readonly string[]): Promise<void> => {
  const userProviderGroups = groups.join(' ')
  if (userProviderGroups === account.userProviderGroups) return
  await db.updateTable('users').set({ userProviderGroups }).where('userId', '=', account.userId).execute()
}

/**
 * Stores the address that a user requests, with the key that confirms it (§3, Email). Runs the same statements whether or not the address
 * belongs to another user, so response time does not reveal it.
 * @returns true if the address is free
 */
export const requestEmail = async (
  { tx: db, userId }: Permit<'ask-for-address'>,
  asked: { emailEmail: string; emailVerkey: string },
): Promise<boolean> => {
  const email = { ...asked, emailUser: userId }
  await db.deleteFrom('emails').where('emailUser', '=', email.emailUser).where('emailVerkey', 'is not', null).execute()
  const taken = await db.selectFrom('users').select('userId').where('userIdent', '=', email.emailEmail).executeTakeFirst()
  const row = await db
    .insertInto('emails')
    .values(email)
    // The last request replaces earlier ones; only the mailbox's owner can confirm.
    .onConflict(c =>
      c
        .column('emailEmail')
        .doUpdateSet({ emailUser: email.emailUser, emailVerkey: email.emailVerkey })
        .where('emails.emailVerkey', 'is not', null),
    )
    .returning('emailEmail')
    .executeTakeFirst()
  return row !== undefined && !taken
}

/**
 * Makes a confirmed address the username.
 * @returns the old username; `undefined` when the key does not match the address, or another user has taken it meanwhile
 */
export const confirmEmail = async (
  { tx: db, userId }: Permit<'confirm-address'>,
  confirmed: { emailEmail: string; emailVerkey: string },
): Promise<string | undefined> => {
  const email = { ...confirmed, emailUser: userId }
  const account = await lockAccount(db, email.emailUser)
  const taken = await findByIdent(db, email.emailEmail)
  if (!account || taken) return undefined
  const updated = await db
    .updateTable('emails')
    .set({ emailVerkey: null })
    .where('emailEmail', '=', email.emailEmail)
    .where('emailUser', '=', email.emailUser)
    .where('emailVerkey', '=', email.emailVerkey)
    .returning('emailEmail')
    .executeTakeFirst()
  if (!updated) return undefined
  await db.deleteFrom('emails').where('emailUser', '=', email.emailUser).where('emailEmail', '!=', email.emailEmail).execute()
  await db.updateTable('users').set({ userIdent: email.emailEmail }).where('userId', '=', email.emailUser).execute()
  return account.userIdent
}

export const forceReset = async (db: Db, userId: string): Promise<void> => {
  await db.updateTable('users').set({ userForcedReset: 1 }).where('userId', '=', userId).execute()
}

/** Deletes a user. Foreign keys delete everything that belongs to the user, except the audit log. */
export const deleteAccount = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('users').where('userId', '=', userId).execute()
}

/** Deletes requested addresses whose confirmation link has expired. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('emails')
    .where('emailVerkey', 'is not', null)
    .where('emailVerkey', 'not in', e => e.selectFrom('mail_links').select('mailLinkSelector').where('mailLinkExpires', '>', now))
    .execute()
}

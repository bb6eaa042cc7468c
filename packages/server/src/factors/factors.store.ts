import { randomUUID } from 'node:crypto'
import type { SecondFactorType } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Permit } from '../credentials/credential-rules.ts'
import { compiledOnce } from '../db/compiled.ts'
import type { Db, Row } from '../db/schema.ts'
import { preparedAs } from '../db/statement-marks.ts'
import { limits } from '../limits.ts'

/**
 * Starts an unverified factor. A replacement ends only replacements whose secret was never shown; any other new factor ends all
 * unverified ones. Attack: someone who has only the password keeps requesting replacements, to end the owner's.
 * @param factor.shown the replacement whose secret was shown, if any
 */
export const startFactor = async (
  { tx, userId, act }: Permit<'offer-first-factor' | 'set-up-first-factor' | 'start-replacement' | 'add-factor' | 'add-automatic-passkey'>,
  factor: { type: SecondFactorType; name: string; shown?: string | undefined; now: number },
): Promise<{ factorUUID: string; factorExpires: number }> => {
  const { now } = factor
  await (act === 'start-replacement' ? endReplacements(tx, userId, factor.shown) : endPending(tx, userId))
  const factorUUID = randomUUID()
  const factorExpires = now + limits.factor.unverified
  await tx
    .insertInto('factors')
    .values({
      factorUUID,
      factorIdentity: userId,
      factorFriendlyName: factor.name,
      factorStatus: 'Unverified',
      factorFactorType: factor.type,
      factorDateCreated: now,
      factorDateVerified: null,
      factorDateLastUsed: null,
      factorExpires,
      factorReplaces: act === 'start-replacement' ? 1 : 0,
      factorWrongCodes: 0,
      factorOptional: act === 'add-automatic-passkey' ? 1 : 0,
    })
    .execute()
  return { factorUUID, factorExpires }
}

/** Adds a factor that the user has verified in another program. */
export const insertImported = async (
  { tx, userId }: Permit<'import-factors'>,
  factor: { type: SecondFactorType; name: string; now: number },
): Promise<string> => {
  const factorUUID = randomUUID()
  await tx
    .insertInto('factors')
    .values({
      factorUUID,
      factorIdentity: userId,
      factorFriendlyName: factor.name,
      factorStatus: 'Verified',
      factorFactorType: factor.type,
      factorDateCreated: factor.now,
      factorDateVerified: factor.now,
      factorDateLastUsed: null,
      factorExpires: null,
      factorReplaces: 0,
      factorWrongCodes: 0,
    })
    .execute()
  return factorUUID
}

/**
 * Deletes the user's unverified factors, including an unfinished replacement.
 * @param except the id of a factor to keep
 */
export const endPending = async (db: Db, userId: string, except = ''): Promise<void> => {
  await db
    .deleteFrom('factors')
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Unverified')
    .where('factorUUID', '!=', except)
    .execute()
}

const endReplacements = async (db: Db, userId: string, except = ''): Promise<void> => {
  await db
    .deleteFrom('factors')
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Unverified')
    .where('factorReplaces', '=', 1)
    .where('factorUUID', '!=', except)
    .execute()
}

/** Finds the unfinished replacement of a factor reset. */
export const findReplacing = async (db: Db, userId: string, now: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('factors')
    .select('factorUUID')
    .where('factorIdentity', '=', userId)
    .where('factorReplaces', '=', 1)
    .where('factorExpires', '>', now)
    .orderBy('factorDateCreated', 'desc')
    .executeTakeFirst()
  return row?.factorUUID
}

/** A factor of this user, verified or not. */
export const findOwn = (db: Db, userId: string, factorUUID: string): Promise<Row<'factors'> | undefined> =>
  db.selectFrom('factors').selectAll().where('factorUUID', '=', factorUUID).where('factorIdentity', '=', userId).executeTakeFirst()

/** The types of a user's second factors, in alphabetical order. Empty if the user's sign-ins require none: see `hasVerified`. */
export const listTypes = async (db: Db, userId: string): Promise<SecondFactorType[]> => typesIn(await selectTypes(db, { userId }))

/** The result of {@link listTypes} from the rows of {@link selectTypes}. */
export const typesIn = (rows: readonly { factorFactorType: SecondFactorType; required: number }[]): SecondFactorType[] =>
  rows.some(row => Number(row.required) > 0) ? rows.map(row => row.factorFactorType) : []

export const selectTypes = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('factors')
    .select(['factorFactorType', sql<number>`sum(1 - "factorOptional")`.as('required')])
    .where('factorIdentity', '=', userId)
    // A literal: an index has this condition, so SQLite would compile the statement again for each value of a parameter.
    .where('factorStatus', '=', sql.lit('Verified'))
    .groupBy('factorFactorType')
    .orderBy('factorFactorType')
    .modifyEnd(preparedAs('list-factor-types')),
)

/** Restarts the time in which the user must verify the factor. */
export const extendUnverified = (
  { tx, userId }: Permit<'offer-first-factor' | 'open-replacement' | 'add-factor'>,
  factorUUID: string,
  now: number,
): Promise<Row<'factors'> | undefined> =>
  tx
    .updateTable('factors')
    .set({ factorExpires: now + limits.factor.unverified })
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Unverified')
    .returningAll()
    .executeTakeFirst()

/** Like `extendUnverified`, but for a factor of any user, and only if it has not expired. */
export const prolong = (db: Db, factorUUID: string, now: number): Promise<Row<'factors'> | undefined> =>
  db
    .updateTable('factors')
    .set({ factorExpires: now + limits.factor.unverified })
    .where('factorUUID', '=', factorUUID)
    .where('factorStatus', '=', 'Unverified')
    .where('factorExpires', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Stores the name that a phone gives itself during enrollment. */
export const nameUnverified = async (db: Db, factorUUID: string, factorFriendlyName: string): Promise<void> => {
  await db
    .updateTable('factors')
    .set({ factorFriendlyName })
    .where('factorUUID', '=', factorUUID)
    .where('factorStatus', '=', 'Unverified')
    .execute()
}

/** Whether the user has a second factor. Passkeys that the server added without asking do not count: the password still suffices. */
export const hasVerified = async (db: Db, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('factors')
    .select('factorUUID')
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .where('factorOptional', '=', 0)
    .limit(1)
    .executeTakeFirst()) !== undefined

export type NamedFactor = Pick<
  Row<'factors'>,
  'factorUUID' | 'factorFriendlyName' | 'factorFactorType' | 'factorDateCreated' | 'factorDateLastUsed' | 'factorOptional'
>

/** The user's verified factors, oldest first. */
export const listNamed = (db: Db, userId: string): Promise<NamedFactor[]> =>
  db
    .selectFrom('factors')
    .select(['factorUUID', 'factorFriendlyName', 'factorFactorType', 'factorDateCreated', 'factorDateLastUsed', 'factorOptional'])
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy('factorDateCreated')
    .orderBy('factorUUID')
    .execute()

/** Whether a factor is the last one that sign-ins require. Passkeys that were added automatically are optional. */
export const isLastRequired = (verified: readonly NamedFactor[], factorUUID: string): boolean => {
  const required = verified.filter(factor => factor.factorOptional === 0)
  return required.length === 1 && required[0]?.factorUUID === factorUUID
}

/** @returns false if the user has no such verified factor */
export const renameFactor = async (db: Db, userId: string, factorUUID: string, factorFriendlyName: string): Promise<boolean> =>
  (await db
    .updateTable('factors')
    .set({ factorFriendlyName })
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/** Counts a first code before it is checked, in one statement. @returns false past the limit: the factor accepts no more codes */
export const countFirstCode = async (db: Db, factorUUID: string, now: number): Promise<boolean> =>
  (await db
    .updateTable('factors')
    .set(e => ({ factorWrongCodes: e('factorWrongCodes', '+', 1) }))
    .where('factorUUID', '=', factorUUID)
    .where('factorWrongCodes', '<', limits.factor.wrongFirstCodes)
    .where('factorExpires', '>', now)
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/**
 * Marks a factor as verified, once, after its first use. A replacement deletes all other factors of the user except passkeys: a mailed link
 * must neither add nor remove a passkey.
 */
export const verifyFactor = async (
  { tx, userId, act }: Permit<'set-up-first-factor' | 'complete-replacement' | 'add-factor' | 'add-automatic-passkey'>,
  factorUUID: string,
  now: number,
): Promise<boolean> => {
  const verified = await tx
    .updateTable('factors')
    .set({ factorStatus: 'Verified', factorDateVerified: now, factorDateLastUsed: now, factorExpires: null })
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorReplaces', '=', act === 'complete-replacement' ? 1 : 0)
    .where('factorStatus', '=', 'Unverified')
    .where('factorExpires', '>', now)
    .returning('factorReplaces')
    .executeTakeFirst()
  if (!verified) return false
  if (verified.factorReplaces) {
    await tx
      .deleteFrom('factors')
      .where('factorIdentity', '=', userId)
      .where('factorUUID', '!=', factorUUID)
      .where('factorFactorType', '!=', 'Passkey')
      .execute()
  }
  return true
}

/** Stores when a factor was last used. */
export const recordUse = async (db: Db, factorUUID: string, now: number): Promise<void> => {
  await db.updateTable('factors').set({ factorDateLastUsed: now }).where('factorUUID', '=', factorUUID).execute()
}

/** A user's verified factors, oldest first, without secrets. */
export const listVerified = (db: Db, userId: string) =>
  db
    .selectFrom('factors')
    .select(['factorUUID', 'factorFriendlyName', 'factorFactorType', 'factorDateVerified', 'factorDateLastUsed'])
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy('factorDateVerified')
    .execute()

/** The verified factors of several users, oldest first, without secrets. */
export const listVerifiedOf = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom('factors')
    .select([
      'factorUUID',
      'factorIdentity',
      'factorFriendlyName',
      'factorFactorType',
      'factorDateCreated',
      'factorDateVerified',
      'factorDateLastUsed',
    ])
    .where('factorIdentity', 'in', ['', ...userIds])
    .where('factorStatus', '=', 'Verified')
    .orderBy('factorDateVerified')
    .orderBy('factorUUID')
    .execute()

/**
 * Deletes a verified factor.
 * @returns false if it doesn't exist
 */
export const removeVerified = async (
  { tx, userId }: Permit<'remove-factor' | 'remove-optional-passkey' | 'remove-own-phone' | 'administer-credentials'>,
  factorUUID: string,
): Promise<boolean> =>
  (await tx
    .deleteFrom('factors')
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/**
 * Deletes the passkeys that were added without asking, when the user sets up the first second factor. Attack: someone with only the
 * password lets a password manager add a passkey, and signs in with it after the user has set up the second factor.
 * @param factorUUID the new factor
 * @returns their names. None if the user had a second factor before
 */
export const removeOptionalPasskeys = async (
  { tx, userId }: Permit<'set-up-first-factor' | 'add-factor'>,
  factorUUID: string,
): Promise<string[]> => {
  const others = (await listNamed(tx, userId)).filter(factor => factor.factorUUID !== factorUUID)
  if (others.some(factor => factor.factorOptional === 0)) return []
  const removed = await tx
    .deleteFrom('factors')
    .where('factorIdentity', '=', userId)
    .where('factorOptional', '=', 1)
    .returning('factorFriendlyName')
    .execute()
  return removed.map(factor => factor.factorFriendlyName)
}

/** Deletes an unverified factor. */
export const removeUnverified = async (db: Db, factorUUID: string): Promise<void> => {
  await db.deleteFrom('factors').where('factorUUID', '=', factorUUID).where('factorStatus', '=', 'Unverified').execute()
}

/**
 * Deletes all second factors of a user.
 * @returns how many of them were verified
 */
export const removeFactors = async ({ tx, userId }: Permit<'administer-credentials'>): Promise<number> =>
  (await tx.deleteFrom('factors').where('factorIdentity', '=', userId).returning('factorStatus').execute()).filter(
    factor => factor.factorStatus === 'Verified',
  ).length

/** Deletes factors that were not verified in time. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('factors').where('factorExpires', '<=', now).execute()
}

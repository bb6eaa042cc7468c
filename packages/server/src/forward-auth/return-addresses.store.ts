import type { Db, Row } from '../db/schema.ts'
import { randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/**
 * Stores the address that a user requested.
 * @returns its id, which is not secret but cannot be guessed
 */
export const keepReturn = async (db: Db, returnTarget: string, hadCookie: boolean, now: number): Promise<string> => {
  const returnId = randomSecret(128)
  await db
    .insertInto('return_addresses')
    .values({
      returnId,
      returnTarget,
      returnFragment: null,
      returnHadCookie: hadCookie ? 1 : 0,
      returnCreated: now,
      returnExpires: now + limits.returnAddress.lifetime,
    })
    .execute()
  return returnId
}

/** Adds the fragment, which only the browser knows. The first one stays. */
export const keepFragment = async (db: Db, { returnId, returnFragment }: { returnId: string; returnFragment: string }, now: number) => {
  await db
    .updateTable('return_addresses')
    .set({ returnFragment })
    .where('returnId', '=', returnId)
    .where('returnExpires', '>', now)
    .where('returnFragment', 'is', null)
    .execute()
}

export const findReturn = (db: Db, returnId: string, now: number): Promise<Row<'return_addresses'> | undefined> =>
  db.selectFrom('return_addresses').selectAll().where('returnId', '=', returnId).where('returnExpires', '>', now).executeTakeFirst()

/** Whether a check has stored an address since an instant, which shows that the proxy asked Gatehouse. */
export const wasStoredSince = async (db: Db, returnTarget: string, since: number): Promise<boolean> =>
  (await db
    .selectFrom('return_addresses')
    .select('returnId')
    .where('returnTarget', '=', returnTarget)
    .where('returnCreated', '>=', since)
    .executeTakeFirst()) !== undefined

export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('return_addresses').where('returnExpires', '<=', now).execute()
}

import type { Db } from '../../db/schema.ts'
import { hashSecret } from '../../keys/secrets.ts'

/**
 * Marks a nonce as used for every server that shares the database. One statement does it, so a nonce works once.
 * @returns false if the nonce was already used
 */
export const useNonce = async (db: Db, nonce: string, pushNonceExpires: number): Promise<boolean> =>
  (await db
    .insertInto('push_nonces')
    .values({ pushNonceHash: hashSecret(nonce), pushNonceExpires })
    .onConflict(c => c.doNothing())
    .returning('pushNonceHash')
    .executeTakeFirst()) !== undefined

/** Deletes expired nonces. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('push_nonces').where('pushNonceExpires', '<=', now).execute()
}

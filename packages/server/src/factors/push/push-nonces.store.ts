import type { Db } from '../../db/schema.ts'
import { hashSecret } from '../../keys/secrets.ts'

/**
 * Uses a nonce, on all servers, in one statement.
 * @returns false if another call has used it
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

import type { Db } from '../../db/schema.ts'
import { hashSecret } from '../../keys/secrets.ts'

/** Marks a challenge as used on all servers, in one statement. @returns false if it was used before */
export const useChallenge = async (db: Db, challenge: string, usedPasskeyChallengeExpires: number): Promise<boolean> =>
  (await db
    .insertInto('used_passkey_challenges')
    .values({ usedPasskeyChallengeHash: hashSecret(challenge), usedPasskeyChallengeExpires })
    .onConflict(c => c.doNothing())
    .returning('usedPasskeyChallengeHash')
    .executeTakeFirst()) !== undefined

/** Deletes challenges that have expired. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('used_passkey_challenges').where('usedPasskeyChallengeExpires', '<=', now).execute()
}

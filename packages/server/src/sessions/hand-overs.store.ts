import type { Permit } from '../credentials/credential-rules.ts'
import { compiledOnce } from '../db/compiled.ts'
import type { Db, Row, UsedFactor } from '../db/schema.ts'
import { joinedToNext, preparedAs } from '../db/statement-marks.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** The browser's proof to redeem a hand-over code: the pair from the answer, and the cookie that binds it to this browser. */
export type HandOverClaim = { authTokenSelector: string; authTokenToken: string; binding: string }

/**
 * Issues the hand-over code of a finished sign-in. The pair may appear in a URL, because it works only together with `binding`, which the
 * browser gets as a cookie.
 */
export const issueHandOver = async (
  { tx, userId: authTokenUser }: Permit<'sign-in'>,
  { factor, signIn }: { factor: UsedFactor | null; signIn: string | undefined },
  now: number,
) => {
  const issued = {
    authTokenSelector: randomSecret(128),
    authTokenToken: randomSecret(256),
    binding: randomSecret(256),
    authTokenExpires: now + limits.handOver.lifetime,
  }
  await insertHandOver(tx, {
    authTokenSelector: issued.authTokenSelector,
    authTokenHash: hashSecret(issued.authTokenToken),
    authTokenUser,
    authTokenExpires: issued.authTokenExpires,
    handOverBinding: hashSecret(issued.binding),
    handOverExchanged: null,
    handOverArrived: null,
    handOverFactor: factor,
    handOverSignIn: signIn ?? null,
  })
  return issued
}

const insertHandOver = compiledOnce((db, row: Row<'hand_overs'>) =>
  db.insertInto('hand_overs').values(row).modifyEnd(preparedAs('issue-hand-over')).modifyEnd(joinedToNext),
)

const claimed = (db: Db, claim: HandOverClaim, now: number) =>
  db
    .updateTable('hand_overs')
    .where('authTokenSelector', '=', claim.authTokenSelector)
    .where('authTokenHash', '=', hashSecret(claim.authTokenToken))
    .where('handOverBinding', '=', hashSecret(claim.binding))
    .where('authTokenExpires', '>', now)
    .where('handOverArrived', 'is', null)

/** The user of a hand-over code, the second factor of its sign-in, and the sign-in's id in the audit log. */
export type HandedOver = { user: string; factor: UsedFactor | null; signIn: string | undefined }

/** Exchanges a hand-over code for its user, once. */
export const exchangeHandOver = async (db: Db, claim: HandOverClaim, now: number): Promise<HandedOver | undefined> => {
  const row = await claimed(db, claim, now)
    .where('handOverExchanged', 'is', null)
    .set({ handOverExchanged: now })
    .returning(['authTokenUser', 'handOverFactor', 'handOverSignIn'])
    .executeTakeFirst()
  return row && { user: row.authTokenUser, factor: row.handOverFactor, signIn: row.handOverSignIn ?? undefined }
}

/** Marks a hand-over code as arrived at the token page, once. `exchanged` is false if the caller must also start the session. */
export const arriveByHandOver = async (
  db: Db,
  claim: HandOverClaim,
  now: number,
): Promise<(HandedOver & { exchanged: boolean }) | undefined> => {
  const row = await claimed(db, claim, now)
    .set({ handOverArrived: now })
    .returning(['authTokenUser', 'handOverFactor', 'handOverSignIn', 'handOverExchanged'])
    .executeTakeFirst()
  if (!row) return undefined
  const { authTokenUser: user, handOverFactor: factor, handOverSignIn, handOverExchanged } = row
  return { user, factor, signIn: handOverSignIn ?? undefined, exchanged: handOverExchanged !== null }
}

export const endHandOvers = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('hand_overs').where('authTokenUser', '=', userId).execute()
}

export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('hand_overs').where('authTokenExpires', '<=', now).execute()
}

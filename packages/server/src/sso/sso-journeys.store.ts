import type { SSOProvider } from '@gatehouse/wire'
import type { Db, Row } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** The secrets of a journey to a provider. Each journey has its own, but journeys of one browser may share `binding`, the cookie. */
export type Departure = { state: string; nonce: string; verifier: string; binding: string }

/**
 * Begins a journey that is bound to the browser (by a cookie) and to the provider.
 * @param userId the user who links the identity; null for a sign-in
 * @param bound the cookie of a journey in another tab of this browser, so that both tabs can return
 */
export const beginJourney = async (
  db: Db,
  provider: SSOProvider,
  userId: string | null,
  bound: string | undefined,
  now: number,
): Promise<Departure> => {
  const binding = bound !== undefined && /^[\w-]{43}$/.test(bound) ? bound : randomSecret(256)
  const departure = { state: randomSecret(256), nonce: randomSecret(256), verifier: randomSecret(256), binding }
  await db
    .insertInto('sso_journeys')
    .values({
      journeyState: hashSecret(departure.state),
      journeyProvider: provider,
      journeyBinding: hashSecret(departure.binding),
      journeyNonce: departure.nonce,
      journeyVerifier: departure.verifier,
      journeyUser: userId,
      journeyExpires: now + limits.ssoJourney.lifetime,
    })
    .execute()
  return departure
}

/** Redeems a journey when the browser returns, in one statement, so that each journey ends once. */
export const endJourney = (
  db: Db,
  back: { provider: SSOProvider; state: string; binding: string },
  now: number,
): Promise<Row<'sso_journeys'> | undefined> =>
  db
    .deleteFrom('sso_journeys')
    .where('journeyState', '=', hashSecret(back.state))
    .where('journeyProvider', '=', back.provider)
    .where('journeyBinding', '=', hashSecret(back.binding))
    .where('journeyExpires', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Deletes expired journeys. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('sso_journeys').where('journeyExpires', '<=', now).execute()
}

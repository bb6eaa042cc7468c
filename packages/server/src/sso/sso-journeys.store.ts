import type { SSOProvider } from '@gatehouse/wire'
import type { Db, Row } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** What goes along on a journey to a provider; all of it is made anew each time. */
export type Departure = { state: string; nonce: string; verifier: string; binding: string }

/**
 * Begins a journey, bound to the browser by a cookie and to the provider.
 * @param userId who wants to link the identity; nobody where it is to sign in with
 * @param bound the cookie of a journey that this browser is on already, in another tab: both then come back
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

/** The browser is back: its journey is over with this, whatever comes of it. In one statement, so that it is so once. */
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

/** Forgets journeys nobody came back from. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('sso_journeys').where('journeyExpires', '<=', now).execute()
}

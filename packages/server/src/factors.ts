import { randomUUID } from 'node:crypto'
import type { Factor } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Db, Row } from './db/schema.ts'
import { type Keyring, prefixLength, type Resealed, type SealedCount } from './keyring.ts'
import { limits } from './limits.ts'
import { newTotpSecret, totpStep, totpUri } from './totp.ts'

/** Starts a TOTP factor that waits for its first code. The one that waited before is gone, and its secret with it. */
export const startFactor = async (
  db: Db,
  factor: { userId: string; replaces: boolean; name?: string; now: number },
): Promise<{ factorUUID: string; factorExpires: number }> => {
  const { userId, now } = factor
  await db.deleteFrom('factors').where('factorIdentity', '=', userId).where('factorStatus', '=', 'Unverified').execute()
  const factorUUID = randomUUID()
  const factorExpires = now + limits.factor.unverified
  await db
    .insertInto('factors')
    .values({
      factorUUID,
      factorIdentity: userId,
      factorFriendlyName: factor.name ?? 'Authenticator app',
      factorStatus: 'Unverified',
      factorFactorType: 'TOTP',
      factorDateCreated: now,
      factorDateVerified: null,
      factorDateLastUsed: null,
      factorExpires,
      factorReplaces: factor.replaces ? 1 : 0,
      factorWrongCodes: 0,
    })
    .execute()
  return { factorUUID, factorExpires }
}

const sealedFor = (userId: string, factorUUID: string) => `${userId}/${factorUUID}`

/**
 * Gives a waiting factor its secret, and from now on its full time to be verified. This is the one time the secret is shown.
 * @returns `undefined` when the factor is not waiting (any more)
 */
export const bindTotp = async (
  db: Db,
  keyring: Keyring,
  factorUUID: string,
  shown: { issuer: string; account: string; now: number },
): Promise<Factor | undefined> => {
  const factor = await db
    .updateTable('factors')
    .set({ factorExpires: shown.now + limits.factor.unverified })
    .where('factorUUID', '=', factorUUID)
    .where('factorStatus', '=', 'Unverified')
    .returningAll()
    .executeTakeFirst()
  if (!factor) return undefined
  const secret = newTotpSecret()
  await db
    .insertInto('totp_bindings')
    .values({
      factorTOTPBindingFactorUUID: factorUUID,
      factorTOTPBindingSecret: keyring.seal('totp', secret, sealedFor(factor.factorIdentity, factorUUID)),
      factorTOTPBindingAlg: 'SHA1',
      factorTOTPBindingLastStep: 0,
    })
    .execute()
  return asShown(factor, secret, shown)
}

const asShown = (
  { factorUUID, factorIdentity, factorFriendlyName, factorDateCreated }: Omit<TotpFactor, 'factorReplaces' | 'factorTOTPBindingSecret'>,
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): Factor => ({
  factorUUID,
  factorIdentity,
  factorBinding: {
    tag: 'TOTPBinding',
    contents: {
      factorTOTPBindingFactorUUID: factorUUID,
      factorTOTPBindingSecret: secret,
      factorTOTPBindingAlg: 'SHA1',
      factorTOTPBindingURI: totpUri({ issuer, account, secret }),
    },
  },
  factorFriendlyName,
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: new Date(Number(factorDateCreated)).toISOString(),
})

/**
 * A waiting factor as it was shown when it got its secret, for the same browser once more.
 * @returns `undefined` when it waits no more, or its secret cannot be read
 */
export const showWaiting = async (
  db: Db,
  keyring: Keyring,
  userId: string,
  factorUUID: string,
  shown: { issuer: string; account: string; now: number },
): Promise<Factor | undefined> => {
  const factor = await findWaiting(db, userId, factorUUID, shown.now)
  const secret = factor?.factorTOTPBindingSecret && keyring.tryOpen('totp', factor.factorTOTPBindingSecret, sealedFor(userId, factorUUID))
  return factor && secret ? asShown(factor, secret, shown) : undefined
}

/** A factor with what ties it to its authenticator, if anything does. */
export type TotpFactor = Pick<
  Row<'factors'>,
  'factorUUID' | 'factorIdentity' | 'factorFriendlyName' | 'factorReplaces' | 'factorDateCreated'
> & {
  factorTOTPBindingSecret: string | null
}

const withBinding = (db: Db) =>
  db
    .selectFrom('factors')
    .leftJoin('totp_bindings', 'factorTOTPBindingFactorUUID', 'factorUUID')
    .select(['factorUUID', 'factorIdentity', 'factorFriendlyName', 'factorReplaces', 'factorDateCreated', 'factorTOTPBindingSecret'])
    .where('factorFactorType', '=', 'TOTP')

/** The factor of this user that waits for its first code. */
export const findWaiting = (db: Db, userId: string, factorUUID: string, now: number): Promise<TotpFactor | undefined> =>
  withBinding(db)
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorExpires', '>', now)
    .where('factorWrongCodes', '<', limits.factor.wrongFirstCodes)
    .executeTakeFirst()

/** The factor that a reset under way has begun. */
export const findReplacing = async (db: Db, userId: string, now: number): Promise<string | undefined> => {
  const row = await withBinding(db)
    .where('factorIdentity', '=', userId)
    .where('factorReplaces', '=', 1)
    .where('factorExpires', '>', now)
    .executeTakeFirst()
  return row?.factorUUID
}

/** The user's verified authenticators, the one used last first. */
export const listVerifiedTotp = (db: Db, userId: string): Promise<TotpFactor[]> =>
  withBinding(db)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy(sql`coalesce("factorDateLastUsed", 0)`, 'desc')
    .orderBy('factorUUID')
    .execute()

export const hasVerified = async (db: Db, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('factors')
    .select('factorUUID')
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .limit(1)
    .executeTakeFirst()) !== undefined

export type NamedFactor = Pick<Row<'factors'>, 'factorUUID' | 'factorFriendlyName' | 'factorDateCreated' | 'factorDateLastUsed'>

/** The user's verified factors as their owner knows them, the oldest first. */
export const listNamed = (db: Db, userId: string): Promise<NamedFactor[]> =>
  db
    .selectFrom('factors')
    .select(['factorUUID', 'factorFriendlyName', 'factorDateCreated', 'factorDateLastUsed'])
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy('factorDateCreated')
    .orderBy('factorUUID')
    .execute()

/** @returns whether it is a verified one of this user */
export const renameFactor = async (db: Db, userId: string, factorUUID: string, factorFriendlyName: string): Promise<boolean> =>
  (await db
    .updateTable('factors')
    .set({ factorFriendlyName })
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/** What came of a code: whose it is, nobody's, or why that cannot be said. */
export type Match = { tag: 'Match'; factorUUID: string; step: number } | { tag: 'NoMatch' | 'MissingSecret' | 'Unreadable' }

/** Which of the factors a code belongs to. Uses nothing up. */
export const matchCode = (keyring: Keyring, factors: readonly TotpFactor[], code: number, now: number): Match => {
  let otherwise: Match = { tag: 'NoMatch' }
  for (const { factorUUID, factorIdentity, factorTOTPBindingSecret: sealed } of factors) {
    if (sealed === null) {
      otherwise = { tag: 'MissingSecret' }
      continue
    }
    const secret = keyring.tryOpen('totp', sealed, sealedFor(factorIdentity, factorUUID))
    const step = secret === undefined ? undefined : totpStep(code, secret, now)
    if (step !== undefined) return { tag: 'Match', factorUUID, step }
    if (secret === undefined) otherwise = { tag: 'Unreadable' }
  }
  return otherwise
}

/** Uses up a time step of a factor, once: whoever comes with the same or an older one is refused (RFC 6238 §5.2). */
export const useStep = async (db: Db, factorUUID: string, step: number, now: number): Promise<boolean> => {
  const used = await db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingLastStep: step })
    .where('factorTOTPBindingFactorUUID', '=', factorUUID)
    .where('factorTOTPBindingLastStep', '<', step)
    .returning('factorTOTPBindingFactorUUID')
    .executeTakeFirst()
  if (!used) return false
  await db.updateTable('factors').set({ factorDateLastUsed: now }).where('factorUUID', '=', factorUUID).execute()
  return true
}

/** Counts a first code before it is checked, in one statement. Past the limit the factor is as good as gone. */
export const countFirstCode = async (db: Db, factorUUID: string, now: number): Promise<boolean> =>
  (await db
    .updateTable('factors')
    .set(e => ({ factorWrongCodes: e('factorWrongCodes', '+', 1) }))
    .where('factorUUID', '=', factorUUID)
    .where('factorWrongCodes', '<', limits.factor.wrongFirstCodes)
    .where('factorExpires', '>', now)
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/** A waiting factor is verified, once, and the step of its first code is used up. Of a reset, all others of the user go. */
export const verifyFactor = async (db: Db, factorUUID: string, step: number, now: number): Promise<boolean> => {
  if (!(await useStep(db, factorUUID, step, now))) return false
  const verified = await db
    .updateTable('factors')
    .set({ factorStatus: 'Verified', factorDateVerified: now, factorExpires: null })
    .where('factorUUID', '=', factorUUID)
    .where('factorStatus', '=', 'Unverified')
    .where('factorExpires', '>', now)
    .returning(['factorIdentity', 'factorReplaces'])
    .executeTakeFirst()
  if (!verified) return false
  if (verified.factorReplaces) {
    await db.deleteFrom('factors').where('factorIdentity', '=', verified.factorIdentity).where('factorUUID', '!=', factorUUID).execute()
  }
  return true
}

/** A user's verified factors, the oldest first; nothing of their secrets. */
export const listVerified = (db: Db, userId: string) =>
  db
    .selectFrom('factors')
    .select(['factorUUID', 'factorFriendlyName', 'factorFactorType', 'factorDateVerified', 'factorDateLastUsed'])
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy('factorDateVerified')
    .execute()

/** Takes a verified factor of a user away. @returns whether it was there */
export const removeVerified = async (db: Db, userId: string, factorUUID: string): Promise<boolean> =>
  (await db
    .deleteFrom('factors')
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .returning('factorUUID')
    .executeTakeFirst()) !== undefined

/** Takes a factor away, for good. */
export const removeFactor = async (db: Db, factorUUID: string): Promise<void> => {
  await db.deleteFrom('factors').where('factorUUID', '=', factorUUID).execute()
}

/** Takes all second factors of a user away. @returns how many verified ones there were */
export const removeFactors = async (db: Db, userId: string): Promise<number> =>
  (await db.deleteFrom('factors').where('factorIdentity', '=', userId).returning('factorStatus').execute()).filter(
    factor => factor.factorStatus === 'Verified',
  ).length

/**
 * Counts a skip, if there is one left: so many, within so long from the first.
 * @returns how many there were with this one
 */
export const countSkip = async (db: Db, skipUser: string, now: number): Promise<number | undefined> => {
  const { most, within } = limits.skip
  const row = await db
    .insertInto('skips')
    .values({ skipUser, skipCount: 1, skipFirst: now })
    .onConflict(c =>
      c
        .column('skipUser')
        .doUpdateSet(e => ({ skipCount: e('skips.skipCount', '+', 1) }))
        .where('skips.skipCount', '<', most)
        .where('skips.skipFirst', '>', now - within),
    )
    .returning('skipCount')
    .executeTakeFirst()
  return row?.skipCount
}

/** How often somebody has put off a second factor so far, and since when. */
export const findSkips = (db: Db, skipUser: string): Promise<{ skipCount: number; skipFirst: number } | undefined> =>
  db.selectFrom('skips').select(['skipCount', 'skipFirst']).where('skipUser', '=', skipUser).executeTakeFirst()

const prefixOfSecret = sql<string>`substr("factorTOTPBindingSecret", 1, ${sql.lit(prefixLength)})`

/** How many secrets there are under each master key. */
export const countSecretsByKey = (db: Db): Promise<SealedCount[]> =>
  db
    .selectFrom('totp_bindings')
    .select(e => [prefixOfSecret.as('prefix'), e.fn.countAll<number>().as('count')])
    .groupBy(prefixOfSecret)
    .execute()

/** Seals at most `most` secrets anew that are not under the current key, in the order of their factors from `after` on. */
export const resealSecrets = async (db: Db, keyring: Keyring, after: string, most: number): Promise<Resealed> => {
  const rows = await db
    .selectFrom('totp_bindings')
    .innerJoin('factors', 'factorUUID', 'factorTOTPBindingFactorUUID')
    .select(['factorUUID', 'factorIdentity', 'factorTOTPBindingSecret'])
    .where(prefixOfSecret, '!=', keyring.prefix())
    .where('factorUUID', '>', after)
    .orderBy('factorUUID')
    .limit(most)
    .execute()
  const unreadable: string[] = []
  for (const { factorUUID, factorIdentity, factorTOTPBindingSecret: sealed } of rows) {
    const about = sealedFor(factorIdentity, factorUUID)
    const secret = keyring.tryOpen('totp', sealed, about)
    if (secret === undefined) unreadable.push(factorIdentity)
    else
      await db
        .updateTable('totp_bindings')
        .set({ factorTOTPBindingSecret: keyring.seal('totp', secret, about) })
        .where('factorTOTPBindingFactorUUID', '=', factorUUID)
        .where('factorTOTPBindingSecret', '=', sealed)
        .execute()
  }
  return { last: rows.at(-1)?.factorUUID, sealed: rows.length - unreadable.length, unreadable }
}

/** Forgets factors that were never verified in time. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('factors').where('factorExpires', '<=', now).execute()
}

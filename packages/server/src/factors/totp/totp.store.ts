import type { Factor } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Permit } from '../../credentials/credential-rules.ts'
import type { Db, Row } from '../../db/schema.ts'
import type { Keyring, Resealed, SealedCount } from '../../keys/keyring.ts'
import { keyPrefix, resealRows } from '../../keys/resealing.ts'
import { limits } from '../../limits.ts'
import { type NearMiss, newTotpSecret, sealedFor, totpUri } from './totp.ts'

/** Stores and returns a new secret for an unverified factor. Until the factor is verified, `showWaiting` returns the secret again. */
export const insertSecret = async (
  { tx }: Permit<'offer-first-factor' | 'open-replacement' | 'add-factor'>,
  keyring: Keyring,
  factor: Row<'factors'>,
  shown: ShownAs,
): Promise<Factor> => {
  const { factorUUID } = factor
  const secret = newTotpSecret()
  await tx
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

/** Stores the secret of an app that the user set up with another program. */
export const importSecret = async (
  { tx, userId }: Permit<'import-factors'>,
  keyring: Keyring,
  factorUUID: string,
  secret: string,
): Promise<void> => {
  await tx
    .insertInto('totp_bindings')
    .values({
      factorTOTPBindingFactorUUID: factorUUID,
      factorTOTPBindingSecret: keyring.seal('totp', secret, sealedFor(userId, factorUUID)),
      factorTOTPBindingAlg: 'SHA1',
      factorTOTPBindingLastStep: 0,
    })
    .execute()
}

/** The names that an authenticator app shows. */
export type ShownAs = { issuer: string; account: string }

const asShown = (
  {
    factorUUID,
    factorIdentity,
    factorFriendlyName,
    factorDateCreated,
  }: Pick<TotpFactor, 'factorUUID' | 'factorIdentity' | 'factorFriendlyName' | 'factorDateCreated'>,
  secret: string,
  { issuer, account }: ShownAs,
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
 * Returns an unverified factor with its secret, to show it again. The caller makes sure that the browser may see it.
 * @returns `undefined` when the factor is no longer unverified, or its secret cannot be decrypted
 */
export const showWaiting = async (
  db: Db,
  keyring: Keyring,
  userId: string,
  factorUUID: string,
  shown: ShownAs & { now: number },
): Promise<Factor | undefined> => {
  const factor = await findWaiting(db, userId, factorUUID, shown.now)
  const secret = factor?.factorTOTPBindingSecret && keyring.tryOpen('totp', factor.factorTOTPBindingSecret, sealedFor(userId, factorUUID))
  return factor && secret ? asShown(factor, secret, shown) : undefined
}

/** A factor with its encrypted secret, if it has one. */
export type TotpFactor = Pick<
  Row<'factors'>,
  'factorUUID' | 'factorIdentity' | 'factorFriendlyName' | 'factorReplaces' | 'factorDateCreated'
> & {
  factorTOTPBindingSecret: string | null
  factorTOTPBindingWrongOffset: number | null
  factorTOTPBindingWrongStep: number | null
}

const withBinding = (db: Db) =>
  db
    .selectFrom('factors')
    .leftJoin('totp_bindings', 'factorTOTPBindingFactorUUID', 'factorUUID')
    .select(['factorUUID', 'factorIdentity', 'factorFriendlyName', 'factorReplaces', 'factorDateCreated', 'factorTOTPBindingSecret'])
    .select(['factorTOTPBindingWrongOffset', 'factorTOTPBindingWrongStep'])
    .where('factorFactorType', '=', 'TOTP')

/** Finds a user's factor that still needs its first code. */
export const findWaiting = (db: Db, userId: string, factorUUID: string, now: number): Promise<TotpFactor | undefined> =>
  withBinding(db)
    .where('factorUUID', '=', factorUUID)
    .where('factorIdentity', '=', userId)
    .where('factorExpires', '>', now)
    .where('factorWrongCodes', '<', limits.factor.wrongFirstCodes)
    .executeTakeFirst()

/** Finds the replacement whose secret was shown and that still needs its first code. */
export const findOpenReplacement = async (db: Db, userId: string, now: number): Promise<TotpFactor | undefined> => {
  const found = await withBinding(db)
    .where('factorIdentity', '=', userId)
    .where('factorReplaces', '=', 1)
    .where('factorExpires', '>', now)
    .where('factorWrongCodes', '<', limits.factor.wrongFirstCodes)
    .where('factorTOTPBindingSecret', 'is not', null)
    .executeTakeFirst()
  return found
}

/** The user's verified authenticator apps, the most recently used first. */
export const listVerifiedTotp = (db: Db, userId: string): Promise<TotpFactor[]> =>
  withBinding(db)
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .orderBy(sql`coalesce("factorDateLastUsed", 0)`, 'desc')
    .orderBy('factorUUID')
    .execute()

/** The Base32 secrets of these users' verified authenticator apps, by factor UUID. A secret is undefined if no key can decrypt it. */
export const readSecretsOf = async (db: Db, keyring: Keyring, userIds: readonly string[]): Promise<Map<string, string | undefined>> => {
  const factors = await withBinding(db)
    .where('factorIdentity', 'in', ['', ...userIds])
    .where('factorStatus', '=', 'Verified')
    .execute()
  return new Map(
    factors.map(({ factorUUID, factorIdentity, factorTOTPBindingSecret }) => [
      factorUUID,
      factorTOTPBindingSecret === null
        ? undefined
        : keyring.tryOpen('totp', factorTOTPBindingSecret, sealedFor(factorIdentity, factorUUID)),
    ]),
  )
}

/** Uses a time step of a factor once. Refuses this step and older ones from then on (RFC 6238 §5.2). */
export const useStep = async (db: Db, factorUUID: string, step: number): Promise<boolean> =>
  (await db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingLastStep: step, factorTOTPBindingWrongOffset: null, factorTOTPBindingWrongStep: null })
    .where('factorTOTPBindingFactorUUID', '=', factorUUID)
    .where('factorTOTPBindingLastStep', '<', step)
    .returning('factorTOTPBindingFactorUUID')
    .executeTakeFirst()) !== undefined

/** Stores by how much the newest wrong code missed. The last accepted step stays. */
export const setNearMiss = async (db: Db, factorUUID: string, miss: NearMiss | undefined): Promise<void> => {
  await db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingWrongOffset: miss?.offset ?? null, factorTOTPBindingWrongStep: miss?.step ?? null })
    .where('factorTOTPBindingFactorUUID', '=', factorUUID)
    .execute()
}

const prefix = keyPrefix('factorTOTPBindingSecret')

/** Counts secrets by the master key that encrypts them. */
export const countSecretsByKey = (db: Db): Promise<SealedCount[]> =>
  db
    .selectFrom('totp_bindings')
    .select(e => [prefix.as('prefix'), e.fn.countAll<number>().as('count')])
    .groupBy(prefix)
    .execute()

/** Encrypts at most `most` secrets with the current master key, in the order of their factors' ids, starting after `after`. */
export const resealSecrets = async (db: Db, keyring: Keyring, after: string, most: number): Promise<Resealed> => {
  const rows = await db
    .selectFrom('totp_bindings')
    .innerJoin('factors', 'factorUUID', 'factorTOTPBindingFactorUUID')
    .select(['factorUUID', 'factorIdentity', 'factorTOTPBindingSecret'])
    .where(prefix, '!=', keyring.prefix())
    .where('factorUUID', '>', after)
    .orderBy('factorUUID')
    .limit(most)
    .execute()
  return resealRows(rows, {
    id: row => row.factorUUID,
    owner: row => row.factorIdentity,
    open: row => keyring.tryOpen('totp', row.factorTOTPBindingSecret, sealedFor(row.factorIdentity, row.factorUUID)),
    write: ({ factorUUID, factorIdentity, factorTOTPBindingSecret: sealed }, secret) =>
      db
        .updateTable('totp_bindings')
        .set({ factorTOTPBindingSecret: keyring.seal('totp', secret, sealedFor(factorIdentity, factorUUID)) })
        .where('factorTOTPBindingFactorUUID', '=', factorUUID)
        .where('factorTOTPBindingSecret', '=', sealed)
        .execute(),
  })
}

import type { JWK } from 'jose'
import type { Db } from '../../db/schema.ts'
import type { Keyring, Resealed, SealedCount } from '../../keys/keyring.ts'
import { keyPrefix, resealRows } from '../../keys/resealing.ts'
import { limits } from '../../limits.ts'

/** A key that signs assertions. `privateJwk` is missing if no master key decrypts it. */
export type SigningKey = { number: number; id: string; publicJwk: JWK; privateJwk: JWK | undefined; active: number }

/** All keys that verifiers may need, the newest first. */
export const listKeys = async (db: Db, keyring: Keyring): Promise<SigningKey[]> => {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('signingKeyNumber', 'desc').execute()
  return rows.map(row => {
    const text = keyring.tryOpen('assertion', row.signingKeyPrivate, row.signingKeyId)
    return {
      number: row.signingKeyNumber,
      id: row.signingKeyId,
      publicJwk: JSON.parse(row.signingKeyPublic),
      privateJwk: text === undefined ? undefined : JSON.parse(text),
      active: row.signingKeyActive,
    }
  })
}

/**
 * Adds a key (ECDSA with P-256, RFC 7518 §3.4). Its id is its thumbprint (RFC 7638).
 * @param seen the newest key the caller knows
 * @param active when servers begin to sign with it
 * @returns false if a key newer than `seen` exists: another process added one at the same time
 */
export const addKey = async (
  db: Db,
  keyring: Keyring,
  { seen, now, active }: { seen: SigningKey | undefined; now: number; active: number },
): Promise<boolean> => {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const signingKeyId = await calculateJwkThumbprint(publicJwk)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('signing_keys')
    .values({
      signingKeyNumber: (seen?.number ?? 0) + 1,
      signingKeyId,
      signingKeyPublic: JSON.stringify(publicJwk),
      signingKeyPrivate: keyring.seal('assertion', JSON.stringify(await exportJWK(privateKey)), signingKeyId),
      signingKeyCreated: now,
      signingKeyActive: active,
    })
    .onConflict(c => c.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Removes all keys but the newest. Applications that load the key set again refuse assertions signed with the others. */
export const removeOldKeys = (db: Db) =>
  db
    .deleteFrom('signing_keys')
    .where('signingKeyNumber', '<', e => e.selectFrom('signing_keys').select(s => s.fn.max('signingKeyNumber').as('last')))
    .execute()

/** Removes keys whose successor has signed for so long that no assertion signed with them is valid and no application caches them. */
export const purge = (db: Db, now: number) =>
  db
    .deleteFrom('signing_keys')
    .where('signingKeyNumber', '<', e =>
      e
        .selectFrom('signing_keys')
        .select(s => s.fn.max('signingKeyNumber').as('last'))
        .where('signingKeyActive', '<=', now - limits.assertion.keyKept),
    )
    .execute()

const prefix = keyPrefix('signingKeyPrivate')

/** Counts keys by the master key that encrypts them. */
export const countByKey = (db: Db): Promise<SealedCount[]> =>
  db
    .selectFrom('signing_keys')
    .select(e => [prefix.as('prefix'), e.fn.countAll<number>().as('count')])
    .groupBy(prefix)
    .execute()

/** Encrypts private keys with the current master key. */
export const reseal = async (db: Db, keyring: Keyring, after: string, most: number): Promise<Resealed> => {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['signingKeyId', 'signingKeyPrivate'])
    .where(prefix, '!=', keyring.prefix())
    .where('signingKeyId', '>', after)
    .orderBy('signingKeyId')
    .limit(most)
    .execute()
  return resealRows(rows, {
    id: row => row.signingKeyId,
    owner: row => row.signingKeyId,
    open: row => keyring.tryOpen('assertion', row.signingKeyPrivate, row.signingKeyId),
    write: ({ signingKeyId, signingKeyPrivate: sealed }, key) =>
      db
        .updateTable('signing_keys')
        .set({ signingKeyPrivate: keyring.seal('assertion', key, signingKeyId) })
        .where('signingKeyId', '=', signingKeyId)
        .where('signingKeyPrivate', '=', sealed)
        .execute(),
  })
}

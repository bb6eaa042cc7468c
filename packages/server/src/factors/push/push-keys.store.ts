import { createECDH } from 'node:crypto'
import type { Db } from '../../db/schema.ts'
import type { Keyring, Resealed, SealedCount } from '../../keys/keyring.ts'
import { keyPrefix, resealRows } from '../../keys/resealing.ts'

/** The server has one key pair, because a push subscription is bound to it (RFC 8292 §4.1). */
const name = 'vapid'

/**
 * Creates the key pair that identifies the server to push services, if it does not exist.
 * @returns the public key, as browsers expect it
 */
export const ensurePushKeys = async (db: Db, keyring: Keyring): Promise<string> => {
  const there = await db.selectFrom('push_keys').select('pushKeyPublic').where('pushKeyName', '=', name).executeTakeFirst()
  if (there) return there.pushKeyPublic
  const pair = createECDH('prime256v1')
  const pushKeyPublic = pair.generateKeys().toString('base64url')
  // getPrivateKey omits leading zeros.
  const bytes = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  const pushKeyPrivate = keyring.seal('push', bytes.toString('base64url'), name)
  await db
    .insertInto('push_keys')
    .values({ pushKeyName: name, pushKeyPublic, pushKeyPrivate })
    .onConflict(c => c.doNothing())
    .execute()
  // Another server may have inserted its pair first.
  const { pushKeyPublic: kept } = await db
    .selectFrom('push_keys')
    .select('pushKeyPublic')
    .where('pushKeyName', '=', name)
    .executeTakeFirstOrThrow()
  return kept
}

/** Reads the key pair, without the private key if no master key decrypts it. */
export const readPushKeys = async (
  db: Db,
  keyring: Keyring,
): Promise<{ publicKey: string; privateKey: string | undefined } | undefined> => {
  const row = await db.selectFrom('push_keys').selectAll().where('pushKeyName', '=', name).executeTakeFirst()
  return row && { publicKey: row.pushKeyPublic, privateKey: keyring.tryOpen('push', row.pushKeyPrivate, name) }
}

const prefix = keyPrefix('pushKeyPrivate')

/** Counts key pairs by the master key that encrypts them. */
export const countKeysByKey = (db: Db): Promise<SealedCount[]> =>
  db
    .selectFrom('push_keys')
    .select(e => [prefix.as('prefix'), e.fn.countAll<number>().as('count')])
    .groupBy(prefix)
    .execute()

/** Encrypts the private key with the current master key. */
export const resealKeys = async (db: Db, keyring: Keyring, after: string): Promise<Resealed> => {
  const rows = await db
    .selectFrom('push_keys')
    .selectAll()
    .where(prefix, '!=', keyring.prefix())
    .where('pushKeyName', '>', after)
    .orderBy('pushKeyName')
    .limit(1)
    .execute()
  return resealRows(rows, {
    id: row => row.pushKeyName,
    owner: row => row.pushKeyName,
    open: row => keyring.tryOpen('push', row.pushKeyPrivate, row.pushKeyName),
    write: ({ pushKeyName, pushKeyPrivate: sealed }, key) =>
      db
        .updateTable('push_keys')
        .set({ pushKeyPrivate: keyring.seal('push', key, pushKeyName) })
        .where('pushKeyName', '=', pushKeyName)
        .where('pushKeyPrivate', '=', sealed)
        .execute(),
  })
}

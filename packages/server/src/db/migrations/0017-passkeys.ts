import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Engine, refuse } from '../refuse.ts'

/** Passkeys: a third type of factor, its keys, a random user handle for each user, and the challenges that were used. */
export const passkeys = (engine: Engine): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await (engine === 'sqlite' ? widenTypeOnSqlite(db) : widenTypeOnPostgres(db))
    await db.schema
      .alterTable('factors')
      .addColumn('factorOptional', 'integer', c => c.notNull().defaultTo(0).check(sql`"factorOptional" in (0, 1)`))
      .execute()
    await createPasskeys(db)
    await refuse(db, engine, {
      name: 'passkeys_stay',
      table: 'passkeys',
      on: 'update',
      when: `old."passkeyPublicKey" <> new."passkeyPublicKey" or old."passkeyUser" <> new."passkeyUser" or old."passkeyCredentialId" <> new."passkeyCredentialId"`,
      message: 'the key of a passkey stays the same',
    })
  },
})

const isKnownType = (column: string) => sql`${sql.ref(column)} in ('Passkey', 'Push', 'TOTP')`

/**
 * SQLite can't change a check constraint, so replace the column. Replacing the table would delete every row that references it, because
 * foreign keys stay on in a transaction.
 */
const widenTypeOnSqlite = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('factors')
    .addColumn('factorType', 'text', c => c.notNull().defaultTo('TOTP').check(isKnownType('factorType')))
    .execute()
  await sql`update factors set "factorType" = "factorFactorType"`.execute(db)
  await db.schema.alterTable('factors').dropColumn('factorFactorType').execute()
  await db.schema.alterTable('factors').renameColumn('factorType', 'factorFactorType').execute()
}

const widenTypeOnPostgres = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('factors').dropConstraint('factors_factorFactorType_check').execute()
  await db.schema.alterTable('factors').addCheckConstraint('factors_factorFactorType_check', isKnownType('factorFactorType')).execute()
}

const createPasskeys = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('passkeys')
    .addColumn('passkeyFactor', 'text', c => c.primaryKey().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('passkeyUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('passkeyCredentialId', 'text', c => c.notNull().unique())
    .addColumn('passkeyPublicKey', 'text', c => c.notNull())
    .addColumn('passkeyCounter', 'bigint', c => c.notNull())
    .addColumn('passkeyTransports', 'text', c => c.notNull())
    .addColumn('passkeyAaguid', 'text', c => c.notNull())
    .addColumn('passkeySynced', 'integer', c => c.notNull().check(sql`"passkeySynced" in (0, 1)`))
    .addColumn('passkeyRpId', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('passkeys_user').on('passkeys').column('passkeyUser').execute()
  await db.schema
    .createTable('passkey_handles')
    .addColumn('passkeyHandleUser', 'text', c => c.primaryKey().references('users.userId').onDelete('cascade'))
    .addColumn('passkeyHandle', 'text', c => c.notNull().unique())
    .execute()
  await db.schema
    .createTable('used_passkey_challenges')
    .addColumn('usedPasskeyChallengeHash', 'text', c => c.primaryKey())
    .addColumn('usedPasskeyChallengeExpires', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('used_passkey_challenges_expires')
    .on('used_passkey_challenges')
    .column('usedPasskeyChallengeExpires')
    .execute()
}

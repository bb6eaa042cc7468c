import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from '../refuse.ts'

/** For the administration page: the user list by address, and counted steps of sign-ins. */
export const administration = (engine: Engine): Migration => ({
  up: async (db: Kysely<unknown>) => {
    // Sort by bytes as SQLite does, so that the index finds addresses by their beginning and pages have a stable order.
    if (engine === 'postgres') await sql`alter table users alter column "userIdent" type text collate "C"`.execute(db)
    await db.schema
      .createIndex('users_forced_reset')
      .on('users')
      .column('userIdent')
      .where(sql.ref('userForcedReset'), '=', sql.lit(1))
      .execute()
    await db.schema.createIndex('failed_logins_ends').on('failed_logins').column('failedLoginLockExpires').execute()
    await db.schema.createIndex('failed_logins_attempts').on('failed_logins').column('failedLoginAttempts').execute()
    await db.schema
      .createIndex('factors_verified')
      .on('factors')
      .column('factorIdentity')
      .where(sql.ref('factorStatus'), '=', sql.lit('Verified'))
      .execute()
    await db.schema
      .createIndex('audit_signed_in')
      .on('audit')
      .columns(['auditTarget', 'auditAt'])
      .where(sql.ref('auditEvent'), '=', sql.lit('session-started'))
      .execute()
    await db.schema
      .createTable('audit_counts')
      .addColumn('auditCountFrom', 'bigint', c => c.notNull())
      .addColumn('auditCountEvent', 'text', c => c.notNull())
      .addColumn('auditCountResult', 'text', c => c.notNull())
      .addColumn('auditCountRows', 'integer', c => c.notNull())
      .addPrimaryKeyConstraint('audit_counts_key', ['auditCountFrom', 'auditCountEvent', 'auditCountResult'])
      .execute()
    await db.schema
      .createTable('audit_counted')
      .addColumn('auditCountedName', 'text', c => c.primaryKey())
      .addColumn('auditCountedUntil', 'bigint', c => c.notNull())
      .execute()
  },
})

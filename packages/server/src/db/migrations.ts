import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Migrations in the order of their names. One that was released is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-sign-in': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('users')
        .addColumn('userId', 'text', c => c.primaryKey())
        .addColumn('userIdent', 'text', c => c.notNull().unique())
        .addColumn('userPassword', 'text')
        .addColumn('userForcedReset', 'integer', c => c.notNull().defaultTo(0).check(sql`"userForcedReset" in (0, 1)`))
        .addColumn('userTZLabel', 'text', c => c.notNull())
        .addColumn('userAzureId', 'text', c => c.unique())
        .addColumn('userGoogleId', 'text', c => c.unique())
        .addColumn('userPakId', 'text', c => c.unique())
        .addColumn('userCreated', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('emails')
        .addColumn('emailEmail', 'text', c => c.primaryKey())
        .addColumn('emailUser', 'text', c => c.references('users.userId').onDelete('cascade'))
        .addColumn('emailVerkey', 'text')
        .execute()
      await db.schema.createIndex('emails_user').on('emails').column('emailUser').execute()
      await db.schema
        .createTable('failed_logins')
        .addColumn('failedLoginUserIdent', 'text', c => c.notNull())
        .addColumn('failedLoginBrowser', 'text', c => c.notNull())
        .addColumn('failedLoginAttempts', 'integer', c => c.notNull())
        .addColumn('failedLoginLockCreated', 'bigint')
        .addColumn('failedLoginLockExpires', 'bigint')
        .addColumn('failedLoginRefused', 'integer', c => c.notNull())
        .addColumn('failedLoginAllowed', 'integer', c => c.notNull().check(sql`"failedLoginAllowed" in (0, 1)`))
        .addPrimaryKeyConstraint('failed_logins_key', ['failedLoginUserIdent', 'failedLoginBrowser'])
        .execute()
      await db.schema.createIndex('failed_logins_browser').on('failed_logins').column('failedLoginBrowser').execute()
      await db.schema
        .createTable('known_browsers')
        .addColumn('browserHash', 'text', c => c.notNull())
        .addColumn('browserUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
        .addColumn('browserSignedIn', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('known_browsers_key', ['browserHash', 'browserUser'])
        .execute()
      await db.schema.createIndex('known_browsers_user').on('known_browsers').column('browserUser').execute()
      await db.schema
        .createTable('hand_overs')
        .addColumn('authTokenSelector', 'text', c => c.primaryKey())
        .addColumn('authTokenHash', 'text', c => c.notNull())
        .addColumn('authTokenUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
        .addColumn('authTokenExpires', 'bigint', c => c.notNull())
        .addColumn('handOverBinding', 'text', c => c.notNull())
        .addColumn('handOverExchanged', 'bigint')
        .addColumn('handOverArrived', 'bigint')
        .execute()
      await db.schema.createIndex('hand_overs_user').on('hand_overs').column('authTokenUser').execute()
      await db.schema.createIndex('hand_overs_expires').on('hand_overs').column('authTokenExpires').execute()
      await db.schema
        .createTable('sessions')
        .addColumn('sessionSelector', 'text', c => c.primaryKey())
        .addColumn('sessionHash', 'text', c => c.notNull())
        .addColumn('sessionUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
        .addColumn('sessionCreated', 'bigint', c => c.notNull())
        .addColumn('sessionSeen', 'bigint', c => c.notNull())
        .addColumn('sessionExpires', 'bigint', c => c.notNull())
        .addColumn('sessionUserAgent', 'text', c => c.notNull())
        .addColumn('sessionAddress', 'text', c => c.notNull())
        .execute()
      await db.schema.createIndex('sessions_user').on('sessions').columns(['sessionUser', 'sessionCreated']).execute()
      await db.schema
        .createTable('audit')
        .addColumn('auditId', 'text', c => c.primaryKey())
        .addColumn('auditAt', 'bigint', c => c.notNull())
        .addColumn('auditEvent', 'text', c => c.notNull())
        .addColumn('auditActor', 'text')
        .addColumn('auditTarget', 'text')
        .addColumn('auditResult', 'text', c => c.notNull())
        .addColumn('auditAddress', 'text')
        .addColumn('auditUserAgent', 'text')
        .addColumn('auditRequestId', 'text')
        .execute()
      await db.schema.createIndex('audit_at').on('audit').column('auditAt').execute()
      await db.schema.createIndex('audit_target').on('audit').columns(['auditTarget', 'auditAt']).execute()
    },
  },
}

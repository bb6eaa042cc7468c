import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Engine, refuse } from '../refuse.ts'

/** Second factors and their challenges, mailed links, the outbox, and an append-only audit. */
export const factorsAndMail = (engine: Engine): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('hand_overs').addColumn('handOverFactor', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('sessionFactor', 'text').execute()
    await db.schema.alterTable('failed_logins').addColumn('failedLoginCounted', 'bigint').execute()
    await db.schema.createIndex('failed_logins_counted').on('failed_logins').column('failedLoginCounted').execute()
    await db.schema.createIndex('failed_logins_locked').on('failed_logins').column('failedLoginLockCreated').execute()
    await db.schema.createIndex('sessions_expires').on('sessions').column('sessionExpires').execute()
    await db.schema
      .alterTable('users')
      .addColumn('userPasswordByMail', 'integer', c => c.notNull().defaultTo(0).check(sql`"userPasswordByMail" in (0, 1)`))
      .execute()
    await createFactors(db)
    await createChallenges(db)
    await createCodeTables(db)
    await createMailTables(db)
    await refuse(db, engine, {
      name: 'factors_forward',
      table: 'factors',
      on: 'update',
      when: `old."factorStatus" = 'Verified' and new."factorStatus" <> 'Verified'`,
      message: 'a verified factor stays verified',
    })
    await refuse(db, engine, {
      name: 'challenges_final',
      table: 'challenges',
      on: 'update',
      when: `old."challengeStatus" <> 'Pending'`,
      message: 'a challenge that was decided stays as it is',
    })
    for (const on of ['update', 'delete', 'truncate'] as const)
      await refuse(db, engine, { name: `audit_no_${on}`, table: 'audit', on, when: '1 = 1', message: 'the audit only grows' })
  },
})

const createFactors = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('factors')
    .addColumn('factorUUID', 'text', c => c.primaryKey())
    .addColumn('factorIdentity', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('factorFriendlyName', 'text', c => c.notNull())
    .addColumn('factorStatus', 'text', c => c.notNull().check(sql`"factorStatus" in ('Unverified', 'Verified')`))
    .addColumn('factorFactorType', 'text', c => c.notNull().check(sql`"factorFactorType" in ('Push', 'TOTP')`))
    .addColumn('factorDateCreated', 'bigint', c => c.notNull())
    .addColumn('factorDateVerified', 'bigint')
    .addColumn('factorDateLastUsed', 'bigint')
    .addColumn('factorExpires', 'bigint')
    .addColumn('factorReplaces', 'integer', c => c.notNull().check(sql`"factorReplaces" in (0, 1)`))
    .addColumn('factorWrongCodes', 'integer', c => c.notNull())
    .addCheckConstraint('factors_verified', sql`("factorStatus" = 'Verified') = ("factorDateVerified" is not null)`)
    .addCheckConstraint('factors_expire', sql`("factorStatus" = 'Unverified') = ("factorExpires" is not null)`)
    .execute()
  await db.schema.createIndex('factors_identity').on('factors').column('factorIdentity').execute()
  await db.schema.createIndex('factors_expires').on('factors').column('factorExpires').execute()
  await db.schema
    .createTable('totp_bindings')
    .addColumn('factorTOTPBindingFactorUUID', 'text', c => c.primaryKey().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('factorTOTPBindingSecret', 'text', c => c.notNull())
    .addColumn('factorTOTPBindingAlg', 'text', c => c.notNull().check(sql`"factorTOTPBindingAlg" = 'SHA1'`))
    .addColumn('factorTOTPBindingLastStep', 'bigint', c => c.notNull())
    .execute()
}

const createChallenges = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('challenges')
    .addColumn('challengeUUID', 'text', c => c.primaryKey())
    .addColumn('challengeIdentity', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('challengeFactorUUID', 'text', c => c.notNull().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('challengeDateCreated', 'bigint', c => c.notNull())
    .addColumn('challengeDateUpdated', 'bigint', c => c.notNull())
    .addColumn('challengeDateResponded', 'bigint')
    .addColumn('challengeExpires', 'bigint', c => c.notNull())
    .addColumn('challengeStatus', 'text', c => c.notNull().check(sql`"challengeStatus" in ('Pending', 'Approved', 'Denied', 'Expired')`))
    .addColumn('challengeRespondedReason', 'text', c =>
      c
        .notNull()
        .check(
          sql`"challengeRespondedReason" in ('ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode', 'WrongFactorType')`,
        ),
    )
    .addColumn('challengeFactorType', 'text', c => c.notNull().check(sql`"challengeFactorType" in ('Push', 'TOTP')`))
    .addCheckConstraint('challenges_responded', sql`("challengeStatus" in ('Pending', 'Expired')) = ("challengeDateResponded" is null)`)
    .execute()
  // Each user has at most one open challenge.
  await db.schema
    .createIndex('challenges_open')
    .unique()
    .on('challenges')
    .column('challengeIdentity')
    .where(sql.ref('challengeStatus'), '=', sql.lit('Pending'))
    .execute()
  await db.schema.createIndex('challenges_factor').on('challenges').column('challengeFactorUUID').execute()
  await db.schema.createIndex('challenges_updated').on('challenges').column('challengeDateUpdated').execute()
}

const createCodeTables = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('failed_codes')
    .addColumn('failedCodeUser', 'text', c => c.primaryKey().references('users.userId').onDelete('cascade'))
    .addColumn('failedCodeAttempts', 'integer', c => c.notNull())
    .addColumn('failedCodePausedUntil', 'bigint')
    .addColumn('failedCodeAllowed', 'integer', c => c.notNull().check(sql`"failedCodeAllowed" in (0, 1)`))
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('recoveryCodeUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('recoveryCodeHash', 'text', c => c.notNull())
    .addColumn('recoveryCodeCreated', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['recoveryCodeUser', 'recoveryCodeHash'])
    .execute()
  await db.schema
    .createTable('skips')
    .addColumn('skipUser', 'text', c => c.primaryKey().references('users.userId').onDelete('cascade'))
    .addColumn('skipCount', 'integer', c => c.notNull())
    .addColumn('skipFirst', 'bigint', c => c.notNull())
    .execute()
}

const createMailTables = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('tickets')
    .addColumn('ticketSelector', 'text', c => c.primaryKey())
    .addColumn('ticketHash', 'text', c => c.notNull())
    .addColumn('ticketUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('ticketExpires', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('tickets_user').on('tickets').column('ticketUser').execute()
  await db.schema.createIndex('tickets_expires').on('tickets').column('ticketExpires').execute()
  await db.schema
    .createTable('mail_links')
    .addColumn('mailLinkSelector', 'text', c => c.primaryKey())
    .addColumn('mailLinkHash', 'text', c => c.notNull())
    .addColumn('mailLinkKind', 'text', c =>
      c.notNull().check(sql`"mailLinkKind" in ('OneTimeLink', 'PasswordReset', 'FactorReset', 'EmailChange')`),
    )
    .addColumn('mailLinkUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    // A link outlives its factor, because quotas count links.
    .addColumn('mailLinkFactor', 'text', c => c.references('factors.factorUUID').onDelete('set null'))
    .addColumn('mailLinkEmail', 'text')
    .addColumn('mailLinkCreated', 'bigint', c => c.notNull())
    .addColumn('mailLinkExpires', 'bigint', c => c.notNull())
    .addColumn('mailLinkUsed', 'bigint')
    .execute()
  await db.schema.createIndex('mail_links_user').on('mail_links').columns(['mailLinkUser', 'mailLinkKind', 'mailLinkCreated']).execute()
  await db.schema.createIndex('mail_links_factor').on('mail_links').column('mailLinkFactor').execute()
  await db.schema.createIndex('mail_links_expires').on('mail_links').column('mailLinkExpires').execute()
  await db.schema
    .createTable('outbox')
    .addColumn('mailId', 'text', c => c.primaryKey())
    .addColumn('mailContent', 'text', c => c.notNull())
    .addColumn('mailCreated', 'bigint', c => c.notNull())
    .addColumn('mailExpires', 'bigint', c => c.notNull())
    .addColumn('mailAttempts', 'integer', c => c.notNull())
    .addColumn('mailNext', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('outbox_next').on('outbox').column('mailNext').execute()
  await db.schema
    .createTable('notices')
    .addColumn('noticeUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('noticeKind', 'text', c => c.notNull())
    .addColumn('noticeAt', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('notices_key', ['noticeUser', 'noticeKind'])
    .execute()
}

import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Engine, refuse } from '../refuse.ts'

/** Phone approvals: keys, challenges, waiting browsers and push notifications. */
export const push = (engine: Engine): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await addToChallenges(db)
    await createBindings(db)
    await createWaits(db)
    await createWakes(db)
    await refuse(db, engine, {
      name: 'push_bindings_stay',
      table: 'push_bindings',
      on: 'update',
      when: `old."factorPushBindingPublicKey" <> new."factorPushBindingPublicKey" or old."factorPushBindingFactorUUID" <> new."factorPushBindingFactorUUID"`,
      message: 'the key of a factor stays the same',
    })
  },
})

const addToChallenges = async (db: Kysely<unknown>) => {
  // The number that the browser shows. Only challenges of phones have one.
  await db.schema
    .alterTable('challenges')
    .addColumn('challengeNumber', 'text', c =>
      c.check(sql`("challengeNumber" is not null and length("challengeNumber") = 6) = ("challengeFactorType" = 'Push')`),
    )
    .execute()
  await db.schema
    .alterTable('challenges')
    .addColumn('challengeEnrols', 'integer', c => c.notNull().defaultTo(0).check(sql`"challengeEnrols" in (0, 1)`))
    .execute()
  await db.schema.alterTable('challenges').addColumn('challengeAddress', 'text').execute()
  await db.schema.alterTable('challenges').addColumn('challengeUserAgent', 'text').execute()
  await db.schema
    .createIndex('challenges_expire')
    .on('challenges')
    .column('challengeExpires')
    .where(sql.ref('challengeStatus'), '=', sql.lit('Pending'))
    .execute()
}

const createBindings = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('push_bindings')
    .addColumn('factorPushBindingFactorUUID', 'text', c => c.primaryKey().references('factors.factorUUID').onDelete('cascade'))
    // A key belongs to one factor.
    .addColumn('factorPushBindingPublicKey', 'text', c => c.notNull().unique())
    .addColumn('factorPushBindingAlg', 'text', c => c.notNull().check(sql`"factorPushBindingAlg" = 'ES256'`))
    .addColumn('factorPushBindingTopic', 'text', c => c.notNull().unique())
    .execute()
  await db.schema
    .createTable('push_enrolments')
    .addColumn('pushEnrolmentSelector', 'text', c => c.primaryKey())
    .addColumn('pushEnrolmentHash', 'text', c => c.notNull())
    .addColumn('pushEnrolmentFactor', 'text', c => c.notNull().unique().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('pushEnrolmentExpires', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_enrolments_expires').on('push_enrolments').column('pushEnrolmentExpires').execute()
}

const createWaits = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('push_waits')
    .addColumn('pushWaitBinding', 'text', c => c.primaryKey())
    .addColumn('pushWaitUser', 'text', c => c.notNull().references('users.userId').onDelete('cascade'))
    .addColumn('pushWaitTicket', 'text', c => c.notNull())
    // No foreign key: a browser that sent too many requests waits for a challenge that doesn't exist.
    .addColumn('pushWaitChallenge', 'text', c => c.notNull().unique())
    .addColumn('pushWaitExpires', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_waits_user').on('push_waits').column('pushWaitUser').execute()
  await db.schema.createIndex('push_waits_expires').on('push_waits').column('pushWaitExpires').execute()
  await db.schema
    .createTable('push_counts')
    .addColumn('pushCountUser', 'text', c => c.primaryKey().references('users.userId').onDelete('cascade'))
    .addColumn('pushCountLast', 'bigint')
    .addColumn('pushCountSecondLast', 'bigint')
    .addColumn('pushCountThirdLast', 'bigint')
    .addColumn('pushCountSinceSuccess', 'integer', c => c.notNull())
    .addColumn('pushCountDenied', 'integer', c => c.notNull())
    .addColumn('pushCountUnanswered', 'integer', c => c.notNull())
    .addColumn('pushCountPausedUntil', 'bigint')
    .addColumn('pushCountAllowed', 'integer', c => c.notNull().check(sql`"pushCountAllowed" in (0, 1)`))
    .execute()
}

const createWakes = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('pushSubscriptionFactor', 'text', c => c.primaryKey().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('pushSubscriptionEndpoint', 'text', c => c.notNull())
    .addColumn('pushSubscriptionP256dh', 'text', c => c.notNull())
    .addColumn('pushSubscriptionAuth', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('push_wakes')
    .addColumn('pushWakeFactor', 'text', c => c.primaryKey().references('factors.factorUUID').onDelete('cascade'))
    .addColumn('pushWakeChallenge', 'text', c => c.notNull().references('challenges.challengeUUID').onDelete('cascade'))
    .addColumn('pushWakeExpires', 'bigint', c => c.notNull())
    .addColumn('pushWakeAttempts', 'integer', c => c.notNull())
    .addColumn('pushWakeNext', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_wakes_next').on('push_wakes').column('pushWakeNext').execute()
  await db.schema.createIndex('push_wakes_challenge').on('push_wakes').column('pushWakeChallenge').execute()
  await db.schema
    .createTable('push_keys')
    .addColumn('pushKeyName', 'text', c => c.primaryKey())
    .addColumn('pushKeyPublic', 'text', c => c.notNull())
    .addColumn('pushKeyPrivate', 'text', c => c.notNull())
    .execute()
}

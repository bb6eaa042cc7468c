import { sql } from 'kysely'
import type { Db, Row } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import type { PushSubscription } from './push.ts'

const whole = (n: number) => sql<number>`cast(${n} as bigint)`
const text = (value: string) => sql<string>`cast(${value} as text)`

/** Queues a notification for each phone of a user. It replaces a notification of an older challenge. */
export const queueWakes = async (
  db: Db,
  userId: string,
  { challengeUUID, challengeExpires }: Pick<Row<'challenges'>, 'challengeUUID' | 'challengeExpires'>,
  now: number,
): Promise<void> => {
  await db
    .insertInto('push_wakes')
    .columns(['pushWakeFactor', 'pushWakeChallenge', 'pushWakeExpires', 'pushWakeAttempts', 'pushWakeNext'])
    .expression(e =>
      e
        .selectFrom('factors')
        .select([
          'factorUUID',
          text(challengeUUID).as('challenge'),
          whole(challengeExpires).as('expires'),
          sql<number>`0`.as('attempts'),
          whole(now).as('next'),
        ])
        .where('factorIdentity', '=', userId)
        .where('factorStatus', '=', 'Verified')
        .where('factorFactorType', '=', 'Push'),
    )
    .onConflict(c =>
      c.column('pushWakeFactor').doUpdateSet({
        pushWakeChallenge: challengeUUID,
        pushWakeExpires: challengeExpires,
        pushWakeAttempts: 0,
        pushWakeNext: now,
      }),
    )
    .execute()
}

/**
 * Stores a phone's push subscription.
 * @returns false if the phone was removed
 */
export const subscribe = async (db: Db, pushSubscriptionFactor: string, { endpoint, keys }: PushSubscription): Promise<boolean> => {
  const subscription = {
    pushSubscriptionEndpoint: endpoint,
    pushSubscriptionP256dh: keys.p256dh,
    pushSubscriptionAuth: keys.auth,
  }
  const row = await db
    .insertInto('push_subscriptions')
    .columns(['pushSubscriptionFactor', 'pushSubscriptionEndpoint', 'pushSubscriptionP256dh', 'pushSubscriptionAuth'])
    .expression(e =>
      e
        .selectFrom('push_bindings')
        .select(['factorPushBindingFactorUUID', text(endpoint).as('endpoint'), text(keys.p256dh).as('p256dh'), text(keys.auth).as('auth')])
        .where('factorPushBindingFactorUUID', '=', pushSubscriptionFactor),
    )
    .onConflict(c => c.column('pushSubscriptionFactor').doUpdateSet(subscription))
    .returning('pushSubscriptionFactor')
    .executeTakeFirst()
  return row !== undefined
}

export const unsubscribe = async (db: Db, pushSubscriptionFactor: string): Promise<void> => {
  await db.deleteFrom('push_subscriptions').where('pushSubscriptionFactor', '=', pushSubscriptionFactor).execute()
}

/** A phone whose notification is due. */
export type Wake = {
  factorUUID: string
  challengeUUID: string
  topic: string
  attempts: number
  /** When the lease of the server that claimed it ends. */
  leased: number
  subscription: PushSubscription | undefined
  /** The languages of the phone's owner. */
  reader: Pick<Row<'users'>, 'userLanguage' | 'userLastLanguage'>
}

/**
 * Claims due notifications in one statement, so that two servers never claim the same notification. If this server stops, another claims
 * them after the lease. First deletes notifications of challenges that are over.
 */
export const claim = async (db: Db, now: number, most: number): Promise<{ taken: number; rows: Wake[] }> => {
  // Usually nothing is due, and a read costs less than a write that changes nothing.
  const due = await db.selectFrom('push_wakes').select('pushWakeFactor').where('pushWakeNext', '<=', now).limit(1).executeTakeFirst()
  if (!due) return { taken: 0, rows: [] }
  await db
    .deleteFrom('push_wakes')
    .where('pushWakeNext', '<=', now)
    .where(e =>
      e.or([
        e('pushWakeExpires', '<=', now),
        e(
          'pushWakeChallenge',
          'in',
          e
            .selectFrom('challenges')
            .select('challengeUUID')
            .where('challengeStatus', '!=', 'Pending')
            .whereRef('challengeUUID', '=', 'pushWakeChallenge'),
        ),
      ]),
    )
    .execute()
  const claimed = await db
    .updateTable('push_wakes')
    .set(e => ({ pushWakeNext: now + limits.wake.lease, pushWakeAttempts: e('pushWakeAttempts', '+', 1) }))
    .where('pushWakeNext', '<=', now)
    .where('pushWakeFactor', 'in', e =>
      e.selectFrom('push_wakes').select('pushWakeFactor').where('pushWakeNext', '<=', now).orderBy('pushWakeNext').limit(most),
    )
    .returningAll()
    .execute()
  if (claimed.length === 0) return { taken: 0, rows: [] }
  const devices = await db
    .selectFrom('push_bindings')
    .innerJoin('factors', 'factorUUID', 'factorPushBindingFactorUUID')
    .innerJoin('users', 'userId', 'factorIdentity')
    .leftJoin('push_subscriptions', 'pushSubscriptionFactor', 'factorPushBindingFactorUUID')
    .select(['factorPushBindingFactorUUID', 'factorPushBindingTopic'])
    .select(['pushSubscriptionEndpoint', 'pushSubscriptionP256dh', 'pushSubscriptionAuth'])
    .select(['userLanguage', 'userLastLanguage'])
    .where(
      'factorPushBindingFactorUUID',
      'in',
      claimed.map(row => row.pushWakeFactor),
    )
    .execute()
  const rows = claimed.flatMap(row => {
    const device = devices.find(one => one.factorPushBindingFactorUUID === row.pushWakeFactor)
    if (!device) return []
    const { pushSubscriptionEndpoint: endpoint, pushSubscriptionP256dh: p256dh, pushSubscriptionAuth: auth } = device
    const { userLanguage, userLastLanguage } = device
    return {
      factorUUID: row.pushWakeFactor,
      challengeUUID: row.pushWakeChallenge,
      topic: device.factorPushBindingTopic,
      attempts: row.pushWakeAttempts,
      leased: row.pushWakeNext,
      subscription: endpoint === null || p256dh === null || auth === null ? undefined : { endpoint, keys: { p256dh, auth } },
      reader: { userLanguage, userLastLanguage },
    }
  })
  return { taken: claimed.length, rows }
}

/** Undoes the attempts that the claim counted, and keeps the leases. */
export const hold = async (db: Db, wakes: readonly Wake[]): Promise<void> => {
  for (const { factorUUID, challengeUUID } of wakes) {
    await db
      .updateTable('push_wakes')
      .set(e => ({ pushWakeAttempts: e('pushWakeAttempts', '-', 1) }))
      .where('pushWakeAttempts', '>', 0)
      .where('pushWakeFactor', '=', factorUUID)
      .where('pushWakeChallenge', '=', challengeUUID)
      .execute()
  }
}

/** Renews the lease of a notification and counts an attempt. `undefined` if another server claimed it or a newer challenge replaced it. */
export const renew = async (db: Db, wake: Wake, now: number): Promise<Wake | undefined> => {
  const leased = now + limits.wake.lease
  const row = await db
    .updateTable('push_wakes')
    .set(e => ({ pushWakeNext: leased, pushWakeAttempts: e('pushWakeAttempts', '+', 1) }))
    .where('pushWakeFactor', '=', wake.factorUUID)
    .where('pushWakeChallenge', '=', wake.challengeUUID)
    .where('pushWakeNext', '=', wake.leased)
    .where('pushWakeExpires', '>', now)
    .returning('pushWakeAttempts')
    .executeTakeFirst()
  return row && { ...wake, attempts: row.pushWakeAttempts, leased }
}

/** Ends leases, so that any server can notify these phones at once. */
export const release = async (db: Db, wakes: readonly Wake[], now: number): Promise<void> => {
  for (const { factorUUID, challengeUUID, leased } of wakes) {
    await db
      .updateTable('push_wakes')
      .set({ pushWakeNext: now })
      .where('pushWakeFactor', '=', factorUUID)
      .where('pushWakeChallenge', '=', challengeUUID)
      .where('pushWakeNext', '=', leased)
      .execute()
  }
}

type Claimed = Pick<Wake, 'factorUUID' | 'challengeUUID' | 'attempts'>

/** Deletes a notification that was delivered or cannot be delivered. Keeps one for a newer challenge. */
export const remove = async (db: Db, { factorUUID, challengeUUID }: Claimed): Promise<void> => {
  await db.deleteFrom('push_wakes').where('pushWakeFactor', '=', factorUUID).where('pushWakeChallenge', '=', challengeUUID).execute()
}

/** Schedules a failed notification again. */
export const postpone = async (db: Db, { factorUUID, challengeUUID, attempts }: Claimed, now: number): Promise<void> => {
  await db
    .updateTable('push_wakes')
    .set({ pushWakeNext: now + limits.wake.wait * 2 ** (attempts - 1) })
    .where('pushWakeFactor', '=', factorUUID)
    .where('pushWakeChallenge', '=', challengeUUID)
    .execute()
}

/** After the clock was set back, shortens the lifetime of notifications that would outlive a new challenge, and makes them due now. */
export const rebase = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('push_wakes')
    .set({ pushWakeNext: now, pushWakeExpires: now + limits.push.lifetime })
    .where('pushWakeExpires', '>', now + limits.push.lifetime + limits.clockSkew.step)
    .execute()
}

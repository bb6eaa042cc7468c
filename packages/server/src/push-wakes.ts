import { sql } from 'kysely'
import type { Db, Row } from './db/schema.ts'
import type { PushSubscription } from './push.ts'

const whole = (n: number) => sql<number>`cast(${n} as bigint)`
const text = (value: string) => sql<string>`cast(${value} as text)`

/** All devices of a user are to be woken for a challenge. One that was to be woken for an older one is woken once. */
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

/** From now on messages reach the device there. @returns whether the device is there still */
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

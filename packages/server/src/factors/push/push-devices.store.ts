import { randomBytes } from 'node:crypto'
import type { Permit } from '../../credentials/credential-rules.ts'
import type { Db, Row } from '../../db/schema.ts'
import { hashSecret, randomSecret } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'

/**
 * Issues the one-time link that enrolls a phone.
 * @returns selector and token, for the link's fragment
 */
export const issueEnrolment = async (db: Db, pushEnrolmentFactor: string, now: number): Promise<{ fragment: string; expires: number }> => {
  const [selector, token] = [randomSecret(128), randomSecret(256)]
  const expires = now + limits.push.enrolment
  await db
    .insertInto('push_enrolments')
    .values({
      pushEnrolmentSelector: selector,
      pushEnrolmentHash: hashSecret(token),
      pushEnrolmentFactor,
      pushEnrolmentExpires: expires,
    })
    .execute()
  return { fragment: `${selector}.${token}`, expires }
}

/** Finds the user of an enrollment link by its selector. Does not check the token. */
export const findEnrolmentOwner = async (db: Db, selector: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('push_enrolments')
      .innerJoin('factors', 'factorUUID', 'pushEnrolmentFactor')
      .select('factorIdentity')
      .where('pushEnrolmentSelector', '=', selector)
      .executeTakeFirst()
  )?.factorIdentity

/**
 * Redeems the link.
 * @returns its factor
 */
export const redeemEnrolment = async (db: Db, claim: { selector: string; token: string }, now: number): Promise<string | undefined> =>
  (
    await db
      .deleteFrom('push_enrolments')
      .where('pushEnrolmentSelector', '=', claim.selector)
      .where('pushEnrolmentHash', '=', hashSecret(claim.token))
      .where('pushEnrolmentExpires', '>', now)
      .returning('pushEnrolmentFactor')
      .executeTakeFirst()
  )?.pushEnrolmentFactor

/**
 * Binds a factor to a phone's key.
 * @returns false if another factor has the key
 */
export const bindPush = async (
  { tx }: Permit<'enroll-phone'>,
  factorPushBindingFactorUUID: string,
  factorPushBindingPublicKey: string,
): Promise<boolean> =>
  (await tx
    .insertInto('push_bindings')
    .values({
      factorPushBindingFactorUUID,
      factorPushBindingPublicKey,
      factorPushBindingAlg: 'ES256',
      factorPushBindingTopic: `gatehouse-${randomBytes(16).toString('base64url')}`,
    })
    .onConflict(c => c.doNothing())
    .returning('factorPushBindingFactorUUID')
    .executeTakeFirst()) !== undefined

/** A phone: a factor, its key, and its owner. */
export type Device = Pick<Row<'factors'>, 'factorUUID' | 'factorIdentity' | 'factorFriendlyName' | 'factorStatus'> &
  Omit<Row<'push_bindings'>, 'factorPushBindingFactorUUID'> &
  Pick<Row<'users'>, 'userIdent' | 'userTZLabel'> & { subscribed: boolean }

/** The phones of these factors that still exist. */
export const listDevices = async (db: Db, factorUUIDs: readonly string[], now: number): Promise<Device[]> => {
  const rows = await db
    .selectFrom('push_bindings')
    .innerJoin('factors', 'factorUUID', 'factorPushBindingFactorUUID')
    .innerJoin('users', 'userId', 'factorIdentity')
    .leftJoin('push_subscriptions', 'pushSubscriptionFactor', 'factorUUID')
    .select(['factorUUID', 'factorIdentity', 'factorFriendlyName', 'factorStatus', 'userIdent', 'userTZLabel'])
    .select(['factorPushBindingPublicKey', 'factorPushBindingAlg', 'factorPushBindingTopic', 'pushSubscriptionFactor'])
    .where('factorUUID', 'in', factorUUIDs)
    .where(e => e.or([e('factorExpires', 'is', null), e('factorExpires', '>', now)]))
    .execute()
  return rows.map(({ pushSubscriptionFactor, ...device }) => ({ ...device, subscribed: pushSubscriptionFactor !== null }))
}

export const findDevice = async (db: Db, factorUUID: string, now: number): Promise<Device | undefined> =>
  (await listDevices(db, [factorUUID], now))[0]

/** The user's verified phones, the most recently used first. */
export const listVerifiedPush = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('factors')
    .select('factorUUID')
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .where('factorFactorType', '=', 'Push')
    .orderBy(e => e.fn.coalesce('factorDateLastUsed', e.lit(0)), 'desc')
    .orderBy('factorUUID')
    .execute()
  return rows.map(row => row.factorUUID)
}

/** Deletes expired links. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('push_enrolments').where('pushEnrolmentExpires', '<=', now).execute()
}

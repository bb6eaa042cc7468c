import {
  approverRoutes,
  type PendingChallenge,
  type PushEnrolment,
  type PushEnrolmentRequest,
  type PushPending,
  type PushProofRequest,
  type PushSubscribeRequest,
  pushSubscription,
} from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../../audit/audit-events.ts'
import { BadInput } from '../../bad-input.ts'
import type { ChangeEvents } from '../../change-events.ts'
import type { Db, Row, Tables } from '../../db/schema.ts'
import type { Mail } from '../../mail/mail.ts'
import * as mailLinks from '../../mail-links/mail-links.store.ts'
import { revokeAll } from '../../sessions/access-revocation.ts'
import * as accounts from '../../users/users.store.ts'
import { deviceOf } from '../../visitors/device.ts'
import { placeOf } from '../../visitors/place.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { demand } from '../credential-permits.ts'
import { freeName, nameOf } from '../factor-name.ts'
import * as factors from '../factors.store.ts'
import { removeRecoveryCodes } from '../recovery-codes.store.ts'
import type { DeviceProof, DeviceRefusal } from './device-proof.ts'
import { isDeviceKey, type PushSubscription } from './push.ts'
import { concerns, listPendingPush } from './push-challenges.ts'
import * as pushFactors from './push-devices.store.ts'
import * as pushWakes from './push-wakes.store.ts'

class KeyTaken extends Error {}

/** Handles enrolled phones: enrollment, pending challenges, push subscriptions, removal. */
export const createApprover = (deps: {
  db: Kysely<Tables>
  proof: DeviceProof
  mail: Mail
  changes: ChangeEvents
  /** The public URL's origin. Every signed text contains it. */
  origin: string
  productName: string
  /** The push notification channels that phones can use. */
  wake: { webPushKey: string; ntfy: string | undefined; gotify: string | undefined }
  /** Whether a subscription belongs to a push service that the server may send to. */
  isEndpoint: (subscription: PushSubscription) => boolean
  /** Whether a user may remove the last second factor. */
  mayBeWithout: (userIdent: string) => boolean
  now: () => number
}) => {
  const { db, changes, origin, now } = deps
  const { prove } = deps.proof

  const note = (tx: Db, event: AuditEvent, result: AuditResult, userId: string, visitor: Visitor | undefined) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** Binds a phone's key to the factor that the link was issued for. */
  const enrol = async (request: PushEnrolmentRequest, visitor: Visitor): Promise<PushEnrolment | 'gone' | 'taken'> => {
    if (!isDeviceKey(request.publicKey)) throw new BadInput('publicKey: expected a key of P-256 as SPKI in base64url')
    const name = request.friendlyName.trim() === '' ? undefined : nameOf(request.friendlyName, 'friendlyName')
    const enrolled = db.transaction().execute(async (tx): Promise<PushEnrolment | 'gone'> => {
      // Lock the account first, as every change of factors does.
      const owner = await pushFactors.findEnrolmentOwner(tx, request.selector)
      const account = owner === undefined ? undefined : await accounts.lockAccount(tx, owner)
      const factorUUID = account && (await pushFactors.redeemEnrolment(tx, request, now()))
      const factor = factorUUID === undefined ? undefined : await factors.prolong(tx, factorUUID, now())
      if (!factor || !account) return 'gone'
      if (!(await pushFactors.bindPush(await demand(tx, account, 'enroll-phone', { phone: true }), factor.factorUUID, request.publicKey)))
        throw new KeyTaken()
      // Phones of the same make send the same name, and names must be unique. Add a number here.
      const taken = async () => (await factors.listNamed(tx, account.userId)).map(other => other.factorFriendlyName)
      if (name !== undefined) await factors.nameUnverified(tx, factor.factorUUID, freeName(name, await taken()))
      await note(tx, 'push-enrolled', 'successful', account.userId, visitor)
      return {
        factorUUID: factor.factorUUID,
        userId: account.userId,
        username: account.userIdent,
        origin,
        productName: deps.productName,
      }
    })
    const outcome = await enrolled.catch((error: unknown) => {
      if (error instanceof KeyTaken) return 'taken' as const
      throw error
    })
    changes.publish()
    return outcome
  }

  const asPending = (challenge: Row<'challenges'>, device: pushFactors.Device, here: string): PendingChallenge => ({
    challengeUUID: challenge.challengeUUID,
    challengeDateCreated: new Date(Number(challenge.challengeDateCreated)).toISOString(),
    challengeExpires: new Date(Number(challenge.challengeExpires)).toISOString(),
    username: device.userIdent,
    from: {
      address: challenge.challengeAddress ?? '',
      place: placeOf(challenge.challengeAddress ?? '', here),
      ...deviceOf(challenge.challengeUserAgent ?? ''),
    },
    isEnrolment: challenge.challengeEnrols === 1,
  })

  /**
   * Finds the open challenge of each phone. The result omits phones that were removed.
   * @param seen the client address of each phone, by factor
   */
  const findPending = async (seen: ReadonlyMap<string, string>): Promise<Map<string, PendingChallenge | null>> => {
    const devices = await pushFactors.listDevices(db, [...seen.keys()], now())
    const asked = devices.length > 0 ? await listPendingPush(db, [...new Set(devices.map(one => one.factorIdentity))], now()) : []
    return new Map(
      devices.map(device => {
        const challenge = asked.find(one => concerns(one, device))
        return [device.factorUUID, challenge ? asPending(challenge, device, seen.get(device.factorUUID) ?? '') : null]
      }),
    )
  }

  const pending = async (proof: PushProofRequest, visitor: Visitor): Promise<PushPending | DeviceRefusal> => {
    const { webPushKey, ntfy, gotify } = deps.wake
    const device = await prove(proof, { call: approverRoutes.pending.path }, visitor)
    if (typeof device === 'string') return device
    return {
      pending: (await findPending(new Map([[device.factorUUID, visitor.address]]))).get(device.factorUUID),
      factorFriendlyName: device.factorFriendlyName,
      verified: device.factorStatus === 'Verified',
      wake: {
        webPushKey,
        subscribed: device.subscribed,
        ...(ntfy !== undefined && { ntfy: { url: ntfy, topic: device.factorPushBindingTopic } }),
        ...(gotify !== undefined && { gotify: { url: gotify } }),
      },
    }
  }

  /** Stores the phone's push subscription, or deletes it. */
  const subscribe = async ({ subscription, ...proof }: PushSubscribeRequest, visitor: Visitor): Promise<'done' | DeviceRefusal> => {
    if (subscription && !deps.isEndpoint(subscription)) throw new BadInput('subscription: is not one of a push service')
    const device = await prove(proof, { call: approverRoutes.subscribe.path, body: pushSubscription(subscription) }, visitor)
    if (typeof device === 'string') return device
    if (!subscription) await pushWakes.unsubscribe(db, device.factorUUID)
    else if (!(await pushWakes.subscribe(db, device.factorUUID, subscription))) return 'gone'
    return 'done'
  }

  /** Removes the phone that makes the call. Its owner could do the same on the account page. */
  const leave = async (proof: PushProofRequest, visitor: Visitor): Promise<'done' | DeviceRefusal | 'last-stays'> => {
    const proven = await prove(proof, { call: approverRoutes.leave.path }, visitor)
    if (typeof proven === 'string') return proven
    const left = await db.transaction().execute(async (tx): Promise<'done' | 'gone' | 'last-stays'> => {
      const account = await accounts.lockAccount(tx, proven.factorIdentity)
      const device = account && (await pushFactors.findDevice(tx, proven.factorUUID, now()))
      if (!account || !device) return 'gone'
      const isVerified = device.factorStatus === 'Verified'
      const isLast = isVerified && factors.isLastRequired(await factors.listNamed(tx, account.userId), device.factorUUID)
      if (isLast && !deps.mayBeWithout(account.userIdent)) {
        await note(tx, 'factor-removed', 'last-stays', account.userId, visitor)
        return 'last-stays'
      }
      if (!isVerified) {
        await factors.removeUnverified(tx, device.factorUUID)
        return 'done'
      }
      const permit = await demand(tx, account, 'remove-own-phone', { phone: true })
      await factors.removeVerified(permit, device.factorUUID)
      await factors.endPending(tx, account.userId)
      if (isLast) {
        await removeRecoveryCodes(permit)
        await accounts.withdrawVouches(permit)
      }
      await revokeAll(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      await deps.mail.notify(tx, account, { kind: 'factor-removed' }, visitor)
      await note(tx, 'factor-removed', 'by its owner', account.userId, visitor)
      return 'done'
    })
    changes.publish()
    return left
  }

  return { enrol, pending, findPending, subscribe, leave }
}
export type Approver = ReturnType<typeof createApprover>

import {
  type PendingChallenge,
  type PushAnswerRequest,
  type PushEnrolment,
  type PushEnrolmentRequest,
  type PushPending,
  type PushProofRequest,
  type PushStatus,
  type PushSubscribeRequest,
  pushAnswer,
  pushHello,
} from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import { BadInput } from './bad-input.ts'
import * as challenges from './challenges.ts'
import type { Db, Row, Tables } from './db/schema.ts'
import { deviceOf } from './device.ts'
import { freeName, nameOf } from './factor-name.ts'
import * as factors from './factors.ts'
import * as failedCodes from './failed-codes.ts'
import type { Visitor } from './first-factor.ts'
import type { Keyring } from './keyring.ts'
import { limits } from './limits.ts'
import type { Mail } from './mail.ts'
import * as mailLinks from './mail-links.ts'
import type { Metrics } from './metrics.ts'
import type { News } from './news.ts'
import { placeOf } from './place.ts'
import { isDeviceKey, isSignedBy, type PushSubscription, reasonOf } from './push.ts'
import * as pushCounts from './push-counts.ts'
import * as pushFactors from './push-factors.ts'
import type { PushPause } from './push-pause.ts'
import * as pushWakes from './push-wakes.ts'
import { removeRecoveryCodes } from './recovery-codes.ts'
import * as tokens from './tokens.ts'

/** Why a device's call came to nothing. `gone`: its factor is; `unproven`: what it signed is not its own. */
export type DeviceRefusal = 'gone' | 'unproven'

class KeyTaken extends Error {}

/** Decides on what enrolled devices say: who they are, what they are asked, and what they answer. */
export const createApprover = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  news: News
  pause: PushPause
  /** Of the public URL; a part of all that is signed. */
  origin: string
  productName: string
  /** How devices can be woken. */
  wake: { webPushKey: string; ntfy: string | undefined; gotify: string | undefined }
  /** Whether a subscription can be used, and leads to where we may send. */
  isEndpoint: (subscription: PushSubscription) => boolean
  /** Whether somebody may be without a second factor. */
  mayBeWithout: (userIdent: string) => boolean
  now: () => number
}) => {
  const { db, keyring, metrics, news, origin, now } = deps

  const note = (tx: Db, event: audit.AuditEvent, result: string, userId: string, visitor: Visitor | undefined) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** Good for two minutes, on every server, and kept by none. */
  const nonce = (): string => keyring.seal('nonce', String(now() + limits.push.nonce), 'push')

  const isOurs = (text: string): boolean => Number(keyring.tryOpen('nonce', text, 'push') ?? 0) > now()

  const unproven = async (device: pushFactors.Device, visitor: Visitor): Promise<'unproven'> => {
    await audit.record(db, { event: 'push-refused', result: 'signature', actor: null, target: device.factorIdentity, now: now() }, visitor)
    return 'unproven'
  }

  /** The device that a proof is of. */
  const prove = async (
    { factorUUID, nonce, signature }: PushProofRequest,
    visitor: Visitor,
  ): Promise<pushFactors.Device | DeviceRefusal> => {
    const device = await pushFactors.findDevice(db, factorUUID, now())
    if (!device) return 'gone'
    const isProven = isOurs(nonce) && isSignedBy(device, pushHello({ nonce, factorUUID, origin }), signature)
    return isProven ? device : unproven(device, visitor)
  }

  /** Ties a device's key to the factor that its link was made for. */
  const enrol = async (request: PushEnrolmentRequest, visitor: Visitor): Promise<PushEnrolment | 'gone' | 'taken'> => {
    if (!isDeviceKey(request.publicKey)) throw new BadInput('publicKey: expected a key of P-256 as SPKI in base64url')
    const name = request.friendlyName.trim() === '' ? undefined : nameOf(request.friendlyName, 'friendlyName')
    const enrolled = db.transaction().execute(async (tx): Promise<PushEnrolment | 'gone'> => {
      const factorUUID = await pushFactors.redeemEnrolment(tx, request, now())
      const factor = factorUUID === undefined ? undefined : await factors.prolong(tx, factorUUID, now())
      const account = factor && (await accounts.findById(tx, factor.factorIdentity))
      if (!factor || !account) return 'gone'
      if (!(await pushFactors.bindPush(tx, factor.factorUUID, request.publicKey))) throw new KeyTaken()
      // Phones of one make have one name: the second is told apart here, for it could not be added under the name of the first.
      const taken = async () => (await factors.listNamed(tx, account.userId)).map(other => other.factorFriendlyName)
      if (name !== undefined) await factors.nameWaiting(tx, factor.factorUUID, freeName(name, await taken()))
      await note(tx, 'push-enrolled', 'successful', account.userId, visitor)
      return {
        factorUUID: factor.factorUUID,
        userId: account.userId,
        username: account.userIdent,
        origin,
        productName: deps.productName,
      }
    })
    const came = await enrolled.catch((error: unknown) => {
      if (error instanceof KeyTaken) return 'taken' as const
      throw error
    })
    news.tell()
    return came
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
   * What some devices are asked at this moment; nothing is told of one that is gone.
   * @param seen each by its factor, with the address it is at
   */
  const lookFor = async (seen: ReadonlyMap<string, string>): Promise<Map<string, PendingChallenge | null>> => {
    const devices = await pushFactors.listDevices(db, [...seen.keys()], now())
    const asked =
      devices.length > 0 ? await challenges.listPendingPush(db, [...new Set(devices.map(one => one.factorIdentity))], now()) : []
    return new Map(
      devices.map(device => {
        const challenge = asked.find(one => challenges.concerns(one, device))
        return [device.factorUUID, challenge ? asPending(challenge, device, seen.get(device.factorUUID) ?? '') : null]
      }),
    )
  }

  const pending = async (proof: PushProofRequest, visitor: Visitor): Promise<PushPending | DeviceRefusal> => {
    const { webPushKey, ntfy, gotify } = deps.wake
    const device = await prove(proof, visitor)
    if (typeof device === 'string') return device
    return {
      pending: (await lookFor(new Map([[device.factorUUID, visitor.address]]))).get(device.factorUUID),
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

  /** What a device answers. Whatever comes of it, a challenge is decided once, by the statement that finds it open. */
  const answer = async (request: PushAnswerRequest, visitor: Visitor): Promise<PushStatus | DeviceRefusal | 'unknown' | 'answered'> => {
    const asked = await pushFactors.findDevice(db, request.factorUUID, now())
    if (!asked) return 'gone'
    const said = pushAnswer({ ...request, number: request.number, userId: asked.factorIdentity, origin })
    if (!isSignedBy(asked, said, request.signature)) return unproven(asked, visitor)
    const came = await db.transaction().execute(async tx => {
      const account = await accounts.lockAccount(tx, asked.factorIdentity)
      // Looked at again: it may have been taken away, or verified, meanwhile.
      const device = account && (await pushFactors.findDevice(tx, request.factorUUID, now()))
      if (!account || !device) return 'gone' as const
      const challenge = await challenges.findChallenge(tx, request.challengeUUID)
      return challenge && challenges.concerns(challenge, device)
        ? decide(tx, { account, device, challenge, request, visitor })
        : ('unknown' as const)
    })
    news.tell()
    return came
  }

  type Asked = {
    account: accounts.Account
    device: pushFactors.Device
    challenge: Row<'challenges'>
    request: PushAnswerRequest
    visitor: Visitor
  }

  const decide = async (tx: Db, asked: Asked): Promise<PushStatus | 'answered'> => {
    const { account, device, challenge, request, visitor } = asked
    const { challengeUUID } = challenge
    const { userId } = account
    const enrols = challenge.challengeEnrols === 1
    const is = (challengeStatus: PushStatus['challengeStatus'], tag: PushStatus['challengeRespondedReason']['tag']): PushStatus => ({
      challengeUUID,
      challengeStatus,
      challengeRespondedReason: reasonOf(tag),
    })
    const said = (result: string) => note(tx, 'push-answered', enrols ? `enrolment: ${result}` : result, userId, visitor)
    const judged = async () => {
      if (request.decision === 'Deny') return { status: 'Denied', reason: 'NotRequested', result: 'not-me' } as const
      if (request.number !== challenge.challengeNumber) return { status: 'Denied', reason: 'InvalidCode', result: 'wrong-number' } as const
      // A pause is for both kinds of second factors. That the number was right is not told.
      const isPaused = !enrols && (await failedCodes.isPaused(tx, userId, now()))
      return isPaused
        ? ({ status: 'Denied', reason: 'InvalidCode', result: 'paused' } as const)
        : ({ status: 'Approved', reason: 'ReasonNone', result: 'approved' } as const)
    }
    const { status, reason, result } = await judged()
    const given = { status, reason, factorUUID: device.factorUUID }
    if (!(await challenges.answerPushChallenge(tx, challengeUUID, given, now()))) {
      if (challenge.challengeStatus === 'Approved') return 'answered'
      if (challenge.challengeStatus === 'Denied') return is('Denied', challenge.challengeRespondedReason)
      return is('Expired', 'ReasonNone')
    }
    metrics.challenge(status, reason)
    await said(result)
    switch (result) {
      case 'approved':
        if (!enrols) {
          await pushCounts.countAnswer(tx, userId, true)
          await factors.noteUse(tx, device.factorUUID, now())
        }
        break
      case 'wrong-number':
      case 'paused':
        if (enrols) await factors.countFirstCode(tx, device.factorUUID, now())
        else await countWrong(tx, userId)
        break
      case 'not-me':
        // Whose device was made a factor of an account that is not his wants none of it.
        if (enrols) await factors.removeFactor(tx, device.factorUUID)
        else if (await pushCounts.countDenial(tx, userId, now())) await deps.pause.tell(tx, account, 'denied', challenge)
        break
    }
    return is(status, reason)
  }

  /** On the one count of the user's second factors, as a wrong code. The fifth begins a pause, and who was let in by mail begins anew. */
  const countWrong = async (tx: Db, userId: string) => {
    await pushCounts.countAnswer(tx, userId, false)
    const { allowed, attempts } = await failedCodes.countCode(tx, userId, now())
    if (!allowed || attempts % limits.codes.pauseEvery === 0) await tokens.revokeTickets(tx, userId)
  }

  /** Where messages reach the device from now on, or that they do no longer. */
  const subscribe = async ({ subscription, ...proof }: PushSubscribeRequest, visitor: Visitor): Promise<'done' | DeviceRefusal> => {
    if (subscription && !deps.isEndpoint(subscription)) throw new BadInput('subscription: is not one of a push service')
    const device = await prove(proof, visitor)
    if (typeof device === 'string') return device
    if (!subscription) await pushWakes.unsubscribe(db, device.factorUUID)
    else if (!(await pushWakes.subscribe(db, device.factorUUID, subscription))) return 'gone'
    return 'done'
  }

  /** The device takes itself away, as its owner could. */
  const leave = async (proof: PushProofRequest, visitor: Visitor): Promise<'done' | DeviceRefusal | 'last-stays'> => {
    const proven = await prove(proof, visitor)
    if (typeof proven === 'string') return proven
    const left = await db.transaction().execute(async (tx): Promise<'done' | 'gone' | 'last-stays'> => {
      const account = await accounts.lockAccount(tx, proven.factorIdentity)
      const device = account && (await pushFactors.findDevice(tx, proven.factorUUID, now()))
      if (!account || !device) return 'gone'
      const isVerified = device.factorStatus === 'Verified'
      const isLast = isVerified && (await factors.listNamed(tx, account.userId)).length === 1
      if (isLast && !deps.mayBeWithout(account.userIdent)) {
        await note(tx, 'factor-removed', 'last-stays', account.userId, visitor)
        return 'last-stays'
      }
      await factors.removeFactor(tx, device.factorUUID)
      if (!isVerified) return 'done'
      if (isLast) await removeRecoveryCodes(tx, account.userId)
      await tokens.endEverything(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      await deps.mail.notify(tx, account, { kind: 'factor-removed' }, visitor)
      await note(tx, 'factor-removed', 'by its owner', account.userId, visitor)
      return 'done'
    })
    news.tell()
    return left
  }

  return { nonce, prove, enrol, pending, lookFor, answer, subscribe, leave }
}
export type Approver = ReturnType<typeof createApprover>

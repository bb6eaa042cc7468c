import * as v from 'valibot'
import { type Infer, maybe, shape, utcTime } from '../format/decode.ts'
import { origin } from '../format/origin.ts'
import { id, upTo } from '../format/text.ts'
import { uuid } from '../sign-in/factor.ts'
import { challengeNumber } from './push.ts'

/** base64url of the 64 bytes of an ES256 signature (IEEE P1363, r and s). */
const signature = upTo(128)
const proofEntries = { factorUUID: uuid, nonce: upTo(256), signature }
/** Schema of a device's proof. */
export const proof = v.strictObject(proofEntries)

/**
 * Body of /push/enrol: the two halves of the link, and the device's own public key (SPKI in DER, base64url). An empty
 * `friendlyName` leaves the name that the factor was given on the account page.
 */
export const PushEnrolmentRequest = shape(
  'PushEnrolmentRequest',
  v.strictObject({ selector: id, token: id, publicKey: upTo(256), alg: v.picklist(['ES256']), friendlyName: upTo(128) }),
)
export type PushEnrolmentRequest = Infer<typeof PushEnrolmentRequest>

/** Answer of /push/enrol: what the device keeps beside its key. `origin` is a part of all that it signs. */
export const PushEnrolment = shape(
  'PushEnrolment',
  v.object({ factorUUID: uuid, userId: v.string(), username: v.string(), origin: v.string(), productName: v.string() }),
)
export type PushEnrolment = Infer<typeof PushEnrolment>

/** Answer of /push/nonce: what a device signs to prove itself, for two minutes. */
export const PushNonce = shape('PushNonce', v.object({ nonce: v.string() }))
export type PushNonce = Infer<typeof PushNonce>

/** Body of /push/pending and /push/leave: a device's word that it is this factor's and makes this call, by `pushCall`. */
export const PushProofRequest = shape('PushProofRequest', proof)
export type PushProofRequest = Infer<typeof PushProofRequest>

/** Schema of PendingChallenge. */
export const pendingChallenge = v.object({
  challengeUUID: uuid,
  challengeDateCreated: utcTime,
  challengeExpires: utcTime,
  username: v.string(),
  /** The browser that asks, as seen from the device's address. The number that it shows is never told. */
  from: origin,
  /** Whether it is to verify this factor, and nobody's sign-in. */
  isEnrolment: v.boolean(),
})
/** What a device is asked. */
export type PendingChallenge = v.InferOutput<typeof pendingChallenge>

/** Answer of /push/pending: what waits for the device, if anything does, and how it can be woken. */
export const PushPending = shape(
  'PushPending',
  v.object({
    pending: maybe(pendingChallenge),
    factorFriendlyName: v.string(),
    /** Whether its owner has proved to hold the device. */
    verified: v.boolean(),
    wake: v.object({
      /** The VAPID public key, for `PushManager.subscribe`. */
      webPushKey: v.string(),
      /** Whether there is a subscription of this device. */
      subscribed: v.boolean(),
      ntfy: maybe(v.object({ url: v.string(), topic: v.string() })),
      gotify: maybe(v.object({ url: v.string() })),
    }),
  }),
)
export type PushPending = Infer<typeof PushPending>

/** Body of /push/answer; `signature` is of `pushAnswer`. `number` is what was typed; 'This was not me' goes without. */
export const PushAnswerRequest = shape(
  'PushAnswerRequest',
  v.strictObject({
    factorUUID: uuid,
    challengeUUID: uuid,
    number: maybe(challengeNumber),
    decision: v.picklist(['Approve', 'Deny']),
    signature,
  }),
)
export type PushAnswerRequest = Infer<typeof PushAnswerRequest>

/** Body of /push/subscribe: as the browser's PushSubscription has it; none ends what there was. The proof is of `pushSubscription` too. */
export const PushSubscribeRequest = shape(
  'PushSubscribeRequest',
  v.strictObject({
    ...proofEntries,
    subscription: maybe(v.strictObject({ endpoint: upTo(2048), keys: v.strictObject({ p256dh: upTo(128), auth: upTo(64) }) })),
  }),
)
export type PushSubscribeRequest = Infer<typeof PushSubscribeRequest>

/** What a device signs with its answer, as UTF-8. */
export const pushAnswer = (answer: {
  challengeUUID: string
  number: string | null | undefined
  userId: string
  origin: string
  decision: PushAnswerRequest['decision']
}): string =>
  ['gatehouse-push-answer', answer.challengeUUID, answer.number ?? '-', answer.userId, answer.origin, answer.decision].join('\n')

/**
 * What a device signs to make a call, as UTF-8: `call` is its path, `bodyHash` the SHA-256 in base64url of what its body says beside
 * the proof. Nothing, save for /push/subscribe: there it is `pushSubscription`. Over /sockets a device signs the path as well.
 */
export const pushCall = (of: { nonce: string; factorUUID: string; origin: string; call: string; bodyHash: string }): string =>
  ['gatehouse-push-call', of.nonce, of.factorUUID, of.origin, of.call, of.bodyHash].join('\n')

/** The body of /push/subscribe as a proof names it: no two subscriptions have the same text. */
export const pushSubscription = (of: PushSubscribeRequest['subscription']): string =>
  of ? JSON.stringify([of.endpoint, of.keys.p256dh, of.keys.auth]) : ''

/** What approvers signed before `pushCall`, as UTF-8: good only for what changes nothing, because it names no call. */
export const pushHello = (hello: { nonce: string; factorUUID: string; origin: string }): string =>
  ['gatehouse-push-hello', hello.nonce, hello.factorUUID, hello.origin].join('\n')

import * as v from 'valibot'
import { type Infer, maybe, shape, utcTime } from '../format/decode.ts'
import { origin } from '../format/origin.ts'
import { id, upTo } from '../format/text.ts'
import { uuid } from '../sign-in/factor.ts'
import { challengeNumber } from './push.ts'

/** base64url of the 64 bytes of an ES256 signature (IEEE P1363, r and s). */
const signature = upTo(128)
const proofEntries = { factorUUID: uuid, nonce: upTo(256), signature }
/** Schema of a phone's proof. */
export const proof = v.strictObject(proofEntries)

/**
 * Body of /push/enrol: the token of the link, and the phone's public key (SPKI in DER, base64url). An empty `friendlyName` keeps the name
 * given on the account page.
 */
export const PushEnrolmentRequest = shape(
  'PushEnrolmentRequest',
  v.strictObject({ selector: id, token: id, publicKey: upTo(256), alg: v.picklist(['ES256']), friendlyName: upTo(128) }),
)
export type PushEnrolmentRequest = Infer<typeof PushEnrolmentRequest>

/** Response of /push/enrol: what the phone stores beside its key. `origin` is part of everything it signs. */
export const PushEnrolment = shape(
  'PushEnrolment',
  v.object({ factorUUID: uuid, userId: v.string(), username: v.string(), origin: v.string(), productName: v.string() }),
)
export type PushEnrolment = Infer<typeof PushEnrolment>

/** Response of /push/nonce: what a phone signs to authenticate; valid for two minutes. */
export const PushNonce = shape('PushNonce', v.object({ nonce: v.string() }))
export type PushNonce = Infer<typeof PushNonce>

/** Body of /push/pending and /push/leave: a phone's proof for this factor and this call (`pushCall`). */
export const PushProofRequest = shape('PushProofRequest', proof)
export type PushProofRequest = Infer<typeof PushProofRequest>

/** Schema of PendingChallenge. */
export const pendingChallenge = v.object({
  challengeUUID: uuid,
  challengeDateCreated: utcTime,
  challengeExpires: utcTime,
  username: v.string(),
  /** The requesting browser, as seen from the phone's address. The number it shows is never sent to the phone. */
  from: origin,
  /** Whether this challenge verifies a factor at enrollment and not a sign-in. */
  isEnrolment: v.boolean(),
})
/** A challenge for a phone. */
export type PendingChallenge = v.InferOutput<typeof pendingChallenge>

/** Response of /push/pending: the pending challenge, if any, and how the phone can be notified. */
export const PushPending = shape(
  'PushPending',
  v.object({
    pending: maybe(pendingChallenge),
    factorFriendlyName: v.string(),
    /** Whether the factor is verified. */
    verified: v.boolean(),
    wake: v.object({
      /** The VAPID public key, for `PushManager.subscribe`. */
      webPushKey: v.string(),
      /** Whether this phone has a subscription. */
      subscribed: v.boolean(),
      ntfy: maybe(v.object({ url: v.string(), topic: v.string() })),
      gotify: maybe(v.object({ url: v.string() })),
    }),
  }),
)
export type PushPending = Infer<typeof PushPending>

/** Body of /push/answer; `signature` covers `pushAnswer`. `number` is what the user typed; 'This was not me' omits it. */
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

/**
 * Body of /push/subscribe, from the browser's PushSubscription; without one, ends the subscription. The proof covers `pushSubscription`.
 */
export const PushSubscribeRequest = shape(
  'PushSubscribeRequest',
  v.strictObject({
    ...proofEntries,
    subscription: maybe(v.strictObject({ endpoint: upTo(2048), keys: v.strictObject({ p256dh: upTo(128), auth: upTo(64) }) })),
  }),
)
export type PushSubscribeRequest = Infer<typeof PushSubscribeRequest>

/** The text, as UTF-8, that a phone signs for its answer. */
export const pushAnswer = (answer: {
  challengeUUID: string
  number: string | null | undefined
  userId: string
  origin: string
  decision: PushAnswerRequest['decision']
}): string =>
  ['gatehouse-push-answer', answer.challengeUUID, answer.number ?? '-', answer.userId, answer.origin, answer.decision].join('\n')

/**
 * The text, as UTF-8, that a phone signs to make a call. `call` is the call's path, or /sockets. `bodyHash` is a SHA-256 in base64url: of
 * `pushSubscription` for /push/subscribe, otherwise of the empty string.
 */
export const pushCall = (of: { nonce: string; factorUUID: string; origin: string; call: string; bodyHash: string }): string =>
  ['gatehouse-push-call', of.nonce, of.factorUUID, of.origin, of.call, of.bodyHash].join('\n')

/** The signed form of the body of /push/subscribe, unique for each subscription. */
export const pushSubscription = (of: PushSubscribeRequest['subscription']): string =>
  of ? JSON.stringify([of.endpoint, of.keys.p256dh, of.keys.auth]) : ''

/** The message that older versions of the approver page signed, as UTF-8. It names no call, so the server accepts it only for calls that change nothing. */
export const pushHello = (hello: { nonce: string; factorUUID: string; origin: string }): string =>
  ['gatehouse-push-hello', hello.nonce, hello.factorUUID, hello.origin].join('\n')

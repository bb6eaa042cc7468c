import fc from 'fast-check'
import { challengeStatus, reason, verifyError } from './factors.ts'
import { any, bare, carrying, code, flag, origin, record, time, uuid, word } from './values.ts'

const sixDigits = code.map(number => String(number).padStart(6, '0'))
const pushStatus = record({ challengeUUID: uuid, challengeStatus, challengeRespondedReason: reason })
const proof = { factorUUID: uuid, nonce: word, signature: word }
const pendingChallenge = record({
  challengeUUID: uuid,
  challengeDateCreated: time,
  challengeExpires: time,
  username: any,
  from: origin,
  isEnrolment: flag,
})

/** Phone approval, and the messages of the socket. */
export const pushArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  PushOutcome: fc.oneof(
    bare('AuthFailureFailedLogin', 'AuthFailureForcedReset'),
    carrying('AuthFailureFactorError', verifyError),
    carrying('PushChallengeOpened', record({ challengeUUID: uuid, challengeNumber: sixDigits, challengeExpires: time })),
  ),
  PushStatus: pushStatus,
  PushLink: record({ factorUUID: uuid, link: any, expires: time }),
  PushProgressRequest: record({ factorUUID: uuid }),
  PushProgress: fc.oneof(
    bare('Waiting', 'Verified', 'Over'),
    carrying('Asked', record({ challengeNumber: sixDigits, challengeExpires: time })),
    carrying('Failed', record({ challengeStatus: fc.constantFrom('Denied', 'Expired'), challengeRespondedReason: reason })),
  ),
  PushEnrolmentRequest: record({ selector: word, token: word, publicKey: word, alg: fc.constant('ES256'), friendlyName: word }),
  PushEnrolment: record({ factorUUID: uuid, userId: any, username: any, origin: any, productName: any }),
  PushNonce: record({ nonce: any }),
  PushProofRequest: record(proof),
  PushPending: record(
    {
      factorFriendlyName: any,
      verified: flag,
      wake: record({ webPushKey: any, subscribed: flag }, { ntfy: record({ url: any, topic: any }), gotify: record({ url: any }) }),
    },
    { pending: pendingChallenge },
  ),
  PushAnswerRequest: record(
    { factorUUID: uuid, challengeUUID: uuid, decision: fc.constantFrom('Approve', 'Deny'), signature: word },
    { number: sixDigits },
  ),
  PushSubscribeRequest: record(proof, {
    subscription: record({ endpoint: word, keys: record({ p256dh: word, auth: word }) }),
  }),
  SocketMessage: fc.oneof(
    bare('SessionEnded', 'Revoked'),
    carrying('Nonce', any),
    carrying('Challenge', pushStatus),
    carrying('Pending', fc.option(pendingChallenge)),
  ),
  SocketRequest: record({ tag: fc.constant('Device'), contents: record(proof) }),
}

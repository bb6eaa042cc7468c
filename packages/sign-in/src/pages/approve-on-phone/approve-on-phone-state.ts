import type { AuthToken, ChallengeRespondedReason, ChallengeStatus } from '@gatehouse/wire'
import type { ApprovalRequest } from '@gatehouse/wire/page-props'

/** The states of a sign-in that the user approves on a phone. */
export type Approval =
  | { is: 'NotAsked'; message?: string }
  | { is: 'Asking' }
  | { is: 'Pending'; asked: ApprovalRequest }
  /** The user has approved on the phone, and the page completes the sign-in. */
  | { is: 'Approved'; asked: ApprovalRequest }
  | { is: 'Denied'; reason: ChallengeRespondedReason }
  | { is: 'Expired' }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type ApprovalEvent =
  | { type: 'submitted' }
  | { type: 'opened'; asked: ApprovalRequest }
  /** A challenge's status from the server, over the socket or by polling. */
  | { type: 'updated'; challengeUUID: string; challengeStatus: ChallengeStatus; challengeRespondedReason: ChallengeRespondedReason }
  /** The server no longer knows a challenge of this browser. */
  | { type: 'lost' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call failed, and the page itself shows no error. */
  | { type: 'stayed' }
  /** The browser restored the page from its back/forward cache. */
  | { type: 'restored' }

export const notAsked: Approval = { is: 'NotAsked' }

/** Ignores updates about any challenge but the current one. */
export const approval = (state: Approval, event: ApprovalEvent): Approval => {
  switch (event.type) {
    case 'submitted':
      return canAsk(state) ? { is: 'Asking' } : state
    case 'opened':
      return state.is === 'Asking' ? { is: 'Pending', asked: event.asked } : state
    case 'updated':
      return state.is === 'Pending' && state.asked.challengeUUID === event.challengeUUID ? afterUpdate(state, event) : state
    case 'lost':
      return state.is === 'Pending' ? { is: 'Expired' } : state
    case 'succeeded':
      return state.is === 'Approved' ? { is: 'VerifiedWithSuccess', token: event.token } : state
    case 'failed':
      return isCalling(state) ? { is: 'NotAsked', message: event.message } : state
    case 'stayed':
      return isCalling(state) ? notAsked : state
    case 'restored':
      return isCalling(state) || state.is === 'VerifiedWithSuccess' ? notAsked : state
  }
}

const afterUpdate = (
  state: Extract<Approval, { is: 'Pending' }>,
  { challengeStatus, challengeRespondedReason: reason }: Extract<ApprovalEvent, { type: 'updated' }>,
): Approval => {
  switch (challengeStatus) {
    case 'Pending':
      return state
    case 'Approved':
      return { is: 'Approved', asked: state.asked }
    case 'Denied':
      return { is: 'Denied', reason }
    case 'Expired':
      return { is: 'Expired' }
  }
}

/** Whether the page waits for a call. */
const isCalling = (state: Approval) => state.is === 'Asking' || state.is === 'Approved'

/** Whether the user can send a (new) challenge. */
export const canAsk = (state: Approval) => state.is === 'NotAsked' || state.is === 'Denied' || state.is === 'Expired'

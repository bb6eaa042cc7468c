import type { AuthToken, ChallengeRespondedReason, ChallengeStatus } from '@gatehouse/wire'
import type { ApprovalRequest } from '@gatehouse/wire/page-props'

/** The states of a sign-in that is approved on a phone. */
export type Approval =
  | { is: 'NotAsked'; message?: string }
  | { is: 'Asking' }
  | { is: 'Pending'; asked: ApprovalRequest }
  /** The phone has approved, and the server is asked to take it. */
  | { is: 'Approved'; asked: ApprovalRequest }
  | { is: 'Denied'; reason: ChallengeRespondedReason }
  | { is: 'Expired' }
  | { is: 'VerifiedWithSuccess'; token: AuthToken }

export type ApprovalEvent =
  | { type: 'submitted' }
  | { type: 'opened'; asked: ApprovalRequest }
  /** What the server says of a challenge: over the socket, or because it was asked. */
  | { type: 'told'; challengeUUID: string; challengeStatus: ChallengeStatus; challengeRespondedReason: ChallengeRespondedReason }
  /** The server waits with this browser no longer. */
  | { type: 'lost' }
  | { type: 'succeeded'; token: AuthToken }
  | { type: 'failed'; message: string }
  /** The call is over and the page has nothing to say about it. */
  | { type: 'stayed' }
  /** The browser brought the page back from its back/forward cache. */
  | { type: 'restored' }

export const notAsked: Approval = { is: 'NotAsked' }

/** One challenge at a time; what is told of another one counts for nothing. */
export const approval = (state: Approval, event: ApprovalEvent): Approval => {
  switch (event.type) {
    case 'submitted':
      return canAsk(state) ? { is: 'Asking' } : state
    case 'opened':
      return state.is === 'Asking' ? { is: 'Pending', asked: event.asked } : state
    case 'told':
      return state.is === 'Pending' && state.asked.challengeUUID === event.challengeUUID ? afterNews(state, event) : state
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

const afterNews = (
  state: Extract<Approval, { is: 'Pending' }>,
  { challengeStatus, challengeRespondedReason: reason }: Extract<ApprovalEvent, { type: 'told' }>,
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

/** Whether a call of the page is under way. */
const isCalling = (state: Approval) => state.is === 'Asking' || state.is === 'Approved'

/** Whether the phone can be asked (once more). */
export const canAsk = (state: Approval) => state.is === 'NotAsked' || state.is === 'Denied' || state.is === 'Expired'

import type { ChallengeRespondedReason, PendingChallenge } from '@gatehouse/wire'

/** How a request ended, as far as this phone knows. */
export type End =
  | { is: 'Approved' }
  | { is: 'Denied'; reason: ChallengeRespondedReason }
  | { is: 'Expired' }
  /** The server no longer lists the request: another phone answered it, or a newer request replaced it. */
  | { is: 'Gone' }

export type Decision = 'Approve' | 'Deny'

/** The states of one account on this phone. */
export type ApproverState =
  | { is: 'Loading' }
  /** `answered`: the request that this phone answered last. */
  | { is: 'Idle'; answered?: string }
  | { is: 'Requested'; request: PendingChallenge; problem?: Problem }
  /** The user pressed 'This was not me' and is asked to confirm it. */
  | { is: 'ConfirmingDenial'; request: PendingChallenge }
  /** `newer`: a request that the server listed while the answer was under way. */
  | { is: 'Answering'; request: PendingChallenge; decision: Decision; newer?: PendingChallenge }
  | { is: 'Answered'; request: PendingChallenge; end: End }
  /** The server no longer knows this phone's key. */
  | { is: 'Removed' }

/** A problem. `at` says whether the field or the page shows it. */
type Problem = { at: 'number' | 'page'; message: string }

export type ApproverEvent =
  | { type: 'checked'; request: PendingChallenge | undefined; now: number }
  | { type: 'failed'; problem: Problem }
  | { type: 'edited' }
  | { type: 'denyChosen' }
  | { type: 'denyCanceled' }
  | { type: 'sent'; decision: Decision }
  | { type: 'answered'; end: End }
  | { type: 'dismissed' }
  | { type: 'removed' }

export const loading: ApproverState = { is: 'Loading' }

/** A request stays until it is answered or the server no longer lists it. A newer request replaces an older one. */
export const approverState = (state: ApproverState, event: ApproverEvent): ApproverState => {
  switch (event.type) {
    case 'checked':
      return event.request ? withRequest(state, event.request) : withoutRequest(state, event.now)
    case 'failed':
      if (state.is === 'Answering' && state.newer) return { is: 'Requested', request: state.newer }
      return isOpen(state) ? { is: 'Requested', request: state.request, problem: event.problem } : state
    case 'edited':
      return state.is === 'Requested' && state.problem ? { is: 'Requested', request: state.request } : state
    case 'denyChosen':
      return state.is === 'Requested' ? { is: 'ConfirmingDenial', request: state.request } : state
    case 'denyCanceled':
      return state.is === 'ConfirmingDenial' ? { is: 'Requested', request: state.request } : state
    case 'sent':
      return state.is === 'Requested' || state.is === 'ConfirmingDenial'
        ? { is: 'Answering', request: state.request, decision: event.decision }
        : state
    case 'answered':
      if (state.is !== 'Answering') return state
      return state.newer ? { is: 'Requested', request: state.newer } : { is: 'Answered', request: state.request, end: event.end }
    case 'dismissed':
      return state.is === 'Answered' ? afterResult(state) : state
    case 'removed':
      return state.is === 'Removed' ? state : { is: 'Removed' }
  }
}

const isOpen = (state: ApproverState) => state.is === 'Requested' || state.is === 'ConfirmingDenial' || state.is === 'Answering'

const withRequest = (state: ApproverState, request: PendingChallenge): ApproverState => {
  if (state.is === 'Removed') return state
  const { challengeUUID } = request
  if (state.is === 'Answering') {
    const isListed = [state.request, state.newer].some(one => one?.challengeUUID === challengeUUID)
    return isListed ? state : { ...state, newer: request }
  }
  // A response sent before the answer arrived still lists the answered request: ignore it. A request that seemed gone may come back.
  if (state.is === 'Idle') return state.answered === challengeUUID ? state : { is: 'Requested', request }
  const isSame = 'request' in state && state.request.challengeUUID === challengeUUID
  return isSame && !(state.is === 'Answered' && isLost(state.end)) ? state : { is: 'Requested', request }
}

/** Whether this phone only knows that the server no longer lists the request. */
const isLost = (end: End) => end.is === 'Gone' || end.is === 'Expired'

const afterResult = ({ end, request }: Extract<ApproverState, { is: 'Answered' }>): ApproverState =>
  isLost(end) ? { is: 'Idle' } : { is: 'Idle', answered: request.challengeUUID }

const withoutRequest = (state: ApproverState, now: number): ApproverState => {
  switch (state.is) {
    case 'Loading':
      return { is: 'Idle' }
    case 'Requested':
    case 'ConfirmingDenial': {
      const { request } = state
      return { is: 'Answered', request, end: { is: Date.parse(request.challengeExpires) <= now ? 'Expired' : 'Gone' } }
    }
    case 'Answering': {
      const { newer, ...asked } = state
      return newer ? asked : state
    }
    case 'Idle':
    case 'Answered':
    case 'Removed':
      return state
  }
}

/** The account to show first: one with an open request, then one with a result or a removal. */
export const first = <Account extends { factorUUID: string }>(
  accounts: readonly Account[],
  states: Readonly<Record<string, ApproverState>>,
) => {
  const at = (is: (state: ApproverState) => boolean) => accounts.find(({ factorUUID }) => is(states[factorUUID] ?? loading))
  return at(isOpen) ?? at(state => state.is === 'Answered' || state.is === 'Removed')
}

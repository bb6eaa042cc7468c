import type { ChallengeRespondedReason, PendingChallenge } from '@gatehouse/wire'

/** What became of a question, as far as this phone knows: that it is not there any more tells not why. */
export type End =
  | { is: 'Approved' }
  | { is: 'Denied'; reason: ChallengeRespondedReason }
  | { is: 'Expired' }
  /** Answered elsewhere, or followed by a newer one. */
  | { is: 'Gone' }

export type Decision = 'Approve' | 'Deny'

/** The states of one account on this phone. */
export type Desk =
  | { is: 'Looking' }
  | { is: 'Idle' }
  | { is: 'Asked'; question: PendingChallenge; problem?: DeskProblem }
  /** 'This was not me' was pressed, and is asked about once. */
  | { is: 'Doubting'; question: PendingChallenge }
  | { is: 'Answering'; question: PendingChallenge; decision: Decision }
  | { is: 'Answered'; question: PendingChallenge; end: End }
  /** The server knows this phone's key no more. */
  | { is: 'Removed' }

/** What is wrong, and whether it is said at the field. */
type DeskProblem = { at: 'number' | 'page'; message: string }

export type DeskEvent =
  | { type: 'found'; question: PendingChallenge | undefined; now: number }
  | { type: 'refused'; problem: DeskProblem }
  | { type: 'edited' }
  | { type: 'doubted' }
  | { type: 'reconsidered' }
  | { type: 'sent'; decision: Decision }
  | { type: 'answered'; end: End }
  | { type: 'dismissed' }
  | { type: 'removed' }

export const looking: Desk = { is: 'Looking' }

/** A question stays until it is answered, or the server has it no more; the newest takes the place of an older one. */
export const desk = (state: Desk, event: DeskEvent): Desk => {
  switch (event.type) {
    case 'found':
      return event.question ? withQuestion(state, event.question) : withoutQuestion(state, event.now)
    case 'refused':
      return isOpen(state) ? { is: 'Asked', question: state.question, problem: event.problem } : state
    case 'edited':
      return state.is === 'Asked' && state.problem ? { is: 'Asked', question: state.question } : state
    case 'doubted':
      return state.is === 'Asked' ? { is: 'Doubting', question: state.question } : state
    case 'reconsidered':
      return state.is === 'Doubting' ? { is: 'Asked', question: state.question } : state
    case 'sent':
      return state.is === 'Asked' || state.is === 'Doubting'
        ? { is: 'Answering', question: state.question, decision: event.decision }
        : state
    case 'answered':
      return state.is === 'Answering' ? { is: 'Answered', question: state.question, end: event.end } : state
    case 'dismissed':
      return state.is === 'Answered' ? { is: 'Idle' } : state
    case 'removed':
      return state.is === 'Removed' ? state : { is: 'Removed' }
  }
}

const isOpen = (state: Desk) => state.is === 'Asked' || state.is === 'Doubting' || state.is === 'Answering'

const withQuestion = (state: Desk, question: PendingChallenge): Desk => {
  if (state.is === 'Removed') return state
  if (state.is === 'Answering') return state
  // What was asked for before the answer was heard may still name the question. One that seemed gone may be there all the same.
  const isSame = 'question' in state && state.question.challengeUUID === question.challengeUUID
  const isLost = state.is === 'Answered' && (state.end.is === 'Gone' || state.end.is === 'Expired')
  return isSame && !isLost ? state : { is: 'Asked', question }
}

const withoutQuestion = (state: Desk, now: number): Desk => {
  switch (state.is) {
    case 'Looking':
      return { is: 'Idle' }
    case 'Asked':
    case 'Doubting': {
      const { question } = state
      return { is: 'Answered', question, end: { is: Date.parse(question.challengeExpires) <= now ? 'Expired' : 'Gone' } }
    }
    case 'Idle':
    case 'Answering':
    case 'Answered':
    case 'Removed':
      return state
  }
}

/** The account that wants its owner first: one that is asked, then one that has something to say. */
export const first = <Account extends { factorUUID: string }>(accounts: readonly Account[], desks: Readonly<Record<string, Desk>>) => {
  const at = (is: (state: Desk) => boolean) => accounts.find(({ factorUUID }) => is(desks[factorUUID] ?? looking))
  return at(isOpen) ?? at(state => state.is === 'Answered' || state.is === 'Removed')
}

import type { PendingChallenge, PushStatus } from '@gatehouse/wire'
import { failureMessage } from '../failure-message.ts'
import type { ApproverApi } from './approver-api.ts'
import type { Decision, DeskEvent, End } from './approver-state.ts'
import { answerOf } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import { words } from './words.ts'

/** Signs the answer to a question and sends it; tells what came of it. */
export const answerQuestion = async (
  api: Pick<ApproverApi, 'answer'>,
  account: PhoneAccount,
  { challengeUUID }: PendingChallenge,
  decision: Decision,
  number: string | undefined,
): Promise<DeskEvent> => {
  const reply = await api.answer(await answerOf(account, challengeUUID, decision, number))
  if (!reply.ok) {
    const { status } = reply.failure
    if (status === 410) return { type: 'removed' }
    // Another phone was quicker, or it is no question of this phone's any more.
    if (status === 409 || status === 404) return { type: 'answered', end: { is: 'Gone' } }
    const message = reply.failure.is === 'unreachable' ? words.notSent : failureMessage(reply.failure)
    return { type: 'refused', problem: { at: 'page', message } }
  }
  const end = endOf(reply.value)
  return end ? { type: 'answered', end } : { type: 'refused', problem: { at: 'page', message: words.notSent } }
}

const endOf = ({ challengeStatus, challengeRespondedReason: reason }: PushStatus): End | undefined => {
  switch (challengeStatus) {
    case 'Approved':
      return { is: 'Approved' }
    case 'Denied':
      return { is: 'Denied', reason }
    case 'Expired':
      return { is: 'Expired' }
    case 'Pending':
      return undefined
  }
}

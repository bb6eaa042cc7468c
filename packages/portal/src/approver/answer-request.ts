import type { PendingChallenge, PushStatus } from '@gatehouse/wire'
import { failureMessage } from '../failure-message.ts'
import { approverTexts as words } from '../messages/current.ts'
import type { ApproverApi } from './approver-api.ts'
import type { ApproverEvent, Decision, End } from './approver-state.ts'
import { signAnswer } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'

/** Signs the answer to a request and sends it. @returns the event that follows */
export const answerRequest = async (
  api: Pick<ApproverApi, 'answer'>,
  account: PhoneAccount,
  { challengeUUID }: PendingChallenge,
  decision: Decision,
  number: string | undefined,
): Promise<ApproverEvent> => {
  const reply = await api.answer(await signAnswer(account, challengeUUID, decision, number))
  if (!reply.ok) {
    const { status } = reply.failure
    if (status === 410) return { type: 'removed' }
    // Another phone answered first, or the request no longer belongs to this phone.
    if (status === 409 || status === 404) return { type: 'answered', end: { is: 'Gone' } }
    const message = reply.failure.is === 'unreachable' ? words.notSent : failureMessage(reply.failure)
    return { type: 'failed', problem: { at: 'page', message } }
  }
  const end = endOf(reply.value)
  return end ? { type: 'answered', end } : { type: 'failed', problem: { at: 'page', message: words.notSent } }
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

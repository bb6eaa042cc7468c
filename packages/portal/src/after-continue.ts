import { afterLogin, english, explained, type Reply } from '@gatehouse/sign-in'
import type { AuthOutcome } from '@gatehouse/wire'
import { byTicket } from './after-mail-link.ts'
import { failureMessage } from './failure-message.ts'
import type { SecondFactorEvent } from './second-factor-state.ts'

/** What follows from going on with a sign-in: as after a password (§4), but that a refusal means that its ticket is over. */
export const afterContinue = (answer: Reply<AuthOutcome>): SecondFactorEvent => {
  const reply = explained(answer)
  if (!reply.ok) {
    const { status } = reply.failure
    return status === 401 || status === 410 ? { type: 'refused' } : { type: 'failed', message: failureMessage(reply.failure) }
  }
  const step = afterLogin(reply.value, byTicket)
  if ('leave' in step) return { type: 'answered', result: { is: 'LoggedIn', token: step.leave } }
  if ('go' in step) return { type: 'answered', result: { is: 'GoesOn', page: step.go } }
  if ('stay' in step) return { type: 'failed', message: english.unexpected.advice }
  return step.show === 'forced-reset' ? { type: 'answered', result: { is: 'ForcedReset' } } : { type: 'refused' }
}

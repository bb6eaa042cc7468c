import type { AuthOutcome, AuthToken } from '@gatehouse/wire'
import type { Reply } from '../calls/api.ts'
import { emitReply, type Method } from '../events.ts'
import { factorErrorAsOutcome } from '../next.ts'
import { afterFactor } from '../next-after-factor.ts'
import { factorError, type ShownError } from './factor-error.ts'
import type { PageProps, SingleCall } from './page-props.ts'

export type FactorPage = Pick<PageProps, 'messages' | 'leave' | 'emit' | 'onFailure' | 'showToast'> & {
  call: Pick<SingleCall, 'end'>
  dispatch: (event: { type: 'succeeded'; token: AuthToken } | ({ type: 'failed' } & ShownError) | { type: 'stayed' }) => void
}

/** Handles the reply to a second factor, its set-up or a skip of the set-up, which have the same outcomes (§4, §8). */
export const handleFactorReply = async (method: Method, rawReply: Reply<AuthOutcome>, signal: AbortSignal, page: FactorPage) => {
  if (signal.aborted) return
  const { messages, call, dispatch } = page
  const reply = factorErrorAsOutcome(rawReply)
  emitReply(page.emit, method, reply)
  if (!reply.ok) {
    call.end()
    dispatch({ type: 'stayed' })
    return page.onFailure(reply.failure)
  }
  const step = afterFactor(reply.value)
  if ('leave' in step) {
    dispatch({ type: 'succeeded', token: step.leave })
    return page.leave(step.leave, signal, step.passkeys)
  }
  call.end()
  if ('show' in step) {
    dispatch({ type: 'failed', message: messages.failures[step.show] })
  } else {
    const { toast, ...shown } = factorError(step.explain, messages.verifyErrors)
    dispatch({ type: 'failed', ...shown })
    page.showToast(toast)
  }
}

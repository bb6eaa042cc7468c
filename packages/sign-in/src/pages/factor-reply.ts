import type { AuthOutcome, AuthToken } from '@gatehouse/wire'
import type { Reply } from '../calls/api.ts'
import { explained } from '../next.ts'
import { afterFactor } from '../next-after-factor.ts'
import { factorError } from './factor-error.ts'
import type { PageProps } from './page-props.ts'

type FactorPage = Pick<PageProps, 'messages' | 'leave' | 'onFailure' | 'notify'> & {
  call: { end: () => void }
  dispatch: (event: { type: 'succeeded'; token: AuthToken } | { type: 'failed'; message: string } | { type: 'stayed' }) => void
}

/** Goes on from the answer to a code or to a skip, which differ in nothing (§4, §8). */
export const takeFactorAnswer = async (answer: Reply<AuthOutcome>, signal: AbortSignal, page: FactorPage) => {
  if (signal.aborted) return
  const { messages, call, dispatch } = page
  const reply = explained(answer)
  if (!reply.ok) {
    call.end()
    dispatch({ type: 'stayed' })
    return page.onFailure(reply.failure)
  }
  const step = afterFactor(reply.value)
  if ('leave' in step) {
    dispatch({ type: 'succeeded', token: step.leave })
    return page.leave(step.leave, signal)
  }
  call.end()
  if ('show' in step) {
    dispatch({ type: 'failed', message: messages.failures[step.show] })
  } else {
    const { message, toast } = factorError(step.explain, messages.verifyErrors)
    dispatch({ type: 'failed', message })
    page.notify(toast)
  }
}

import { type AuthOutcome, verifyErrorText } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import type { Reply } from '../../calls/api.ts'
import { emitReply } from '../../events.ts'
import { logError } from '../../log.ts'
import type { FirstLoadMessages } from '../../messages/messages.ts'
import { afterLogin, factorErrorAsOutcome } from '../../next.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { LoginEvent } from './login-state.ts'

export type LoginDeps = Pick<PageProps, 'go' | 'leave' | 'beforeCall' | 'emit' | 'onFailure'> & {
  messages: Pick<FirstLoadMessages, 'failures'>
  call: SingleCall
  dispatch: (event: LoginEvent) => void
  /** Remembers the way to sign in for the next visit. */
  remember: (method: 'password' | 'passkey') => void
}

/** Follows the reply to a sign-in on the login page (§4). */
export const followLogin = async (
  answer: Reply<AuthOutcome>,
  credentials: Credentials,
  by: 'password' | 'passkey',
  signal: AbortSignal,
  { messages, call, dispatch, remember, ...area }: LoginDeps,
) => {
  const stay = () => {
    call.end()
    dispatch({ type: 'stayed' })
  }
  if (signal.aborted) return
  const reply = factorErrorAsOutcome(answer)
  emitReply(area.emit, by, reply)
  if (!reply.ok) {
    stay()
    area.onFailure(reply.failure)
    return
  }
  const step = afterLogin(reply.value, credentials)
  if ('leave' in step || 'go' in step) remember(by)
  if ('leave' in step) {
    dispatch({ type: 'succeeded', token: step.leave })
    await area.leave(step.leave, signal, step.passkeys)
  } else if ('go' in step) {
    area.go(step.go)
  } else if ('show' in step) {
    call.end()
    dispatch({ type: 'failed', reason: step.show, message: messages.failures[step.show] })
  } else {
    stay()
    // §8: only to the console.
    if (step.stay.factorError) logError(`AuthFailureFactorError: ${verifyErrorText(step.stay.factorError)}`)
  }
}

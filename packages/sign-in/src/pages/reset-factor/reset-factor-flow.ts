import { routes } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import { emitReply } from '../../events.ts'
import type { Messages } from '../../messages/messages.ts'
import { factorErrorAsOutcome } from '../../next.ts'
import { afterReset } from '../../next-after-factor.ts'
import { factorError } from '../factor-error.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { ResetEvent } from './reset-factor-state.ts'

type FactorResetDeps = Pick<PageProps, 'go' | 'beforeCall' | 'emit' | 'onFailure' | 'showToast'> & {
  api: Pick<PageProps['api'], 'resetOTP'>
  messages: Pick<Messages, 'failures' | 'unexpected' | 'verifyErrors'>
  credentials: Credentials
  call: SingleCall
  dispatch: (event: ResetEvent) => void
}

/** Requests the email that resets the second factor (§4). */
export const createFactorReset = ({ api, messages, credentials, call, dispatch, ...area }: FactorResetDeps) => ({
  /** @param password for a page that asks for it */
  send: async (password = credentials.password) => {
    if (call.isRunning()) return
    const signal = call.begin()
    area.beforeCall('factor-reset')
    dispatch({ type: 'submitted' })
    const used = { ...credentials, password }
    const reply = factorErrorAsOutcome(await api.resetOTP({ otpUsername: used.username, otpPassword: used.password }, signal))
    if (signal.aborted) return
    call.end()
    emitReply(area.emit, 'factor-reset', reply)
    const step = reply.ok ? afterReset(reply.value, used) : undefined
    dispatch({ type: step && 'hold' in step ? 'held' : 'stayed' })
    if (!reply.ok) return area.onFailure(reply.failure)
    if (!step || 'hold' in step) return
    if ('go' in step) area.go(step.go)
    else if ('explain' in step) area.showToast(factorError(step.explain, messages.verifyErrors).toast)
    else if ('show' in step) area.showToast({ kind: 'error', id: 'reset-factor', title: messages.failures[step.show] })
    else
      area.onFailure({
        is: 'refused',
        message: messages.unexpected.title,
        detail: `${routes.resetOTP.method} ${routes.resetOTP.path} answered ${step.unexpected}`,
      })
  },
})

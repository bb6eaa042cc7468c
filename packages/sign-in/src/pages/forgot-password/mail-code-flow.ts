import { emitReply } from '../../events.ts'
import type { Messages } from '../../messages/messages.ts'
import { afterLogin, factorErrorAsOutcome } from '../../next.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { MailCodeEvent } from './mail-code-state.ts'

type MailCodeDeps = Pick<PageProps, 'go' | 'leave' | 'beforeCall' | 'emit' | 'onFailure'> & {
  api: Pick<PageProps['api'], 'magiclinkCode'>
  messages: Pick<Messages, 'failures' | 'mailCode'>
  call: SingleCall
  dispatch: (event: MailCodeEvent) => void
}

/** The ticket in the cookie replaces the credentials, so later calls send no username or password. */
const byTicket = { username: '', password: '' }

/** Signs in with the code of a one-time-link email. */
export const createMailCode = ({ api, messages, call, dispatch, ...area }: MailCodeDeps) => ({
  signIn: async (code: string) => {
    if (call.isRunning()) return
    dispatch({ type: 'submitted', code })
    if (code === '') return
    const signal = call.begin()
    area.beforeCall('emailed-code')
    const reply = factorErrorAsOutcome(await api.magiclinkCode({ code }, signal))
    if (signal.aborted) return
    emitReply(area.emit, 'emailed-code', reply)
    if (!reply.ok) {
      call.end()
      dispatch({ type: 'stayed' })
      return area.onFailure(reply.failure)
    }
    const step = afterLogin(reply.value, byTicket)
    if ('leave' in step) {
      dispatch({ type: 'succeeded', token: step.leave })
      return area.leave(step.leave, signal)
    }
    call.end()
    if ('go' in step) return area.go(step.go)
    const message = 'show' in step && step.show === 'forced-reset' ? messages.failures['forced-reset'] : messages.mailCode.wrong
    dispatch({ type: 'refused', message })
  },
})

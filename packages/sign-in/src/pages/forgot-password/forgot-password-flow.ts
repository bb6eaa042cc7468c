import type { MagicLinkAnswer } from '@gatehouse/wire'
import type { Failure } from '../../calls/api.ts'
import { emitReply } from '../../events.ts'
import type { Messages } from '../../messages/messages.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { ForgotEvent } from './forgot-password-state.ts'

type ForgotPasswordDeps = Pick<PageProps, 'beforeCall' | 'emit' | 'logFailure'> & {
  api: Pick<PageProps['api'], 'sendPasswordResetEmail' | 'magiclinkWait' | 'magiclinkSend'>
  words: Pick<Messages['forgotPassword'], 'resetEmailSent' | 'magicLinkSent'>
  call: SingleCall
  dispatch: (event: ForgotEvent) => void
  /** Called after an email was requested for the address. */
  waitToResend: (address: string) => void
}

/** Most emails arrive within this many seconds. Resending sooner uses up the rate limits. */
export const resendWaitSeconds = 30

// §8: for the console and the embedding page, never on the screen.
const resetEmailFailed = 'Error while trying to send reset password email'
const magicLinkFailed = 'Error while trying to send One Time Link email'

/** Requests the emails of the forgot-password page (§4). */
export const createForgotPassword = ({ api, words, call, dispatch, waitToResend, ...area }: ForgotPasswordDeps) => {
  /** `run` returns the failure, if any, and the number of a one-time link. */
  const send = async (
    method: 'reset-email' | 'one-time-link',
    address: string,
    run: (signal: AbortSignal) => Promise<{ cause: Failure | MagicLinkAnswer | undefined; number?: string | undefined }>,
  ) => {
    const signal = call.begin()
    area.beforeCall(method)
    const { cause, number } = await run(signal)
    if (signal.aborted) return
    call.end()
    emitReply(area.emit, method, cause && 'is' in cause ? { ok: false, failure: cause } : { ok: true, value: cause ?? { tag: 'Ok' } })
    if (!cause) {
      waitToResend(address)
      area.emit({ type: 'wait', method, seconds: resendWaitSeconds })
      return dispatch({ type: 'sent', message: method === 'reset-email' ? words.resetEmailSent : words.magicLinkSent, address, number })
    }
    dispatch({ type: 'failed' })
    area.logFailure(method === 'reset-email' ? resetEmailFailed : magicLinkFailed, cause)
  }

  return {
    sendResetEmail: async (userEmail: string) => {
      dispatch({ type: 'resetEmailSubmitted' })
      await send('reset-email', userEmail, async signal => {
        const reply = await api.sendPasswordResetEmail({ userEmail }, signal)
        return { cause: reply.ok ? undefined : reply.failure }
      })
    },
    sendMagicLink: async (address: string) => {
      dispatch({ type: 'magicLinkSubmitted' })
      await send('one-time-link', address, async signal => {
        // This call comes before the request for the email, so that the email has a code for this browser. If it fails, for example on an
        // older server, the link alone is enough.
        const wait = await api.magiclinkWait(signal)
        const reply = await api.magiclinkSend([{ email: address, redirect: { tag: 'RedirectDashboard' } }], signal)
        if (!reply.ok) return { cause: reply.failure }
        return { cause: reply.value.tag === 'Error' ? reply.value : undefined, number: wait.ok ? wait.value.number : undefined }
      })
    },
  }
}

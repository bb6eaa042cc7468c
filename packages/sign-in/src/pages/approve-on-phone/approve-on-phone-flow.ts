import type { Credentials } from '@gatehouse/wire/page-props'
import type { PushApi } from '../../calls/push-api.ts'
import { emitReply } from '../../events.ts'
import { factorErrorAsOutcome } from '../../next.ts'
import { factorError } from '../factor-error.ts'
import { type FactorPage, handleFactorReply } from '../factor-reply.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { ApprovalEvent } from './approve-on-phone-state.ts'

type PhoneApprovalDeps = Omit<FactorPage, 'dispatch' | 'call'> &
  Pick<PageProps, 'beforeCall'> & {
    api: Pick<PageProps['api'], 'verifyOTP'>
    push: Pick<PushApi, 'pushChallenge'>
    credentials: Credentials
    call: SingleCall
    dispatch: (event: ApprovalEvent) => void
  }

/** Asks for approval on a phone, and completes the sign-in after it. */
export const createPhoneApproval = ({ api, push, credentials, ...area }: PhoneApprovalDeps) => {
  const { call, dispatch, beforeCall, messages } = area
  const otp = { otpUsername: credentials.username, otpPassword: credentials.password }
  return {
    ask: async () => {
      if (call.isRunning()) return
      const signal = call.begin()
      beforeCall('phone-approval')
      dispatch({ type: 'submitted' })
      const reply = factorErrorAsOutcome(await push.pushChallenge(otp, signal))
      if (signal.aborted) return
      call.end()
      emitReply(area.emit, 'phone-approval', reply)
      if (!reply.ok) {
        dispatch({ type: 'stayed' })
        return area.onFailure(reply.failure)
      }
      const outcome = reply.value
      switch (outcome.tag) {
        case 'PushChallengeOpened':
          return dispatch({ type: 'opened', asked: outcome.contents })
        case 'AuthFailureFailedLogin':
          return dispatch({ type: 'failed', message: messages.failures['failed-login'] })
        case 'AuthFailureForcedReset':
          return dispatch({ type: 'failed', message: messages.failures['forced-reset'] })
        case 'AuthFailureFactorError': {
          const { message, toast } = factorError(outcome.contents, messages.verifyErrors)
          dispatch({ type: 'failed', message })
          area.showToast(toast)
        }
      }
    },
    confirm: async () => {
      const signal = call.begin()
      await handleFactorReply('phone-approval', await api.verifyOTP(otp, signal), signal, area)
    },
  }
}

import type { Factor, PasskeyCreationOptions } from '@gatehouse/wire'
import type { Credentials } from '@gatehouse/wire/page-props'
import type { PasskeyApi } from '../../calls/passkey-api.ts'
import { emitReply } from '../../events.ts'
import type { Messages } from '../../messages/messages.ts'
import { createPasskey } from '../../passkeys/passkey-ceremony.ts'
import { type FactorPage, handleFactorReply } from '../factor-reply.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { SkipEvent } from './create-factor-state.ts'

type EnrollmentDeps = Omit<FactorPage, 'dispatch' | 'call'> &
  Pick<PageProps, 'beforeCall'> & {
    api: Pick<PageProps['api'], 'setupOTP'>
    calls: Pick<PasskeyApi, 'passkeySetUp'>
    credentials: Credentials
    factor: Factor
    call: SingleCall
    dispatch: (event: SkipEvent) => void
    onBegin: (way: 'skip' | 'passkey') => void
  }

/** Skips the set-up of a second factor (§4), or sets up a passkey in place of the authenticator app. */
export const createEnrollment = ({ api, calls, credentials, factor, onBegin, ...area }: EnrollmentDeps) => {
  const { call, dispatch, beforeCall } = area
  const begin = (way: 'skip' | 'passkey') => {
    const signal = call.begin()
    onBegin(way)
    beforeCall(way === 'skip' ? 'skip' : 'set-up')
    dispatch({ type: 'skipped' })
    return signal
  }

  return {
    setUpPasskey: async (options: PasskeyCreationOptions) => {
      if (call.isRunning()) return
      const signal = begin('passkey')
      const fail = (why: keyof Messages['createFactor']['passkeyProblems']) => {
        call.end()
        dispatch({ type: 'failed', message: area.messages.createFactor.passkeyProblems[why] })
      }
      const credential = await createPasskey(options, { signal })
      if (signal.aborted) return
      if (typeof credential === 'string') {
        area.emit({ type: 'failed', method: 'set-up', why: 'no-passkey' })
        return fail(credential)
      }
      const request = { otpUsername: credentials.username, otpPassword: credentials.password, credential }
      const reply = await calls.passkeySetUp(request, signal)
      if (signal.aborted) return
      // The specification's sentences for this outcome are about codes.
      if (reply.ok && reply.value.tag === 'AuthFailureFactorError') {
        emitReply(area.emit, 'set-up', reply)
        return fail('Refused')
      }
      await handleFactorReply('set-up', reply, signal, area)
    },
    skipFactor: async () => {
      if (call.isRunning()) return
      const signal = begin('skip')
      // A call without a code is a skip.
      const otp = { otpUsername: credentials.username, otpPassword: credentials.password, otpFactorUUID: factor.factorUUID }
      await handleFactorReply('skip', await api.setupOTP(otp, signal), signal, area)
    },
  }
}

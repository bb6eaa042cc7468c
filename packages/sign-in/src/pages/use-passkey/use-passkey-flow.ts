import type { PasskeyRequestOptions } from '@gatehouse/wire'
import type { SignInPage } from '@gatehouse/wire/page-props'
import type { PasskeyApi } from '../../calls/passkey-api.ts'
import { emitReply } from '../../events.ts'
import { getPasskey } from '../../passkeys/passkey-ceremony.ts'
import { type FactorPage, handleFactorReply } from '../factor-reply.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { UsePasskeyEvent } from './use-passkey-state.ts'

export type UsePasskeyStep = Extract<SignInPage, { at: 'use-passkey' }>

/** How long a challenge must still be valid when the browser's dialog opens. */
const spareMs = 60_000

/** Returns the options of the previous answer once, and only if they remain valid for long enough. */
export const passkeyOptionsOf = ({ passkey }: UsePasskeyStep) => {
  const arrived = Date.now()
  let options = passkey
  return (): PasskeyRequestOptions | undefined => {
    const first = options
    options = undefined
    return first && Date.now() < arrived + first.timeout - spareMs ? first : undefined
  }
}

type PasskeyVerificationDeps = Omit<FactorPage, 'dispatch' | 'call'> &
  Pick<PageProps, 'beforeCall'> & {
    page: UsePasskeyStep
    calls: Pick<PasskeyApi, 'passkeyOptions' | 'passkeyVerify'>
    takeOptions: () => PasskeyRequestOptions | undefined
    call: SingleCall
    dispatch: (event: UsePasskeyEvent) => void
  }

/** Asks for a passkey as the second factor. */
export const createPasskeyVerification = ({ page, calls, takeOptions, ...area }: PasskeyVerificationDeps) => {
  const { call, dispatch, beforeCall, messages } = area
  const { credentials } = page

  const options = async (signal: AbortSignal): Promise<PasskeyRequestOptions | undefined> => {
    const first = takeOptions()
    if (first) return first
    const reply = await calls.passkeyOptions('SecondFactor', signal)
    if (reply.ok) return { ...reply.value, ...(page.passkey && { allowCredentials: page.passkey.allowCredentials }) }
    if (!signal.aborted) {
      emitReply(area.emit, 'passkey', reply)
      area.onFailure(reply.failure)
    }
    return undefined
  }

  return {
    verify: async () => {
      if (call.isRunning()) return
      const signal = call.begin()
      beforeCall('passkey')
      dispatch({ type: 'submitted' })
      const asked = await options(signal)
      const credential = asked && (await getPasskey(asked, { signal }))
      if (signal.aborted) return
      if (credential === undefined || typeof credential === 'string') {
        call.end()
        if (credential) area.emit({ type: 'failed', method: 'passkey', why: 'no-passkey' })
        return dispatch(
          credential === undefined ? { type: 'stayed' } : { type: 'failed', message: messages.usePasskey.problems[credential] },
        )
      }
      const request = { otpUsername: credentials.username, otpPassword: credentials.password, credential }
      const reply = await calls.passkeyVerify(request, signal)
      if (!signal.aborted && reply.ok && reply.value.tag === 'AuthFailureFactorError') {
        // The specification's sentence for this outcome is about approvals.
        emitReply(area.emit, 'passkey', reply)
        call.end()
        return dispatch({ type: 'failed', message: messages.usePasskey.problems.Failed })
      }
      await handleFactorReply('passkey', reply, signal, area)
    },
  }
}

import type { Credentials } from '@gatehouse/wire/page-props'
import { type FactorPage, handleFactorReply } from '../factor-reply.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { RecoveryEvent } from './recovery-code-state.ts'

type RecoveryDeps = Omit<FactorPage, 'dispatch' | 'call'> &
  Pick<PageProps, 'beforeCall'> & {
    api: Pick<PageProps['api'], 'recoveryCode'>
    credentials: Credentials
    call: SingleCall
    dispatch: (event: RecoveryEvent) => void
  }

/** Verifies a recovery code. */
export const createRecovery = ({ api, credentials, ...area }: RecoveryDeps) => ({
  verify: async (code: string) => {
    const { call, dispatch, beforeCall } = area
    if (call.isRunning()) return
    dispatch({ type: 'submitted', code })
    if (code === '') return
    const signal = call.begin()
    beforeCall('recovery-code')
    const request = { otpUsername: credentials.username, otpPassword: credentials.password, otpRecoveryCode: code }
    await handleFactorReply('recovery-code', await api.recoveryCode(request, signal), signal, area)
  },
})

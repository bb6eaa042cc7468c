import type { SignInPage } from '@gatehouse/wire/page-props'
import { type FactorPage, handleFactorReply } from '../factor-reply.ts'
import type { PageProps, SingleCall } from '../page-props.ts'
import type { VerificationEvent } from './verify-factor-state.ts'

export type VerifyFactor = Extract<SignInPage, { at: 'verify-factor' }>

/** The factor whose first code the page asks for. Undefined if it asks for a code of the user's factor. */
export const newFactorOf = (page: VerifyFactor) => (page.firstSetup ? page.factor.factorUUID : page.factorUUID)

/** Whether the page asks for the password: after a factor reset, a ticket cannot replace it. */
export const asksPasswordAgain = (page: VerifyFactor) =>
  newFactorOf(page) !== undefined && !page.firstSetup && page.credentials.password === ''

type VerificationDeps = Omit<FactorPage, 'dispatch' | 'call'> &
  Pick<PageProps, 'beforeCall'> & {
    api: Pick<PageProps['api'], 'verifyOTP' | 'setupOTP'>
    page: VerifyFactor
    call: SingleCall
    dispatch: (event: VerificationEvent) => void
  }

/** Verifies a code of an authenticator app, or sets the app up with its first code (§4). */
export const createVerification = ({ api, page, ...area }: VerificationDeps) => ({
  /**
   * @param code undefined if the user did not type six digits
   * @param password for a page that asks for it again
   */
  verify: async (code: number | undefined, password = page.credentials.password) => {
    const { call, dispatch, beforeCall } = area
    if (call.isRunning()) return
    beforeCall(code === undefined ? undefined : 'security-code')
    dispatch({ type: 'submitted', code })
    if (code === undefined) return
    const signal = call.begin()
    const otp = { otpUsername: page.credentials.username, otpPassword: password, otpVerification: code }
    const factorUUID = newFactorOf(page)
    // The first code of a new factor sets it up.
    const reply = factorUUID === undefined ? api.verifyOTP(otp, signal) : api.setupOTP({ ...otp, otpFactorUUID: factorUUID }, signal)
    await handleFactorReply('security-code', await reply, signal, area)
  },
})

import { pushRoutes, routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../metrics.ts'
import type { FactorReset } from '../../recovery/factor-reset.ts'
import type { Enrollment } from '../../sign-in/enrollment.ts'
import type { PhoneApproval } from '../../sign-in/phone-approval.ts'
import type { UseRecoveryCode } from '../../sign-in/recovery-code.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { VerifyOtp } from '../../sign-in/verify-otp.ts'
import { bind, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'

/** The steps of a sign-in: password, second factor, set-up of a second factor, phone approval. */
export const addSignInCalls = (
  app: FastifyInstance,
  deps: {
    caller: Caller
    rates: Rates
    metrics: Metrics
    attempts: SignInAttempts
    signIn: SignIn
    verifyOtp: VerifyOtp
    useRecoveryCode: UseRecoveryCode
    enrollment: Enrollment
    factorReset: FactorReset
    phoneApproval: PhoneApproval
  },
) => {
  const { caller, rates, metrics, attempts, signIn, verifyOtp, useRecoveryCode, enrollment, factorReset, phoneApproval } = deps
  const { visitor } = attempts

  bind(app, routes.getAuthTokenWithError, async (login, call) => {
    await attempts.count(call, login.username)
    return attempts.answer('getAuthTokenWithError', await signIn.withPassword(login, visitor(call, login)), call)
  })
  bind(app, routes.verifyOTP, async (otp, call) => {
    await attempts.count(call, otp.otpUsername)
    return attempts.answer('verifyOTP', await verifyOtp(otp, visitor(call, otp)), call)
  })
  bind(app, routes.recoveryCode, async (code, call) => {
    await attempts.count(call, code.otpUsername)
    return attempts.answer('recoveryCode', await useRecoveryCode(code, visitor(call, code)), call)
  })
  bind(app, routes.setupOTP, async (otp, call) => {
    await attempts.count(call, otp.otpUsername)
    return attempts.answer('setupOTP', await enrollment.setUp(otp, visitor(call, otp)), call)
  })
  bind(app, routes.resetOTP, async (otp, call) => {
    await attempts.count(call, otp.otpUsername)
    return attempts.answer('resetOTP', await factorReset.start(otp, visitor(call)), call)
  })
  bind(app, routes.continueSignIn, async (page, call) => {
    await rates.count('tokens', call.request.ip)
    return attempts.answer('continue', await signIn.withTicket(visitor(call, page)), call)
  })

  bind(app, pushRoutes.pushChallenge, async (otp, call) => {
    await attempts.count(call, otp.otpUsername)
    const { outcome, binding } = await phoneApproval.ask(otp, visitor(call))
    metrics.signIn('pushChallenge', outcome.tag)
    caller.keepSignIn(call.request, call.reply)
    if (binding !== undefined) caller.setCookie(call.reply, 'push', binding)
    return outcome
  })
  bind(app, pushRoutes.pushStatus, async (_, { request }) => {
    await rates.count('polls', request.ip)
    const status = await phoneApproval.status(caller.cookie(request, 'push'))
    if (!status) throw new Refused(410, 'challenge: this browser waits for none')
    return status
  })
}

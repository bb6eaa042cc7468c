import { asciiDigits } from '@gatehouse/language/digits.ts'
import { plainPages as at, decode, type OTPRequest, parseVerificationCode, RecoveryCodeRequest, routes, type Shape } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { takesCode } from '../../factors/factor-strategies.ts'
import type { Metrics } from '../../metrics.ts'
import type { FactorReset } from '../../recovery/factor-reset.ts'
import type { Enrollment } from '../../sign-in/enrollment.ts'
import type { PendingSignIns } from '../../sign-in/pending-sign-in.ts'
import type { PhoneApproval } from '../../sign-in/phone-approval.ts'
import type { UseRecoveryCode } from '../../sign-in/recovery-code.ts'
import type { VerifyOtp } from '../../sign-in/verify-otp.ts'
import type { Call } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { TextsOf } from '../texts-of.ts'
import type { BuiltPages } from './built-pages.ts'
import type { Fields } from './form-body.ts'
import type { Forms } from './forms.ts'
import type { PagesFor } from './localized.ts'
import type { PageNotes } from './page-notes.ts'
import { addPhonePage, type BindStep, byTicket } from './phone-approval.ts'
import type { Returns } from './return-addresses.ts'
import { verificationPath } from './verification-page.ts'

/** The pages of a sign-in that waits for a second factor. They show the pending sign-in of the ticket in the browser's cookie. */
export const addStepPages = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    rates: Rates
    attempts: SignInAttempts
    metrics: Metrics
    verifyOtp: VerifyOtp
    useRecoveryCode: UseRecoveryCode
    enrollment: Enrollment
    factorReset: FactorReset
    phoneApproval: PhoneApproval
    pendingSignIns: PendingSignIns
    notes: PageNotes
    forms: Forms
    returns: Returns
    pages: BuiltPages
    pagesFor: PagesFor
    textsOf: TextsOf
  },
) => {
  const {
    config,
    caller,
    rates,
    attempts,
    verifyOtp,
    useRecoveryCode,
    enrollment,
    factorReset,
    pendingSignIns,
    notes,
    forms,
    returns,
    pages,
    pagesFor,
    textsOf,
  } = deps
  const { follow, goTo, redirectWithResult, showArea } = forms
  const base = config.publicUrl.path

  /** Pages without a form, at which a sign-in ends: their status, and the path of their link. */
  const ends = {
    expired: { status: 'expired', to: at.login },
    tooManyCodes: { status: 'stopped', to: at.login },
    factorResetHeld: { status: 'stopped', to: at.recoveryCode },
    forcedReset: { status: 'attention', to: at.forgotPassword },
  } as const
  const showEnd = ({ request, reply }: Call, name: keyof typeof ends) => {
    const { title, text, action } = textsOf(request).signIn[name]
    const { status, to } = ends[name]
    return html(reply, pagesFor(request, reply).notice({ status, title, text, action: { label: action, href: base + to } }))
  }

  /**
   * Responds if no sign-in is pending. A signed-in user who comes back to the page continues to the
   * dashboard.
   */
  const end = async ({ request, reply }: Call, path: string) => {
    // Always take the note, or the next sign-in would show it.
    const note = forms.takeNote(request, reply, path)
    const session = await caller.session(request)
    if (session) return returns.continueSignedIn(request, reply, session)
    return showEnd({ request, reply }, note && 'explain' in note.said ? 'tooManyCodes' : 'expired')
  }

  /** Binds the page of a step. A sign-in that waits at another step continues there. */
  const bindStep: BindStep = (path, pageOf, take) => {
    /** The pending sign-in with this page, or the response if no sign-in waits here. */
    const find = async ({ request, reply }: Call) => {
      if (caller.cookie(request, 'ticket')) await rates.count('tokens', request.ip)
      const pending = await pendingSignIns.find(caller.visitor(request))
      switch (pending.is) {
        case 'Over':
          return { answer: await end({ request, reply }, path) }
        case 'ForcedReset':
          return { answer: showEnd({ request, reply }, 'forcedReset') }
        case 'Code':
        case 'SetUp': {
          const page = await pageOf(pending, { request, reply })
          return typeof page === 'object' ? { pending, page } : { answer: goTo(reply, page ?? at.secondFactor) }
        }
      }
    }
    forms.bind(
      app,
      path,
      async (request, reply) => {
        const found = await find({ request, reply })
        return 'answer' in found ? found.answer : showArea(request, reply, path, found.page)
      },
      async (fields, call) => {
        const found = await find(call)
        return 'answer' in found ? found.answer : take(fields, found.pending, call)
      },
    )
  }

  const credentialsOf = ({ username }: { username: string }) => ({ username, password: '' }) as const
  const codeIn = (fields: Fields) => parseVerificationCode(asciiDigits(fields.get('otp') ?? ''))

  bindStep(
    at.secondFactor,
    (pending, { reply }) => {
      const credentials = credentialsOf(pending)
      if (pending.is === 'SetUp') {
        const { factor, skipRefused, passkey } = pending
        if (passkey) caller.setCookie(reply, 'passkey', passkey.binding)
        const options = { ...(skipRefused && { skipRefused }), ...(passkey && { passkey: passkey.options }) }
        return { at: 'create-factor', credentials, factor, ...options }
      }
      const { factorTypes } = pending
      const path = verificationPath(factorTypes)
      if (path !== at.secondFactor) return path
      return { at: 'verify-factor', credentials, firstSetup: false, ...(!factorTypes.every(takesCode) && { factorTypes }) }
    },
    async (fields, pending, call) => {
      const visitor = attempts.visitor(call)
      if (pending.is === 'SetUp') {
        const skip: OTPRequest = { ...byTicket, otpFactorUUID: pending.factor.factorUUID }
        await attempts.count(call, '')
        return follow(pages.afterFactor(attempts.answer('setupOTP', await enrollment.setUp(skip, visitor), call)), call, at.secondFactor)
      }
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined) return redirectWithResult(call.reply, at.secondFactor, { wrong: 'code' })
      await attempts.count(call, '')
      const outcome = attempts.answer('verifyOTP', await verifyOtp({ ...byTicket, otpVerification }, visitor), call)
      // The code may belong to a factor that replaces a lost one. The first code of such a factor requires the password again.
      if (pending.replacing && outcome.tag === 'AuthFailureFactorError') {
        notes.leave(call.reply, 'reset', { username: pending.username, factorUUID: pending.replacing })
        return follow(pages.afterFactor(outcome), call, at.codeAfterReset)
      }
      return follow(pages.afterFactor(outcome), call, at.secondFactor)
    },
  )

  bindStep(
    at.firstCode,
    pending =>
      pending.is === 'SetUp'
        ? { at: 'verify-factor', credentials: credentialsOf(pending), firstSetup: true, factor: pending.factor }
        : undefined,
    async (fields, pending, call) => {
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined || pending.is !== 'SetUp') return redirectWithResult(call.reply, at.firstCode, { wrong: 'code' })
      const first: OTPRequest = { ...byTicket, otpVerification, otpFactorUUID: pending.factor.factorUUID }
      await attempts.count(call, '')
      const outcome = attempts.answer('setupOTP', await enrollment.setUp(first, attempts.visitor(call)), call)
      return follow(pages.afterFactor(outcome), call, at.firstCode)
    },
  )

  bindStep(
    at.recoveryCode,
    pending =>
      pending.is === 'Code' ? { at: 'recovery-code', credentials: credentialsOf(pending), factorTypes: pending.factorTypes } : undefined,
    async (fields, _, call) => {
      const otpRecoveryCode = (fields.get('recovery-code') ?? '').trim()
      const request = orNothing(RecoveryCodeRequest, { ...byTicket, otpRecoveryCode })
      if (!request || otpRecoveryCode === '') return redirectWithResult(call.reply, at.recoveryCode, { wrong: 'code' })
      await attempts.count(call, '')
      const outcome = attempts.answer('recoveryCode', await useRecoveryCode(request, attempts.visitor(call)), call)
      return follow(pages.afterFactor(outcome), call, at.recoveryCode)
    },
  )

  addPhonePage(bindStep, deps)

  // A passkey needs a script: without one, this page says so and links to the other types.
  bindStep(
    at.usePasskey,
    pending =>
      pending.is === 'Code' && pending.factorTypes.includes('Passkey')
        ? { at: 'use-passkey', credentials: credentialsOf(pending), factorTypes: pending.factorTypes }
        : undefined,
    async (_, __, call) => goTo(call.reply, at.usePasskey),
  )

  // Requires the password, as the new factor's first code does later: a ticket is not enough.
  bindStep(
    at.resetFactor,
    pending => (pending.is === 'Code' ? { at: 'reset-factor', credentials: credentialsOf(pending) } : undefined),
    async (fields, { username }, call) => {
      const request = orNothing(routes.resetOTP.request, { otpUsername: username, otpPassword: fields.get('password') ?? '' })
      if (!request) return redirectWithResult(call.reply, at.resetFactor, { show: 'failed-login' })
      await attempts.count(call, username)
      const outcome = attempts.answer('resetOTP', await factorReset.start(request, attempts.visitor(call)), call)
      if (outcome.tag !== 'AuthRequiresFactorReset')
        return follow(pages.afterReset(outcome, credentialsOf({ username })), call, at.resetFactor)
      if (outcome.refused) return showEnd(call, 'factorResetHeld')
      notes.leave(call.reply, 'reset', { username: outcome.username ?? username, factorUUID: outcome.contents })
      return goTo(call.reply, at.codeAfterReset)
    },
  )

  // The user may open the mail after the ticket has expired, so a cookie stores the reset. The
  // cookie proves nothing: the form asks for the password.
  forms.bind(
    app,
    at.codeAfterReset,
    async (request, reply) => {
      const reset = notes.read(request, 'reset')
      if (!reset) return end({ request, reply }, at.codeAfterReset)
      const { username, factorUUID } = reset
      const page = { at: 'verify-factor', credentials: credentialsOf({ username }), firstSetup: false, factorUUID } as const
      return showArea(request, reply, at.codeAfterReset, page)
    },
    async (fields, call) => {
      const reset = notes.read(call.request, 'reset')
      if (!reset) return goTo(call.reply, at.codeAfterReset)
      const { username, factorUUID } = reset
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined) return redirectWithResult(call.reply, at.codeAfterReset, { wrong: 'code' })
      // With an empty password, the call would accept the ticket instead.
      const otpPassword = fields.get('password') ?? ''
      const request = orNothing(routes.setupOTP.request, { otpUsername: username, otpPassword, otpVerification, otpFactorUUID: factorUUID })
      if (!request || otpPassword === '') return redirectWithResult(call.reply, at.codeAfterReset, { show: 'failed-login' })
      await attempts.count(call, username)
      const outcome = attempts.answer('setupOTP', await enrollment.setUp(request, attempts.visitor(call)), call)
      if (outcome.tag === 'AuthSuccessful') notes.clear(call.reply, 'reset')
      return follow(pages.afterFactor(outcome), call, at.codeAfterReset)
    },
  )
}

const orNothing = <T>(shape: Shape<T>, input: unknown): T | undefined => {
  const decoded = decode(shape, input)
  return decoded.ok ? decoded.value : undefined
}

import { plainPages as at, type SecondFactorType } from '@gatehouse/wire'
import type { AreaPage } from '@gatehouse/wire/page-props'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../metrics.ts'
import type { PendingSignIn } from '../../sign-in/pending-sign-in.ts'
import type { PhoneApproval } from '../../sign-in/phone-approval.ts'
import type { VerifyOtp } from '../../sign-in/verify-otp.ts'
import type { Call } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { BuiltPages } from './built-pages.ts'
import type { Fields } from './form-body.ts'
import type { Forms } from './forms.ts'
import type { PageNotes } from './page-notes.ts'

type Pending = Extract<PendingSignIn, { is: 'Code' | 'SetUp' }>
type MaybePage = AreaPage | string | undefined

/**
 * Binds the page of a step. `pageOf` returns what it shows, or another address to redirect to; undefined redirects to the page of the
 * pending step.
 */
export type BindStep = (
  path: string,
  pageOf: (pending: Pending, call: Call) => MaybePage | Promise<MaybePage>,
  take: (fields: Fields, pending: Pending, call: Call) => Promise<FastifyReply>,
) => void

/** The request of a browser that has a ticket instead of username and password. */
export const byTicket = { otpUsername: '', otpPassword: '' }

/** The page of a sign-in that waits for a phone: one button sends the request to the phone. Without a script, a second button continues after the approval. */
export const addPhonePage = (
  bindStep: BindStep,
  deps: {
    caller: Caller
    rates: Rates
    attempts: SignInAttempts
    metrics: Metrics
    verifyOtp: VerifyOtp
    phoneApproval: PhoneApproval
    notes: PageNotes
    forms: Forms
    pages: BuiltPages
  },
) => {
  const { caller, rates, attempts, metrics, verifyOtp, phoneApproval, notes, forms, pages } = deps

  /** The last request that this browser sent to a phone, and its status. */
  const askedBy = async (request: FastifyRequest) => {
    const asked = notes.read(request, 'phone')
    const status = asked && (await phoneApproval.status(caller.cookie(request, 'push')))
    return asked && status?.challengeUUID === asked.challengeUUID ? { ...asked, status } : null
  }

  const pageFor = async (username: string, factorTypes: readonly SecondFactorType[], request: FastifyRequest): Promise<AreaPage> => ({
    at: 'approve-on-phone',
    credentials: { username, password: '' },
    factorTypes,
    asked: await askedBy(request),
  })

  const ask = async (call: Call) => {
    const { request, reply } = call
    await rates.count('signIn', request.ip)
    const { outcome, binding } = await phoneApproval.ask(byTicket, attempts.visitor(call))
    metrics.signIn('pushChallenge', outcome.tag)
    caller.keepSignIn(request, reply)
    if (binding !== undefined) caller.setCookie(reply, 'push', binding)
    switch (outcome.tag) {
      case 'PushChallengeOpened':
        notes.leave(reply, 'phone', outcome.contents)
        return forms.goTo(reply, at.approveOnPhone)
      case 'AuthFailureFactorError':
        return forms.redirectWithResult(reply, at.approveOnPhone, { explain: outcome.contents })
      case 'AuthFailureFailedLogin':
        return forms.redirectWithResult(reply, at.approveOnPhone, { show: 'failed-login' })
      case 'AuthFailureForcedReset':
        return forms.goTo(reply, at.approveOnPhone)
    }
  }

  bindStep(
    at.approveOnPhone,
    (pending, { request }) =>
      pending.is === 'Code' && pending.factorTypes.includes('Push') ? pageFor(pending.username, pending.factorTypes, request) : undefined,
    async (fields, _, call) => {
      if (fields.get('phone') !== 'approved') return ask(call)
      await attempts.count(call, '')
      const outcome = attempts.answer('verifyOTP', await verifyOtp(byTicket, attempts.visitor(call)), call)
      if (outcome.tag === 'AuthSuccessful') notes.clear(call.reply, 'phone')
      return forms.follow(pages.afterFactor(outcome), call, at.approveOnPhone)
    },
  )
}

import {
  pages as addresses,
  plainPages as at,
  decode,
  LoginRequest,
  type OTPRequest,
  PasswordResetRequest,
  parseVerificationCode,
  RecoveryCodeRequest,
  type Result,
  routes,
  type Shape,
} from '@gatehouse/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BadInput } from '../bad-input.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { Recovery } from '../recovery.ts'
import type { SecondFactor } from '../second-factor.ts'
import type { SignedIn, SignIn } from '../sign-in.ts'
import type { SignInStanding, Standing } from '../sign-in-standing.ts'
import { type Call, refuseOtherMethods } from './bind.ts'
import type { AreaPage, BuiltPages, Said, Step } from './built-pages.ts'
import type { Caller } from './caller.ts'
import type { Fields } from './form-body.ts'
import { type FormHeaders, html } from './headers.ts'
import type { PageNotes } from './page-notes.ts'
import { sendPrepared } from './prepared-page.ts'
import type { Rates } from './rates.ts'
import type { Returns } from './returns.ts'

export type FormPageDeps = {
  config: Config
  caller: Caller
  rates: Rates
  metrics: Metrics
  signIn: SignIn
  secondFactor: SecondFactor
  recovery: Recovery
  standing: SignInStanding
  returns: Returns
  notes: PageNotes
  formHeaders: FormHeaders
  pages: BuiltPages
}

/** A page with a form: how it is shown, and what is done with what was sent. Each answers a form with a way to another page. */
export const bindForm = (
  app: FastifyInstance,
  path: string,
  show: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  take: (fields: Fields, call: Call) => Promise<FastifyReply>,
) => {
  app.route({ method: ['GET', 'HEAD'], url: path, handler: show })
  app.route({
    method: 'POST',
    url: path,
    handler: (request, reply) => take(request.body instanceof Map ? request.body : new Map(), { request, reply }),
  })
  refuseOtherMethods(app, path, ['GET', 'HEAD', 'POST'])
}

const noPassword = { username: '', password: '' } as const
const byTicket = { otpUsername: '', otpPassword: '' }

/** The pages of the sign-in area, and their forms as browsers without a script send them: to the same deciders, on the same counts. */
export const addFormPages = (app: FastifyInstance, deps: FormPageDeps) => {
  const { config, caller, rates, metrics, signIn, secondFactor, recovery, standing, returns, notes, formHeaders, pages } = deps
  const base = config.publicUrl.path

  const goTo = (reply: FastifyReply, path: string) => reply.redirect(base + path, 303)

  /** Back to the page of the form, which says what came of it. A reload of it sends nothing twice. */
  const say = (reply: FastifyReply, path: string, said: Said, email?: string) => {
    notes.leave(reply, 'note', { at: path, said, ...(email !== undefined && { email }) })
    return goTo(reply, path)
  }

  const noteFor = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const note = notes.read(request, 'note')
    if (note) notes.clear(reply, 'note')
    return note?.at === path ? note : undefined
  }

  const showArea = (request: FastifyRequest, reply: FastifyReply, path: string, page: AreaPage) => {
    const note = noteFor(request, reply, path)
    const named = page.at === 'forgot-password' && note?.email !== undefined ? { ...page, email: note.email } : page
    return html(formHeaders(reply), pages.area({ page: named, said: note?.said }))
  }

  /** Where the widget's own step leads, from the page at `path`. */
  const follow = (step: Step, { reply }: Call, path: string, email?: string): FastifyReply => {
    if ('leave' in step) return goTo(reply, addresses.token(step.leave.authTokenSelector, step.leave.authTokenToken))
    if ('go' in step) return goTo(reply, at.secondFactor)
    if ('show' in step) return say(reply, path, { show: step.show }, email)
    return 'explain' in step ? say(reply, path, { explain: step.explain }) : goTo(reply, path)
  }

  /** A form that tries to sign in under a name: as the call of the same name. */
  const attempt = async (name: string, username: string, { request, reply }: Call, decide: () => Promise<SignedIn>) => {
    await rates.count('signIn', request.ip)
    await rates.countAccount(request.ip, username)
    const signedIn = await decide()
    metrics.signIn(name, signedIn.outcome.tag)
    caller.setSignInCookies(request, reply, signedIn)
    return signedIn.outcome
  }

  const login = (request: FastifyRequest) => {
    const returnId = returns.idIn(request)
    return returnId ? `${at.login}?return=${returnId}` : at.login
  }

  bindForm(
    app,
    at.login,
    async (request, reply) => {
      const session = await caller.session(request)
      if (session) return returns.goOn(request, reply, session)
      return returns.signIn(request, reply, () => {
        formHeaders(reply, pages.signInStyles)
        const note = noteFor(request, reply, login(request))
        if (!note) return sendPrepared(request, reply, pages.signIn)
        const { said, email = '' } = note
        return html(reply, pages.signInSaying({ page: { at: 'login', email }, said }))
      })
    },
    async (fields, call) => {
      const username = (fields.get('username') ?? '').trim()
      const page = login(call.request)
      const request = decode(LoginRequest, { username, password: fields.get('password') ?? '', useragent: '' })
      if (!request.ok) return say(call.reply, page, { show: 'failed-login' })
      try {
        const decide = () => signIn.withPassword(request.value, caller.visitor(call.request), 'ticket')
        const outcome = await attempt('getAuthTokenWithError', username, call, decide)
        return follow(pages.afterLogin(outcome, noPassword), call, page, username)
      } catch (error) {
        if (error instanceof BadInput) return say(call.reply, page, { show: 'failed-login' }, username)
        throw error
      }
    },
  )

  bindForm(
    app,
    at.forgotPassword,
    async (request, reply) => showArea(request, reply, at.forgotPassword, { at: 'forgot-password' }),
    async (fields, { request, reply }) => {
      const asked = decode(PasswordResetRequest, { useremail: (fields.get('username') ?? '').trim() })
      const useremail = asked.ok ? asked.value.useremail : ''
      const isOneTime = fields.has('one-time-link')
      await rates.count('mail', request.ip)
      try {
        const visitor = caller.visitor(request)
        if (isOneTime) await recovery.sendOneTimeLinks([{ email: useremail, redirect: { tag: 'RedirectDashboard' } }], visitor)
        else await recovery.sendPasswordResetEmail(useremail, visitor)
      } catch (error) {
        if (error instanceof BadInput) return say(reply, at.forgotPassword, { wrong: 'email' }, useremail)
        throw error
      }
      return say(reply, at.forgotPassword, { sent: isOneTime ? 'one-time-link' : 'reset-email' }, useremail)
    },
  )

  const over = {
    title: 'This took too long',
    text: 'A sign-in waits for its next step for a few minutes only, and this one is over. Sign in again.',
    action: { label: 'Sign in again', href: `${base}/` },
  }
  const forcedReset = {
    title: 'Reset your password',
    text: 'Your password has been reset by an administrator. Please reset your password.',
    action: { label: 'Reset your password', href: base + at.forgotPassword },
  }

  /** A page of a sign-in that has got as far as a ticket. Where it stands elsewhere, that is where it goes on. */
  const bindStep = (
    path: string,
    pageOf: (at: Standing & { is: 'Code' | 'SetUp' }) => AreaPage | undefined,
    take: (fields: Fields, at: Standing & { is: 'Code' | 'SetUp' }, call: Call) => Promise<FastifyReply>,
  ) => {
    /** What is at this step, or the answer that there is none. */
    const find = async ({ request, reply }: Call) => {
      if (caller.cookie(request, 'ticket')) await rates.count('tokens', request.ip)
      const stands = await standing.find(caller.visitor(request))
      switch (stands.is) {
        case 'Over':
          return { answer: html(reply, pages.notice(over)) }
        case 'ForcedReset':
          return { answer: html(reply, pages.notice(forcedReset)) }
        case 'Code':
        case 'SetUp': {
          const page = pageOf(stands)
          return page ? { stands, page } : { answer: goTo(reply, at.secondFactor) }
        }
      }
    }
    bindForm(
      app,
      path,
      async (request, reply) => {
        const found = await find({ request, reply })
        return 'answer' in found ? found.answer : showArea(request, reply, path, found.page)
      },
      async (fields, call) => {
        const found = await find(call)
        return 'answer' in found ? found.answer : take(fields, found.stands, call)
      },
    )
  }

  const credentialsOf = ({ username }: { username: string }) => ({ username, password: '' }) as const
  const codeIn = (fields: Fields) => parseVerificationCode(fields.get('otp') ?? '')

  bindStep(
    at.secondFactor,
    stands =>
      stands.is === 'Code'
        ? { at: 'verify-factor', credentials: credentialsOf(stands), firstSetup: false }
        : { at: 'create-factor', credentials: credentialsOf(stands), factor: stands.factor },
    async (fields, stands, call) => {
      const visitor = caller.visitor(call.request)
      if (stands.is === 'SetUp') {
        const skip: OTPRequest = { ...byTicket, otpFactorUUID: stands.factor.factorUUID }
        return follow(
          pages.afterFactor(await attempt('setupOTP', '', call, () => secondFactor.setUp(skip, visitor))),
          call,
          at.secondFactor,
        )
      }
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined) return say(call.reply, at.secondFactor, { wrong: 'code' })
      const outcome = await attempt('verifyOTP', '', call, () => secondFactor.verifyCode({ ...byTicket, otpVerification }, visitor))
      return follow(pages.afterFactor(outcome), call, at.secondFactor)
    },
  )

  bindStep(
    at.firstCode,
    stands =>
      stands.is === 'SetUp'
        ? { at: 'verify-factor', credentials: credentialsOf(stands), firstSetup: true, factor: stands.factor }
        : undefined,
    async (fields, stands, call) => {
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined || stands.is !== 'SetUp') return say(call.reply, at.firstCode, { wrong: 'code' })
      const first: OTPRequest = { ...byTicket, otpVerification, otpFactorUUID: stands.factor.factorUUID }
      const outcome = await attempt('setupOTP', '', call, () => secondFactor.setUp(first, caller.visitor(call.request)))
      return follow(pages.afterFactor(outcome), call, at.firstCode)
    },
  )

  bindStep(
    at.recoveryCode,
    stands => (stands.is === 'Code' ? { at: 'recovery-code', credentials: credentialsOf(stands) } : undefined),
    async (fields, _, call) => {
      const otpRecoveryCode = (fields.get('recovery-code') ?? '').trim()
      const request = orNothing(RecoveryCodeRequest, { ...byTicket, otpRecoveryCode })
      if (!request || otpRecoveryCode === '') return say(call.reply, at.recoveryCode, { wrong: 'code' })
      const outcome = await attempt('recoveryCode', '', call, () => secondFactor.useRecoveryCode(request, caller.visitor(call.request)))
      return follow(pages.afterFactor(outcome), call, at.recoveryCode)
    },
  )

  // A ticket is not enough here: the password is typed once more, and once more with the new factor's first code.
  bindStep(
    at.resetFactor,
    stands => (stands.is === 'Code' && stands.username !== '' ? { at: 'reset-factor', credentials: credentialsOf(stands) } : undefined),
    async (fields, { username }, call) => {
      const request = orNothing(routes.resetOTP.request, { otpUsername: username, otpPassword: fields.get('password') ?? '' })
      if (!request) return say(call.reply, at.resetFactor, { show: 'failed-login' })
      const outcome = await attempt('resetOTP', username, call, () => secondFactor.startReset(request, caller.visitor(call.request)))
      if (outcome.tag !== 'AuthRequiresFactorReset') return follow(pages.afterReset(outcome, noPassword), call, at.resetFactor)
      notes.leave(call.reply, 'reset', { username, factorUUID: outcome.contents })
      return goTo(call.reply, at.codeAfterReset)
    },
  )

  // The mail takes longer than a ticket lives, so what is known of the reset stands in a note, which proves nothing.
  bindForm(
    app,
    at.codeAfterReset,
    async (request, reply) => {
      const reset = notes.read(request, 'reset')
      if (!reset) return html(reply, pages.notice(over))
      const { username, factorUUID } = reset
      const page = { at: 'verify-factor', credentials: credentialsOf({ username }), firstSetup: false, factorUUID } as const
      return showArea(request, reply, at.codeAfterReset, page)
    },
    async (fields, call) => {
      const reset = notes.read(call.request, 'reset')
      if (!reset) return goTo(call.reply, at.codeAfterReset)
      const { username, factorUUID } = reset
      const otpVerification = codeIn(fields)
      if (otpVerification === undefined) return say(call.reply, at.codeAfterReset, { wrong: 'code' })
      // An empty one would ask for the ticket.
      const otpPassword = fields.get('password') ?? ''
      const request = orNothing(routes.setupOTP.request, { otpUsername: username, otpPassword, otpVerification, otpFactorUUID: factorUUID })
      if (!request || otpPassword === '') return say(call.reply, at.codeAfterReset, { show: 'failed-login' })
      const outcome = await attempt('setupOTP', username, call, () => secondFactor.setUp(request, caller.visitor(call.request)))
      if (outcome.tag === 'AuthSuccessful') notes.clear(call.reply, 'reset')
      return follow(pages.afterFactor(outcome), call, at.codeAfterReset)
    },
  )
}

const orNothing = <T>(shape: Shape<T>, input: unknown): T | undefined => {
  const decoded: Result<T> = decode(shape, input)
  return decoded.ok ? decoded.value : undefined
}

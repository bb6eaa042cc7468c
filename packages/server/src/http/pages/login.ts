import { plainPages as at, decode, LoginRequest, PasswordResetRequest } from '@gatehouse/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput } from '../../bad-input.ts'
import { waitNumber } from '../../recovery/mail-code.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { Sso } from '../../sso/sso.ts'
import type { Caller } from '../caller.ts'
import { type FormHeaders, html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAgain } from '../sign-in-again.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { TextsOf } from '../texts-of.ts'
import type { BuiltPages } from './built-pages.ts'
import type { Forms } from './forms.ts'
import type { PagesFor } from './localized.ts'
import { sendPrepared } from './prepared-page.ts'
import type { Returns } from './return-addresses.ts'
import { notesOf } from './sso.ts'

/** The pages without a session: sign-in and forgotten password. Their forms call the same flows as the JSON calls. */
export const addFormPages = (
  app: FastifyInstance,
  deps: {
    caller: Caller
    rates: Rates
    attempts: SignInAttempts
    signIn: SignIn
    recovery: Recovery
    sso: Sso
    returns: Returns
    again: SignInAgain
    forms: Forms
    formHeaders: FormHeaders
    pages: BuiltPages
    pagesFor: PagesFor
    textsOf: TextsOf
  },
) => {
  const { caller, rates, attempts, signIn, recovery, sso, returns, again, forms, formHeaders, pages, pagesFor } = deps
  const { redirectWithResult } = forms

  const login = (request: FastifyRequest) => {
    const returnId = returns.idIn(request)
    return returnId ? `${at.login}?return=${returnId}` : at.login
  }

  forms.bind(
    app,
    at.login,
    async (request, reply) => {
      const session = await caller.session(request)
      if (session && !again.isBegun(request, session.sessionSelector)) return returns.continueSignedIn(request, reply, session)
      const destination = await returns.destination(request)
      return returns.signIn(request, reply, () => {
        formHeaders(reply, pages.signInStyles)
        const note = forms.takeNote(request, reply, login(request))
        const facts = { destination, again: session !== undefined, providerNotes: notesOf(sso.outages(), deps.textsOf(request).providers) }
        if (!note) return sendPrepared(request, reply, pagesFor(request, reply).signIn(facts))
        const { said, email = '' } = note
        return html(reply, pagesFor(request, reply).signInWithResult({ page: { at: 'login', email }, said }, facts))
      })
    },
    async (fields, call) => {
      const username = (fields.get('username') ?? '').trim()
      const page = login(call.request)
      const request = decode(LoginRequest, { username, password: fields.get('password') ?? '', useragent: '' })
      if (!request.ok) return redirectWithResult(call.reply, page, { show: 'failed-login' })
      try {
        await attempts.count(call, username)
        const signedIn = await signIn.withPassword(request.value, attempts.visitor(call), 'ticket')
        const outcome = attempts.answer('getAuthTokenWithError', signedIn, call)
        return forms.follow(pages.afterLogin(outcome, { username, password: '' }), call, page, username)
      } catch (error) {
        if (error instanceof BadInput) return redirectWithResult(call.reply, page, { show: 'failed-login' }, username)
        throw error
      }
    },
  )

  forms.bind(
    app,
    at.forgotPassword,
    async (request, reply) => forms.showArea(request, reply, at.forgotPassword, { at: 'forgot-password' }),
    async (fields, call) => {
      const { request, reply } = call
      const code = fields.get('mail-code')
      if (code !== undefined) {
        await rates.count('tokens', request.ip)
        const outcome = attempts.answer('mailCode', await recovery.redeemMailCode(code.slice(0, 64), attempts.visitor(call)), call)
        if (outcome.tag !== 'AuthFailureFailedLogin')
          return forms.follow(pages.afterLogin(outcome, { username: '', password: '' }), call, '/')
        const number = waitNumber(caller.beginMailWait(request, reply))
        return redirectWithResult(reply, at.forgotPassword, { sent: 'one-time-link', number, wrongCode: true })
      }
      const asked = decode(PasswordResetRequest, { userEmail: (fields.get('username') ?? '').trim() })
      const userEmail = asked.ok ? asked.value.userEmail : ''
      const isOneTime = fields.has('one-time-link')
      await rates.count('mail', request.ip)
      try {
        const visitor = caller.visitor(request)
        if (isOneTime) {
          const mailWait = caller.beginMailWait(request, reply)
          await recovery.sendOneTimeLinks([{ email: userEmail, redirect: { tag: 'RedirectDashboard' } }], { ...visitor, mailWait })
          const result = { sent: 'one-time-link', number: waitNumber(mailWait) } as const
          return redirectWithResult(reply, at.forgotPassword, result, userEmail)
        }
        await recovery.sendPasswordResetEmail(userEmail, visitor)
      } catch (error) {
        if (error instanceof BadInput) return redirectWithResult(reply, at.forgotPassword, { wrong: 'email' }, userEmail)
        throw error
      }
      return redirectWithResult(reply, at.forgotPassword, { sent: 'reset-email' }, userEmail)
    },
  )
}

import { afterLogin, type Failure, factorErrorAsOutcome, type Reply } from '@gatehouse/sign-in'
import type { AuthOutcome, AuthToken, ErrorCode, Factor, PasswordResetResult } from '@gatehouse/wire'
import type { FieldProblem, SignInPage } from '@gatehouse/wire/page-props'
import { failureMessage } from '../failure-message.ts'
import { portalTexts } from '../messages/current.ts'
import type { MailLinkEvent } from './mail-link-state.ts'
import { refusedPasswordText } from './new-password-rules.ts'

/** The result of a one-time link or of a provider sign-in. */
export type Redeemed = { is: 'LoggedIn'; token: AuthToken } | { is: 'GoesOn'; page: SignInPage } | { is: 'ForcedReset' }

const refused = () => ({ type: 'refused', message: portalTexts.mailLink.refused }) as const
/** The problem if the number is not that of the waiting tab. */
export const wrongNumber = (): FieldProblem => ({ at: 'number', message: portalTexts.oneTimeLink.wrongNumber })
const puzzling = () => ({ type: 'failed', problem: { at: 'page', message: portalTexts.mailLink.refused } }) as const

/** For a sign-in whose ticket is in a cookie: the user typed no username or password. */
const byTicket = { username: '', password: '' }

/** The event after using a one-time link: as after a password (§4), but a refusal concerns the link. */
export const afterRedeem = (answer: Reply<AuthOutcome>, asksNumber = false): MailLinkEvent<Redeemed> => {
  const reply = factorErrorAsOutcome(answer)
  if (!reply.ok) return afterFailure(reply.failure)
  const step = afterLogin(reply.value, byTicket)
  if ('leave' in step) return { type: 'done', result: { is: 'LoggedIn', token: step.leave } }
  if ('go' in step) return { type: 'done', result: { is: 'GoesOn', page: step.go } }
  if ('stay' in step) return puzzling()
  if (step.show === 'forced-reset') return { type: 'done', result: { is: 'ForcedReset' } }
  // The page shows this message only if the link is still good.
  return asksNumber ? { type: 'refused', message: wrongNumber().message } : refused()
}

/** The event after using a factor reset link. */
export const afterNewFactor = (answer: Reply<AuthOutcome>): MailLinkEvent<Factor> => {
  const reply = factorErrorAsOutcome(answer)
  if (!reply.ok) return afterFailure(reply.failure)
  switch (reply.value.tag) {
    case 'AuthRequiresFactorCreation':
      return { type: 'done', result: reply.value.contents }
    case 'AuthFailureFailedLogin':
    case 'AuthFailureForcedReset':
      return refused()
    case 'AuthFailureFactorError':
    case 'AuthRequires2FA':
    case 'AuthRequiresFactorReset':
    case 'AuthSuccessful':
      return puzzling()
  }
}

/** The event after a password reset. Its result is the names of the user's passkeys. */
export const afterPasswordReset = (reply: Reply<PasswordResetResult>): MailLinkEvent<readonly string[]> =>
  reply.ok ? { type: 'done', result: reply.value.passkeys } : afterFailure(reply.failure)

/** The event after a call without content. */
export const afterVoid = (reply: Reply<void>): MailLinkEvent<void> =>
  reply.ok ? { type: 'done', result: undefined } : afterFailure(reply.failure)

/** The page's sentence about a password that the server refuses. */
export const refusedPassword = (message: string, code?: ErrorCode): FieldProblem | undefined => {
  return message.startsWith('newpassword: ') ? { at: 'password', message: refusedPasswordText(code) } : undefined
}

const afterFailure = (failure: Failure): Exclude<MailLinkEvent<never>, { type: 'done' }> => {
  // 410: the link has been used or has expired in the meantime.
  if (failure.status === 410) return refused()
  const problem = failure.status === 400 ? refusedPassword(failure.message, failure.code) : undefined
  if (problem) return { type: 'failed', problem }
  return { type: 'failed', problem: { at: 'page', message: failureMessage(failure) } }
}

import type { Failure, Reply } from '@gatehouse/sign-in'
import type { Location } from '@gatehouse/wire'
import { accountFailure } from '../actions/action-failure.ts'
import { english } from '../messages/en.ts'
import { englishAccount } from '../messages/en-account.ts'
import type { WaysEvent } from './ways-to-sign-in-state.ts'

/** The session is over: there is no account to change here. */
type SignedOut = { type: 'signedOut' }

/** What follows from asking where to link a provider. */
export const afterLink = (reply: Reply<Location>): WaysEvent | SignedOut =>
  reply.ok ? { type: 'sentOn', location: reply.value.location } : afterFailure(reply.failure, english.account.unavailable)

/** What follows from unlinking a provider. */
export const afterUnlink = (reply: Reply<void>): WaysEvent | SignedOut =>
  reply.ok ? { type: 'unlinked' } : afterFailure(reply.failure, english.account.lastWay)

/** The server's word for a password that it does not take. */
const aboutPassword = /^password: (.+)$/s

const afterFailure = (failure: Failure, conflict: string): WaysEvent | SignedOut => {
  if (failure.status === 401) return { type: 'signedOut' }
  if (failure.status === 409) return { type: 'failed', problem: { at: 'page', message: conflict } }
  if (failure.code === 'ReauthenticationRequired') return { type: 'failed', problem: { at: 'page', message: englishAccount.signInAgain } }
  const [, problem] = aboutPassword.exec(failure.message) ?? []
  return problem
    ? { type: 'failed', problem: { at: 'password', message: english.account.passwordRefused(problem) } }
    : { type: 'failed', problem: { at: 'page', message: accountFailure(failure) } }
}

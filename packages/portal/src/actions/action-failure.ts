import type { Failure } from '@gatehouse/sign-in'
import { failureMessage } from '../failure-message.ts'
import { englishAccount } from '../messages/en-account.ts'

/** The message for an action that the server refused. */
export const actionFailure = (failure: Failure): string =>
  failure.code === 'SecondFactorRequired' ? englishAccount.signInWithFactor : failureMessage(failure)

import type { Failure } from '@gatehouse/sign-in'
import { failureMessage } from '../failure-message.ts'
import { englishAccount } from '../messages/en-account.ts'

/** What to tell a person whose act on the own account was refused. */
export const accountFailure = (failure: Failure): string =>
  failure.code === 'SecondFactorRequired' ? englishAccount.signInWithFactor : failureMessage(failure)

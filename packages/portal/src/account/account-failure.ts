import { englishAccount, type Failure } from '@gatehouse/sign-in'
import { secondFactorRefusal } from '@gatehouse/wire'
import { failureMessage } from '../failure-message.ts'

/** What to tell a person whose act on the own account was refused. */
export const accountFailure = (failure: Failure): string =>
  failure.message === secondFactorRefusal ? englishAccount.signInWithFactor : failureMessage(failure)

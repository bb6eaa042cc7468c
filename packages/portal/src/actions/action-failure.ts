import type { Failure } from '@gatehouse/sign-in'
import { failureMessage } from '../failure-message.ts'
import { accountTexts } from '../messages/current.ts'

/** The message for an action that the server refused. */
export const actionFailure = (failure: Failure, hasPassword: boolean): string => {
  if (failure.code !== 'SecondFactorRequired') return failureMessage(failure)
  return hasPassword ? accountTexts.signInWithFactor : accountTexts.setPasswordFirst
}

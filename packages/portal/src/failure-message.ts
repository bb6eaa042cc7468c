import type { Failure } from '@gatehouse/sign-in'
import { portalTexts, signInTexts } from './messages/current.ts'

/** The message for a failed call: the page's own where it knows the code, else the server's, if it sent one. */
export const failureMessage = ({ is, message, code }: Failure) => {
  if (is !== 'refused') return signInTexts.unexpected.advice
  return code === 'TooManyRequests' || code === 'Busy' ? portalTexts.later[code] : message
}

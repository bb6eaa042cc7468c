import type { Failure } from '@gatehouse/sign-in'
import { portalTexts, signInTexts } from './messages/current.ts'
import { isOwnKey } from './messages/own-key.ts'

/** The message for a failed call: the page's own where it knows the code, else the server's, if it sent one. */
export const failureMessage = ({ is, message, code, value }: Failure) => {
  if (is !== 'refused') return signInTexts.unexpected.advice
  const { fault, failures } = portalTexts
  if (code === 'Fault' && value !== undefined) return fault(value)
  return isOwnKey(failures, code) ? failures[code] : message
}

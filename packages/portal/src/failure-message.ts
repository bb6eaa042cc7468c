import type { Failure } from '@gatehouse/sign-in'
import { portalTexts, signInTexts } from './messages/current.ts'
import { isOwnKey } from './messages/own-key.ts'

/** The message for a failed call. It never contains the server's own message, which is for developers and in English. */
export const failureMessage = ({ is, status, code, value }: Failure) => {
  if (is !== 'refused') return signInTexts.unexpected.advice
  const { fault, failures, refused } = portalTexts
  if (code === 'Fault' && value !== undefined) return fault(value)
  return isOwnKey(failures, code) ? failures[code] : refused(String(status))
}

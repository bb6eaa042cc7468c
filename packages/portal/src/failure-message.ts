import type { Failure } from '@gatehouse/sign-in'
import { signInTexts } from './messages/current.ts'

/** The message for a failed call: the server's, if it sent one. */
export const failureMessage = ({ is, message }: Failure) => (is === 'refused' ? message : signInTexts.unexpected.advice)

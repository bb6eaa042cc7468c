import type { Failure } from '@gatehouse/sign-in'
import { english } from './messages/en.ts'

/** The message for a failed call: the server's, if it sent one. */
export const failureMessage = ({ is, message }: Failure) => (is === 'refused' ? message : english.unexpected.advice)

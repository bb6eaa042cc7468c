import type { Failure } from '@gatehouse/sign-in'
import { english } from './messages/en.ts'

/** What to tell a person of a call that gave nothing: the server's own words, where there are any. */
export const failureMessage = ({ is, message }: Failure) => (is === 'refused' ? message : english.unexpected.advice)

import { Refused } from '../bind.ts'

/** The session is too old for the call: the page asks for the password, or tells the user to sign in again. */
export const staleSession = () =>
  new Refused(403, 'Sign in again first; the last time was more than 15 minutes ago', 'ReauthenticationRequired')

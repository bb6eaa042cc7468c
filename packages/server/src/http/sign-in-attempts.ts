import type { AuthOutcome } from '@gatehouse/wire'
import type { Metrics } from '../metrics.ts'
import type { SignedIn } from '../sign-in/sign-in.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Call } from './bind.ts'
import type { Caller } from './caller.ts'
import type { Rates } from './rate-limits.ts'

/** The common part of every call and form that signs in: rate limits before, cookies and metrics after. */
export const createSignInAttempts = ({ caller, rates, metrics }: { caller: Caller; rates: Rates; metrics: Metrics }) => ({
  /** Counts an attempt by client address, and by the different usernames of that address. @throws TooMany */
  count: async ({ request }: Call, username: string): Promise<void> => {
    await rates.count('signIn', request.ip)
    await rates.countAccount(request.ip, username)
  },

  /** The visitor of a call, with the id of the sign-in that the call belongs to. */
  visitor: ({ request }: Call, page?: Parameters<Caller['signInVisitor']>[1]): Visitor => caller.signInVisitor(request, page),

  /** Sets the cookies of a result, and counts it in the metrics under the name of the call. */
  answer: (name: string, signedIn: SignedIn, { request, reply }: Call): AuthOutcome => {
    metrics.signIn(name, signedIn.outcome.tag)
    caller.setSignInCookies(request, reply, signedIn)
    return signedIn.outcome
  },
})
export type SignInAttempts = ReturnType<typeof createSignInAttempts>

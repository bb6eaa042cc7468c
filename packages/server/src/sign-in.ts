import type { AuthOutcome, AuthToken, LoginRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import { BadInput } from './bad-input.ts'
import type { Tables } from './db/schema.ts'
import * as lockout from './lockout.ts'
import { isOutdated, type Passwords } from './passwords.ts'
import { hashSecret, type Keys } from './secrets.ts'
import * as tokens from './tokens.ts'

/** Who asks: where from, and what the browser showed of itself. */
export type Visitor = audit.Origin & {
  /** The cookie of a browser that signed in before. */
  browser: string | undefined
}

/** An outcome and, when the password was right, the cookies that go with it. */
export type SignedIn = { outcome: AuthOutcome; cookies?: { binding: string; browser: string } }

const failed: SignedIn = { outcome: { tag: 'AuthFailureFailedLogin' } }

/** Decides on sign-ins: who gets in, and how the browser is handed to the dashboard. */
export const createSignIn = (deps: { db: Kysely<Tables>; passwords: Passwords; keys: Keys; now: () => number }) => {
  const { db, passwords, keys, now } = deps

  const withPassword = async (request: LoginRequest, visitor: Visitor): Promise<SignedIn> => {
    const ident = accounts.canonicalUsername(request.username)
    if (ident === undefined) throw new BadInput('username: expected an e-mail address')
    // The turn comes first: who is sent away because all slots are taken has not used up a try.
    return passwords.inTurn(async turn => {
      const account = await accounts.findByIdent(db, ident)
      const name = account ? { ident, userId: account.userId } : { ident: keys.blindName(ident), userId: undefined }
      const refuse = async (result: string) => {
        await audit.record(db, { event: 'sign-in', result, actor: null, target: name.userId ?? name.ident, now: now() }, visitor)
        await turn.endRefused()
        return failed
      }
      const count = await lockout.countOf(db, name, visitor.browser && hashSecret(visitor.browser), now())
      if (!(await lockout.countTry(db, count, now()))) return refuse('locked')
      const stored = account?.userPassword
      const right = await turn.verify(request.password, stored)
      if (!account || !stored || !right) return refuse('wrong-password')
      const rehashed = isOutdated(stored) ? await turn.hash(request.password) : undefined
      return (await enter({ userId: account.userId, stored, rehashed }, count, visitor)) ?? refuse('changed-meanwhile')
    })
  }

  /** The password was right: all that follows from it happens, or nothing. */
  const enter = (right: { userId: string; stored: string; rehashed: string | undefined }, count: lockout.Count, visitor: Visitor) =>
    db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const account = await accounts.confirmPassword(tx, right.userId, right.stored, right.rehashed)
      if (!account) return undefined
      await lockout.clearCount(tx, count)
      const said = (result: string) =>
        audit.record(tx, { event: 'sign-in', result, actor: account.userId, target: account.userId, now: now() }, visitor)
      if (account.userForcedReset) {
        await said('forced-reset')
        return { outcome: { tag: 'AuthFailureForcedReset' } }
      }
      const browser = await lockout.rememberBrowser(tx, count, account.userId, visitor.browser, now())
      const { binding, ...token } = await tokens.issueHandOver(tx, account.userId, now())
      await said('successful')
      return { outcome: { tag: 'AuthSuccessful', contents: authToken(token, account.userId, visitor) }, cookies: { binding, browser } }
    })

  const authToken = (
    token: { authTokenSelector: string; authTokenToken: string; authTokenExpires: number },
    user: string,
    visitor: Visitor,
  ): AuthToken => ({
    authTokenSelector: token.authTokenSelector,
    authTokenToken: token.authTokenToken,
    authTokenUserAgent: visitor.userAgent,
    authTokenExpires: new Date(token.authTokenExpires).toISOString(),
    authTokenUser: user,
  })

  /**
   * Exchanges a hand-over for a session and returns the session's cookie value; `undefined` when it is unknown, used,
   * expired or another browser's. The session the browser had before ends.
   */
  const exchange = (claim: tokens.HandOverClaim, visitor: Visitor, before: tokens.Session | undefined): Promise<string | undefined> =>
    db.transaction().execute(async tx => {
      const user = await tokens.exchangeHandOver(tx, claim, now())
      if (user === undefined) {
        await audit.record(tx, { event: 'hand-over-refused', result: 'exchange', actor: null, target: null, now: now() }, visitor)
        return undefined
      }
      return startSession(tx, user, visitor, before)
    })

  /**
   * The browser has come to the token page. Returns the cookie value of the session that this starts, or nothing new
   * when plowlogin or loginWithToken started it before; `undefined` when the page does not work (any more).
   */
  const arrive = (
    claim: tokens.HandOverClaim,
    visitor: Visitor,
    before: tokens.Session | undefined,
  ): Promise<{ session?: string } | undefined> =>
    db.transaction().execute(async tx => {
      const arrived = await tokens.arriveByHandOver(tx, claim, now())
      if (!arrived) {
        await audit.record(tx, { event: 'hand-over-refused', result: 'token-page', actor: null, target: null, now: now() }, visitor)
        return undefined
      }
      return arrived.exchanged ? {} : { session: await startSession(tx, arrived.user, visitor, before) }
    })

  const startSession = async (
    tx: Parameters<typeof tokens.startSession>[0],
    user: string,
    visitor: Visitor,
    before: tokens.Session | undefined,
  ): Promise<string> => {
    if (before) await tokens.endSession(tx, before.sessionSelector)
    const session = await tokens.startSession(tx, user, visitor, now())
    await audit.record(tx, { event: 'session-started', result: 'successful', actor: user, target: user, now: now() }, visitor)
    return session
  }

  return { withPassword, exchange, arrive }
}
export type SignIn = ReturnType<typeof createSignIn>

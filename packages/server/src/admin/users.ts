import type { DeleteRequest, User, UserAddRequest, UsernameRequest, UserUpdateRequest } from '@gatehouse/wire'
import { BadInput } from '../bad-input.ts'
import type { Keys } from '../keys/secrets.ts'
import { exchangeHandOver } from '../sessions/hand-overs.store.ts'
import type { Session } from '../sessions/session.ts'
import { isTimeZone } from '../users/time-zone.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { PasswordLink } from './password-link.ts'
import type { Administer, Administered } from './permission.ts'
import type { UserActs } from './user-acts.ts'

/** The API calls with which administrators manage users. Other users get the same refusal for every target. */
export const createUsers = (deps: {
  administer: Administer
  passwordLink: PasswordLink
  acts: UserActs
  keys: Keys
  now: () => number
}) => {
  const { acts, passwordLink, keys, now } = deps
  const { administer } = deps.administer

  const timeZone = (label: string, field: string): string => {
    if (!isTimeZone(label)) throw new BadInput(`${field}: expected a time zone like Europe/Amsterdam`, 'TimeZoneUnknown')
    return label
  }

  const identOf = (text: string, field: string): string => {
    const ident = canonicalUsername(text)
    if (ident === undefined) throw new BadInput(`${field}: expected an email address`, 'AddressMalformed')
    return ident
  }

  /** Adds a user without a password and mails the link to choose one, so no administrator knows the password. */
  const add = (request: UserAddRequest, caller: Session | undefined, visitor: Visitor): Promise<Administered<User>> => {
    const userIdent = identOf(request.username, 'username')
    const userTZLabel = timeZone(request.timezone, 'timezone')
    const by = { caller, named: request.authenticateduser, visitor, event: 'user-added', target: keys.blindName(userIdent) } as const
    return administer(by, async (tx, recordResult) => {
      const userId = await accounts.addAccount(tx, { userIdent, userPassword: null, userTZLabel, now: now() })
      if (userId === undefined) {
        await recordResult('taken')
        return { refused: 'taken' }
      }
      await recordResult('successful', userId)
      await passwordLink.invite(tx, { userId, userIdent })
      return { done: { ident: userIdent, tzLabel: userTZLabel } }
    })
  }

  const update = (request: UserUpdateRequest, caller: Session | undefined, visitor: Visitor): Promise<Administered<User>> => {
    const zone = request.timezone == null ? undefined : timeZone(request.timezone, 'timezone')
    const by = { caller, named: request.authenticateduser, visitor, event: 'user-updated', target: request.userid } as const
    return administer(by, async (tx, recordResult) => {
      const account = await accounts.lockAccount(tx, request.userid)
      if (!account) {
        await recordResult('unknown-user')
        return { refused: 'unknown' }
      }
      if (zone !== undefined) await accounts.setTimeZone(tx, account.userId, zone)
      await recordResult('successful')
      return { done: toUser({ ...account, userTZLabel: zone ?? account.userTZLabel }) }
    })
  }

  /** Deletes a user. Redeems the hand-over code of a sign-in that the administrator has just completed in this browser. */
  const remove = (request: DeleteRequest, binding: string, caller: Session | undefined, visitor: Visitor): Promise<Administered<null>> => {
    const ident = identOf(request.userident, 'userident')
    const by = { caller, named: undefined, visitor, event: 'user-deleted', target: keys.blindName(ident) } as const
    return administer(by, async (tx, recordResult, administrator) => {
      const claim = { authTokenSelector: request.selector, authTokenToken: request.token, binding }
      const proved = await exchangeHandOver(tx, claim, now())
      if (proved?.user !== administrator.userId) {
        await recordResult('hand-over-refused')
        return { refused: 'forbidden' }
      }
      const account = await accounts.findByIdent(tx, ident)
      if (!account) {
        await recordResult('unknown-user')
        return { refused: 'unknown' }
      }
      if (account.userId === administrator.userId) {
        await recordResult('oneself')
        return { refused: 'oneself' }
      }
      await acts.remove(tx, account, { actor: administrator.userId, origin: visitor })
      return { done: null }
    })
  }

  const findByUsername = (request: UsernameRequest, caller: Session | undefined, visitor: Visitor): Promise<Administered<User>> => {
    const ident = identOf(request.username, 'username')
    const by = { caller, named: request.authenticateduser, visitor, event: 'user-looked-up', target: keys.blindName(ident) } as const
    return administer(by, async (tx, recordResult) => {
      const account = await accounts.findByIdent(tx, ident)
      await recordResult(account ? 'successful' : 'unknown-user', account?.userId)
      return account ? { done: toUser(account) } : { refused: 'unknown' }
    })
  }

  return { add, update, remove, findByUsername }
}
export type Users = ReturnType<typeof createUsers>

/** A user as callers see it, without the password. */
const toUser = (account: accounts.Account): User => ({
  ident: account.userIdent,
  tzLabel: account.userTZLabel,
  azureId: account.userAzureId,
  googleId: account.userGoogleId,
  pakId: account.userPakId,
})

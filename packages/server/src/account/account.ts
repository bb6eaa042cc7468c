import type { Language } from '@gatehouse/language/languages.ts'
import type { MailLinkRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import { BadInput } from '../bad-input.ts'
import type { Permit, Proof } from '../credentials/credential-rules.ts'
import type { Db, Tables } from '../db/schema.ts'
import { ask, demand } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { redeemWithAccount } from '../mail-links/redemption.ts'
import type { PasswordProblem } from '../passwords/password-rules.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { masked, type Recovery } from '../recovery/recovery.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import { isFresh, provenBy, type Session, usedOwnFactor } from '../sessions/session.ts'
import { endSession, sessionExists, startSession } from '../sessions/sessions.store.ts'
import type { Authentication } from '../sign-in/authenticate.ts'
import type { Again, AuthenticateAgain } from '../sign-in/authenticate-again.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import { areRecoveryCodesDue } from '../sign-in/sign-in.ts'
import { isTimeZone } from '../users/time-zone.ts'
import { expectedLanguage, isLanguage } from '../users/user-language.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Reauthentication } from './reauthentication.ts'

/** The result of a password change: the cookie of the new session, or why nothing changed. */
export type Changed = { session: string } | { refused: 'not-signed-in' | 'another-user' | 'wrong-password' | 'has-password' | 'stale' }

/** Lets users change their own account. */
export const createOwnAccount = (deps: {
  db: Kysely<Tables>
  passwords: Passwords
  authentication: Authentication
  authenticateAgain: AuthenticateAgain
  reauthentication: Reauthentication
  recovery: Recovery
  mail: Mail
  passwordProblem: PasswordProblem
  isAdministrator: (userIdent: string) => boolean
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  /** Every language of the server. */
  languages: readonly Language[]
  now: () => number
}) => {
  const { db, passwords, mail, languages, now } = deps
  const { authenticatePassword } = deps.authentication

  const checkNew = async (password: string, userIdent: string) => {
    const problem = await deps.passwordProblem(password, userIdent)
    if (problem) throw new BadInput(`newpassword: ${problem.says}`, problem.code)
  }

  /**
   * Sets the password, ends every session and starts a new one for this browser (ASVS 7.2.4).
   * @returns the new session's cookie. Undefined if the change is not permitted, or the session has ended
   */
  const replacePassword = async (
    tx: Db,
    account: accounts.Account,
    session: Session,
    change: { act: 'change-password' | 'create-password'; proof: Proof; userPassword: string; byMail: 0 | 1 },
    visitor: Visitor,
  ): Promise<string | undefined> => {
    if (account.userForcedReset) return undefined
    const { userId } = account
    const proof = { ...change.proof, session: provenBy(session, now()) }
    const permit = await ask(tx, account, change.act, proof)
    if ('refused' in permit) return undefined
    // The old password reauthenticates, as in `confirmPassword`. One set by mailed link does not, if the account has a second factor.
    const confirms = !('refused' in (await ask(tx, account, 'confirm-session', proof)))
    if (!(await endSession(tx, session.sessionSelector))) return undefined
    await deps.recovery.setPassword(account, permit, change.userPassword, change.byMail)
    await mail.notify(tx, account, { kind: 'password-changed' }, visitor)
    await audit.record(tx, { event: 'password-changed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
    // The new session keeps the time of the sign-in: a password alone is not a new sign-in.
    const { sessionCreated, sessionExpires, sessionFactorAt } = session
    const since = { sessionCreated, sessionExpires, sessionFactorAt, sessionConfirmed: confirms ? now() : session.sessionConfirmed }
    return startSession(tx, { user: userId, factor: session.sessionFactor }, visitor, now(), since)
  }

  /** Changes a password. A wrong old password counts as a failed attempt. */
  const changePassword = async (
    request: { useridentity: string; oldpassword: string; newpassword: string },
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<Changed> => {
    if (!session) return { refused: 'not-signed-in' }
    if (canonicalUsername(request.useridentity) !== session.userIdent) return { refused: 'another-user' }
    await checkNew(request.newpassword, session.userIdent)
    const claim = { username: request.useridentity, password: request.oldpassword }
    using first = await authenticatePassword(claim, visitor, { event: 'password-changed', field: 'useridentity' })
    if (!first) return { refused: 'wrong-password' }
    const userPassword = await first.hash(request.newpassword)
    return await db.transaction().execute(async (tx): Promise<Changed> => {
      const { account } = (await first.confirm(tx)) ?? {}
      const byMail = account?.userPasswordByMail ?? 0
      const change = { act: 'change-password', proof: first.proof, userPassword, byMail } as const
      const renewed = account && (await replacePassword(tx, account, session, change, visitor))
      return renewed === undefined ? first.refuse(tx, { refused: 'wrong-password' }) : { session: renewed }
    })
  }

  /** Creates a password for a user who has none, for example because they sign in with a provider. Requires a recent sign-in. */
  const createPassword = async (
    request: { useridentity: string; newpassword: string },
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<Changed> => {
    if (!session) return { refused: 'not-signed-in' }
    if (canonicalUsername(request.useridentity) !== session.userIdent) return { refused: 'another-user' }
    if (!isFresh(session, now())) return { refused: 'stale' }
    await checkNew(request.newpassword, session.userIdent)
    const knownFor = async () => session.userIdent
    const userPassword = await passwords.inTurn({ address: visitor.address, knownFor }, turn => turn.hash(request.newpassword))
    return db.transaction().execute(async (tx): Promise<Changed> => {
      const account = await accounts.lockAccount(tx, session.userId)
      // Attack: someone who controls the provider account and its mailbox creates a password, and with it replaces the owner's second
      // factor. So the password counts as mailed, unless the session used a second factor and the user still has one.
      const byMail = usedOwnFactor(session) && (await factors.hasVerified(tx, session.userId)) ? 0 : 1
      const change = { act: 'create-password', proof: {}, userPassword, byMail } as const
      const renewed = account && (await replacePassword(tx, account, session, change, visitor))
      return renewed === undefined ? { refused: 'has-password' } : { session: renewed }
    })
  }

  /**
   * Mails a link to the new address. The answer does not reveal whether another user has that address.
   * @returns true if the user proved their identity again. Otherwise why the server refused the request
   */
  const changeEmail = async (
    request: { newemail: string } & Again,
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<true | 'not-signed-in' | 'wrong-password' | 'stale' | 'lower'> => {
    if (!session) return 'not-signed-in'
    if (!isFresh(session, now())) return 'stale'
    const email = canonicalUsername(request.newemail)
    if (email === undefined) throw new BadInput('newemail: expected an email address', 'AddressMalformed')
    if (email === session.userIdent) throw new BadInput('newemail: is the address you have', 'AddressUnchanged')
    using first = await deps.authenticateAgain(request, session, visitor, { event: 'email-change-requested', field: 'newemail' })
    if (!first) return 'wrong-password'
    return await db.transaction().execute(async tx => {
      const { account } = (await first.confirm(tx)) ?? {}
      // If the session has ended meanwhile, change nothing.
      if (!account || account.userForcedReset || !(await sessionExists(tx, session.sessionSelector)))
        return first.refuse(tx, 'wrong-password')
      const permit = await ask(tx, account, 'ask-for-address', { ...first.proof, session: provenBy(session, now()) })
      if ('refused' in permit) return 'lower'
      await askForAddress(permit, account, email, visitor)
      return true
    })
  }

  const askForAddress = async (permit: Permit<'ask-for-address'>, account: accounts.Account, email: string, visitor: Visitor) => {
    const { tx, userId } = permit
    const may = (await mailLinks.findQuota(tx, userId, 'EmailChange', mailLinks.anyNetwork, now())) !== undefined
    const lifetime = limits.mailLink.emailChange
    const fragment = may ? await mailLinks.issueMailLink(tx, { kind: 'EmailChange', userId, lifetime, email, now: now() }) : ''
    const [emailVerkey = ''] = fragment.split('.')
    const noted = may && (await accounts.requestEmail(permit, { emailEmail: email, emailVerkey }))
    // Attack: a user changes their address to an administrator's, to get the administrator's rights.
    const free = noted && !deps.isAdministrator(email)
    if (free) {
      const link = `${deps.publicUrl}/confirm-email#${fragment}`
      const message = { kind: 'email-change', link, minutes: lifetime / 60_000, account: masked(account.userIdent) } as const
      // The mail is in this user's language, although no account has the address yet.
      await mail.queue(tx, account, { to: email, message }, now() + lifetime)
    } else if (may) {
      await mail.queueDecoy(tx)
    }
    const result = free ? 'successful' : may ? 'taken' : 'too-many'
    await audit.record(tx, { event: 'email-change-requested', result, actor: userId, target: userId, now: now() }, visitor)
  }

  /** Redeems the mailed link: the new address becomes the username, and the old address gets a mail. */
  const confirmEmail = (claim: MailLinkRequest, visitor: Visitor): Promise<boolean> =>
    db.transaction().execute(async tx => {
      const { link, account: owner } = (await redeemWithAccount(tx, { kind: 'EmailChange', ...claim }, now())) ?? {}
      const email = link?.mailLinkEmail
      const permit = owner && (await demand(tx, owner, 'confirm-address', { mailedLink: true }))
      // The operator may have configured the new address as an administrator's since the server sent the link.
      const confirmed =
        link && email && !deps.isAdministrator(email) ? { emailEmail: email, emailVerkey: link.mailLinkSelector } : undefined
      const before = confirmed && permit && (await accounts.confirmEmail(permit, confirmed))
      const account = before && owner && (await accounts.findById(tx, owner.userId))
      const target = owner?.userId ?? null
      const result = account ? 'successful' : 'refused'
      await audit.record(tx, { event: 'email-changed', result, actor: target, target, now: now() }, visitor)
      if (!account) return false
      await revokeAll(tx, account.userId)
      // A reader of the old mailbox may have seen the secret of a pending factor reset.
      await factors.endPending(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      // The next user of the old address starts without failed attempts.
      await lockout.unlock(tx, before)
      const old = { ...account, userIdent: before }
      await mail.notify(tx, old, { kind: 'email-changed', newEmail: masked(account.userIdent) }, visitor)
      return true
    })

  /** Sets the time zone of pages and mails. */
  const setTimeZone = async (userTZLabel: string, session: Session | undefined, visitor: Visitor): Promise<boolean> => {
    if (!isTimeZone(userTZLabel)) throw new BadInput('userTZLabel: expected a time zone like Europe/Amsterdam', 'TimeZoneUnknown')
    const set = await deps.reauthentication.inSession(session, async (tx, { userId }) => {
      await accounts.setTimeZone(tx, userId, userTZLabel)
      await audit.record(tx, { event: 'time-zone-changed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return true
    })
    return set === true
  }

  /** Sets the language of pages and mails. With `null`, pages use the browser's language. */
  const setLanguage = async (userLanguage: string | null, session: Session | undefined, visitor: Visitor): Promise<boolean> => {
    if (userLanguage !== null && !isLanguage(userLanguage, languages)) throw new BadInput(`userLanguage: ${expectedLanguage(languages)}`)
    const set = await deps.reauthentication.inSession(session, async (tx, { userId }) => {
      await accounts.setLanguage(tx, userId, userLanguage)
      await audit.record(tx, { event: 'language-changed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return true
    })
    return set === true
  }

  /**
   * Whether to offer recovery codes to the signed-in user: only if the session used a second factor, the last authentication is recent, and
   * the user has no codes.
   */
  const mayMakeRecoveryCodes = async (session: Session, on: Db = db): Promise<boolean> =>
    // A provider's second factor must not create codes that can stand in for the account's own second factor.
    usedOwnFactor(session) && isFresh(session, now()) && (await areRecoveryCodesDue(on, session.userId))

  /** Makes ten recovery codes. Undefined if the user may not make any now. */
  const makeRecoveryCodes = async (session: Session | undefined, visitor: Visitor): Promise<string[] | undefined> => {
    const made = await deps.reauthentication.inSession(session, async (tx, account, caller) => {
      if (!(await mayMakeRecoveryCodes(caller, tx))) return undefined
      const permit = await demand(tx, account, 'make-recovery-codes', { session: provenBy(caller, now()) })
      const codes = await recoveryCodes.makeRecoveryCodes(permit, now())
      await mail.notify(tx, account, { kind: 'recovery-codes-anew' }, visitor)
      const { userId } = account
      await audit.record(tx, { event: 'recovery-codes-made', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return codes
    })
    return made === 'not-signed-in' ? undefined : made
  }

  return { changePassword, createPassword, changeEmail, confirmEmail, setTimeZone, setLanguage, makeRecoveryCodes, mayMakeRecoveryCodes }
}
export type OwnAccount = ReturnType<typeof createOwnAccount>

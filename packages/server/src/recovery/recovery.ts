import {
  type MagicLinkRedeemRequest,
  type MagicLinkRequest,
  type MailLink,
  type PasswordResetResult,
  pages,
  type ResetWithTokenRequest,
  type SSOProvider,
  type SsoProviderName,
} from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import { BadInput } from '../bad-input.ts'
import type { Db, Row, Tables } from '../db/schema.ts'
import { demand } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import { listNames } from '../factors/passkey/passkeys.store.ts'
import { hashSecret, type Keys } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import type { MailRequest } from '../mail/mail-content.ts'
import type { MailMessage } from '../mail/messages.ts'
import { claimNotice } from '../mail/notices.store.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { redeemFoundWithAccount, redeemWithAccount } from '../mail-links/redemption.ts'
import { endPassesOf } from '../passes/passes.store.ts'
import type { PasswordProblem } from '../passwords/password-rules.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type { Confirmed } from '../sign-in/authenticate.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import { failed, type SignedIn, type SignIn } from '../sign-in/sign-in.ts'
import { providerIdOf } from '../users/linked-identities.ts'
import { storedPassword } from '../users/stored-password.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { isInvited } from './invitation.ts'
import { newMailCode, readMailCode, shownMailCode, waitNumber } from './mail-code.ts'
import type { MailRequesters } from './mail-requesters.ts'

/** Sign-in and new passwords by mailed links. */
export const createRecovery = (deps: {
  db: Kysely<Tables>
  signIn: SignIn
  passwords: Passwords
  passwordProblem: PasswordProblem
  keys: Keys
  mail: Mail
  requesters: MailRequesters
  isAdministrator: (userIdent: string) => boolean
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  now: () => number
}) => {
  const { db, signIn, passwords, keys, mail, requesters, publicUrl, now } = deps

  const identOf = (text: string, field: string): string => {
    const ident = canonicalUsername(text)
    if (ident === undefined) throw new BadInput(`${field}: expected an email address`)
    return ident
  }

  /** Queues requests for mail. Does the same for known and unknown usernames. */
  const queueRequests = (requests: readonly MailRequest[], visitor: Visitor): Promise<void> =>
    db.transaction().execute(async tx => {
      for (const request of requests) {
        await mail.queueRequest(tx, { ...request, trace: requesters.traceOf(request.ident, visitor) })
        const target = keys.blindName(request.ident)
        await audit.record(tx, { event: 'mail-requested', result: request.request, actor: null, target, now: now() }, visitor)
      }
    })

  const sendPasswordResetEmail = (useremail: string, visitor: Visitor): Promise<void> =>
    queueRequests([{ request: 'PasswordReset', ident: identOf(useremail, 'useremail') }], visitor)

  const sendOneTimeLinks = (requests: readonly MagicLinkRequest[], visitor: Visitor): Promise<void> =>
    queueRequests(
      requests.map(({ email, redirect }, i): MailRequest => {
        const ident = identOf(email, `/${i}/email`)
        return redirect.tag === 'RedirectSSOLogin'
          ? { request: 'SSOLink', ident, provider: redirect.contents }
          : { request: 'OneTimeLink', ident, ...waiterOf(visitor) }
      }),
      visitor,
    )

  /** Queues the mail that was requested, if the account exists and its quota allows. */
  const grant = async (tx: Db, asked: MailRequest): Promise<void> => {
    const found = await accounts.findByIdent(tx, asked.ident)
    const account = found && (await accounts.lockAccount(tx, found.userId))
    if (!account) return
    const { userId, userIdent: to } = account
    // After a forced reset, users without a password get the reset link: a sign-in at their provider would only ask for the reset again.
    const onlyBy = account.userPassword === null && !account.userForcedReset ? providerOf(account) : undefined
    const asks = await requesters.requesterOf(tx, userId, asked.trace)
    if (asked.request === 'SSOLink' || onlyBy !== undefined) {
      const provider = asked.request === 'SSOLink' ? asked.provider : onlyBy
      const { within, most } = limits.mail.many
      if (!provider || providerIdOf(account, provider) === null) return
      // The link never expires, so the user can also use one that a stranger requested.
      const kind = asks.known ? 'sso-link-known' : 'sso-link'
      if (!(await claimNotice(tx, { userId, kind }, within / most, now()))) return
      const link = `${publicUrl}${pages.ssoLogin(providerNames[provider])}`
      return mail.queue(tx, account, { to, message: { kind: 'sso-link', link, provider } })
    }
    const requester = await mailLinks.findQuota(tx, userId, asked.request, asks, now())
    if (!requester) return
    const issue = async (lifetime: number, messageOf: (fragment: string) => MailMessage, wait?: mailLinks.BoundTo) => {
      const fragment = await mailLinks.issueMailLink(tx, { kind: asked.request, userId, lifetime, requester, wait, now: now() })
      await mail.queue(tx, account, { to, message: messageOf(fragment) }, now() + lifetime)
    }
    const { oneTime, passwordReset, invitation } = limits.mailLink
    if (asked.request === 'OneTimeLink') {
      const { from, wait } = asked
      // Attack: a caller on the phone talks the user into reading the code aloud. So administrators get no code and must open the link.
      const code = wait && !deps.isAdministrator(to) ? newMailCode() : undefined
      const messageOf = (fragment: string): MailMessage => ({
        kind: 'one-time-link',
        link: `${publicUrl}/one-time-link#${fragment}`,
        minutes: oneTime / 60_000,
        ...(from && { from }),
        ...(wait && { asksNumber: true }),
        ...(code !== undefined && { code: shownMailCode(code) }),
      })
      const blindCode = code === undefined ? undefined : (selector: string) => keys.blindCode(code, selector)
      return issue(oneTime, messageOf, wait && { ...wait, blindCode })
    }
    const link = (fragment: string) => `${publicUrl}/new-password#${fragment}`
    // An invited user gets another invitation, because newer links void older ones: a stranger's requests must not shorten the user's time.
    if (await isInvited(tx, account)) {
      return issue(invitation, fragment => ({ kind: 'invitation', link: link(fragment), hours: invitation / 3_600_000 }))
    }
    return issue(passwordReset, fragment => ({ kind: 'password-reset', link: link(fragment), minutes: passwordReset / 60_000 }))
  }

  /** The state and the user of a mailed link, without redeeming it. */
  const look = async (claim: mailLinks.Claim, visitor: Visitor): Promise<MailLink> => {
    const { state, link } = await mailLinks.lookAtMailLink(db, claim, now())
    if (!link) return { state }
    if (link.mailLinkEmail !== null) return { state, email: link.mailLinkEmail }
    const account = await accounts.findById(db, link.mailLinkUser)
    if (!account) return { state: 'Unknown' }
    return {
      state,
      email: claim.kind === 'PasswordReset' ? account.userIdent : masked(account.userIdent),
      ...(asksNumber(link, visitor) && { asksNumber: true }),
    }
  }

  const refuseLink = async (result: 'refused' | 'wrong-number', visitor: Visitor, target: string | null = null): Promise<SignedIn> => {
    await audit.record(db, { event: 'one-time-link', result, actor: null, target, now: now() }, visitor)
    return failed
  }

  /** Checks the number that a one-time link requires in every browser but the one that requested it. */
  const checkNumber = async (claim: mailLinks.Claim, number: string | undefined, visitor: Visitor): Promise<SignedIn | undefined> => {
    const { link } = await mailLinks.lookAtMailLink(db, claim, now())
    if (!link || !asksNumber(link, visitor)) return undefined
    if (number === undefined) return refuseLink('refused', visitor, link.mailLinkUser)
    const isRight = await mailLinks.countNumber(db, claim, number, now())
    return isRight ? undefined : refuseLink('wrong-number', visitor, link.mailLinkUser)
  }

  /** Redeems a one-time link, which replaces the password and nothing else: a second factor is still required. */
  const redeemOneTimeLink = async ({ number, ...link }: MagicLinkRedeemRequest, visitor: Visitor): Promise<SignedIn> => {
    const claim = { kind: 'OneTimeLink', selector: link.selector, token: link.token } as const
    const refusal = await checkNumber(claim, number?.replace(/\s/g, ''), visitor)
    return refusal ?? signInBy(tx => redeemWithAccount(tx, claim, now()), visitor)
  }

  const signInBy = (redeem: (tx: Db) => ReturnType<typeof redeemWithAccount>, visitor: Visitor): Promise<SignedIn> =>
    db.transaction().execute(async (tx): Promise<SignedIn> => {
      const { account } = (await redeem(tx)) ?? {}
      if (!account) {
        await audit.record(tx, { event: 'one-time-link', result: 'refused', actor: null, target: null, now: now() }, visitor)
        return failed
      }
      const confirmed: Confirmed = { tx, account, proof: { firstFactor: true, mailedLink: true }, event: 'one-time-link' }
      return signIn.addTicket(confirmed, await signIn.proceed(confirmed, visitor))
    })

  /**
   * Redeems the code of a one-time-link mail, only in the browser that asked for it. A browser that asked for an unknown user's link costs
   * the same: one counting statement, one HMAC and one audit row, in one transaction.
   */
  const redeemMailCode = async (typed: string, visitor: Visitor): Promise<SignedIn> => {
    const binding = visitor.mailWait === undefined ? '' : hashSecret(visitor.mailWait)
    const code = readMailCode(typed) ?? ''
    const found = await db.transaction().execute(async tx => {
      const links = await mailLinks.countCode(tx, binding, now())
      const [first, ...more] = links.map(link => ({ link, isRight: keys.blindCode(code, link.mailLinkSelector) === link.mailLinkCode }))
      if (!first) keys.blindCode(code, '')
      const right = first?.isRight ? first : more.find(({ isRight }) => isRight)
      const target = first?.link.mailLinkUser ?? null
      if (!right) await audit.record(tx, { event: 'one-time-link', result: 'wrong-code', actor: null, target, now: now() }, visitor)
      return right?.link
    })
    return found ? signInBy(tx => redeemFoundWithAccount(tx, found, now()), visitor) : failed
  }

  /**
   * Sets a password by a mailed link. This ends every session; the user then signs in with password and second factor.
   * @returns the names of the user's passkeys, which stay. Undefined if the link was not valid, or another user's
   * @throws BadInput when the password breaks the rules; the link stays valid
   */
  const resetPassword = async (request: ResetWithTokenRequest, visitor: Visitor): Promise<PasswordResetResult | undefined> => {
    const ident = identOf(request.username, 'username')
    const [selector = '', token = ''] = request.resettoken.split('.')
    const claim = { kind: 'PasswordReset', selector, token } as const
    const { link } = await mailLinks.lookAtMailLink(db, claim, now())
    const account = link && (await accounts.findById(db, link.mailLinkUser))
    // Look before hashing, so that only visitors with a link cost a hash.
    if (!account || account.userIdent !== ident) {
      const target = account?.userId ?? null
      await audit.record(db, { event: 'password-reset', result: 'refused', actor: null, target, now: now() }, visitor)
      return undefined
    }
    const problem = await deps.passwordProblem(request.newpassword, ident)
    if (problem) throw new BadInput(`newpassword: ${problem.says}`, problem.code)
    const knownFor = async () => account.userIdent
    const userPassword = await passwords.inTurn({ address: visitor.address, knownFor }, async turn => {
      // After a forced reset the new password must differ from the old one.
      const same = account.userForcedReset && (await turn.verify(request.newpassword, storedPassword(account)))
      return same ? undefined : turn.hash(request.newpassword)
    })
    if (userPassword === undefined) throw new BadInput('newpassword: must be another one than before', 'PasswordUnchanged')
    return db.transaction().execute(async tx => {
      const { account: locked } = (await redeemWithAccount(tx, claim, now())) ?? {}
      if (!locked) return undefined
      const { userId } = locked
      await setPassword(locked, await demand(tx, locked, 'reset-password', { mailedLink: true }), userPassword, 1)
      const own = await listNames(tx, userId)
      await mail.notify(tx, locked, { kind: 'password-changed', ...(own.length > 0 && { passkeys: own }) }, visitor)
      await audit.record(tx, { event: 'password-reset', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { passkeys: own }
    })
  }

  /**
   * Sets a password, and ends the user's sessions, pending sign-ins, passes, mailed links, lockout and unverified factors. Attack: a
   * mailbox reader has seen the secret of an unverified factor through the link of a factor reset.
   */
  const setPassword = async (
    { userIdent }: accounts.Account,
    permit: Parameters<typeof accounts.setPassword>[0],
    userPassword: string,
    byMail: 0 | 1,
  ): Promise<void> => {
    const { tx, userId } = permit
    await accounts.setPassword(permit, userPassword, byMail)
    await factors.endPending(tx, userId)
    await lockout.unlock(tx, userIdent)
    await revokeAll(tx, userId)
    await endPassesOf(tx, { is: 'User', userId })
    await mailLinks.voidAll(tx, userId, now())
  }

  return { sendPasswordResetEmail, sendOneTimeLinks, grant, look, redeemOneTimeLink, redeemMailCode, resetPassword, setPassword }
}
export type Recovery = ReturnType<typeof createRecovery>

/** The browser that requests a one-time link. Its number derives from the cookie, not from the account. */
const waiterOf = ({ address, userAgent, mailWait }: Visitor) => ({
  from: { address, userAgent },
  ...(mailWait !== undefined && { wait: { binding: hashSecret(mailWait), number: waitNumber(mailWait) } }),
})

/** Whether a link requires the number of the tab that waits for it: in every browser but the one that requested the link. */
const asksNumber = ({ mailLinkBinding }: Row<'mail_links'>, { mailWait }: Visitor): boolean =>
  mailLinkBinding !== null && (mailWait === undefined || hashSecret(mailWait) !== mailLinkBinding)

/** `a•••@example.com`: enough for its user to recognize. */
export const masked = (ident: string): string => {
  const at = ident.lastIndexOf('@')
  const [first = ''] = ident
  return `${first}•••${ident.slice(at)}`
}

const providerNames: Record<SSOProvider, SsoProviderName> = { Google: 'google', Azure: 'azure', Pak: 'pak' }

/** The provider of a user without a password. */
const providerOf = (account: accounts.Account): SSOProvider | undefined => {
  if (account.userGoogleId !== null) return 'Google'
  if (account.userAzureId !== null) return 'Azure'
  return account.userPakId !== null ? 'Pak' : undefined
}

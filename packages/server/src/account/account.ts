import type { MailLinkRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import { BadInput } from '../bad-input.ts'
import type { Proof } from '../credentials/credential-rules.ts'
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
import type { CheckFirstFactor } from '../sign-in/authenticate.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import { areRecoveryCodesDue } from '../sign-in/sign-in.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Confirmation } from './reauthentication.ts'

/** What came of a wish to change one's own account: the cookie of the session that goes on, or why not. */
export type Changed = { session: string } | { refused: 'not-signed-in' | 'another-user' | 'wrong-password' | 'has-password' | 'stale' }

/** Decides on what people do to their own account. */
export const createOwnAccount = (deps: {
  db: Kysely<Tables>
  passwords: Passwords
  firstFactor: CheckFirstFactor
  confirmation: Confirmation
  recovery: Recovery
  mail: Mail
  passwordProblem: PasswordProblem
  isAdministrator: (userIdent: string) => boolean
  /** Address under which browsers reach us, without a slash at its end. */
  publicUrl: string
  now: () => number
}) => {
  const { db, passwords, firstFactor, mail, now } = deps

  const checkNew = async (password: string, userIdent: string) => {
    const problem = await deps.passwordProblem(password, userIdent)
    if (problem) throw new BadInput(`newpassword: ${problem}`)
  }

  /** Sets the password, ends every session and begins this browser's anew (ASVS 7.2.4). */
  const replace = (
    caller: Session,
    userPassword: string,
    visitor: Visitor,
    act: 'change-password' | 'create-password',
    proof: Proof,
    still: (tx: Db) => Promise<accounts.Account | undefined>,
    byMail: (tx: Db, account: accounts.Account) => Promise<0 | 1>,
  ) =>
    db.transaction().execute(async (tx): Promise<{ session: string } | undefined> => {
      const account = await still(tx)
      if (!account || account.userForcedReset) return undefined
      const proved = { ...proof, session: provenBy(caller, now()) }
      const permit = await ask(tx, account, act, proved)
      if ('refused' in permit) return undefined
      // The old password confirms the session as it would by itself: one that came by email does not, where there is a second factor.
      const confirms = !('refused' in (await ask(tx, account, 'confirm-session', proved)))
      // A session that was ended meanwhile changes nothing.
      if (!(await endSession(tx, caller.sessionSelector))) return undefined
      await deps.recovery.setPassword(account, permit, userPassword, await byMail(tx, account))
      await mail.notify(tx, account, { kind: 'password-changed' }, visitor)
      const said = { event: 'password-changed', result: 'successful', actor: account.userId, target: account.userId, now: now() } as const
      await audit.record(tx, said, visitor)
      // The sign-in is as long ago as it was: a password alone makes none anew.
      const { sessionCreated, sessionExpires } = caller
      const sessionConfirmed = confirms ? now() : caller.sessionConfirmed
      const since = { sessionCreated, sessionExpires, sessionConfirmed }
      const session = await startSession(tx, { user: account.userId, factor: caller.sessionFactor }, visitor, now(), since)
      return { session }
    })

  /** Changes a password by the old one; a wrong one counts as a failed sign-in. */
  const changePassword = async (
    request: { useridentity: string; oldpassword: string; newpassword: string },
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<Changed> => {
    if (!caller) return { refused: 'not-signed-in' }
    if (accounts.canonicalUsername(request.useridentity) !== caller.userIdent) return { refused: 'another-user' }
    await checkNew(request.newpassword, caller.userIdent)
    const claim = { username: request.useridentity, password: request.oldpassword }
    const changed = await firstFactor.withPassword(
      claim,
      visitor,
      { event: 'password-changed', field: 'useridentity' },
      async (first, turn) =>
        replace(
          caller,
          await turn.hash(request.newpassword),
          visitor,
          'change-password',
          first.proof,
          first.confirm,
          async (_, account) => account.userPasswordByMail,
        ),
    )
    return changed ?? { refused: 'wrong-password' }
  }

  /** Gives a password to somebody who has none, because of signing in by a provider. Wants a sign-in not long ago. */
  const createPassword = async (
    request: { useridentity: string; newpassword: string },
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<Changed> => {
    if (!caller) return { refused: 'not-signed-in' }
    if (accounts.canonicalUsername(request.useridentity) !== caller.userIdent) return { refused: 'another-user' }
    if (!isFresh(caller, now())) return { refused: 'stale' }
    await checkNew(request.newpassword, caller.userIdent)
    const knownFor = async () => caller.userIdent
    const userPassword = await passwords.inTurn({ address: visitor.address, knownFor }, turn => turn.hash(request.newpassword))
    const changed = await replace(
      caller,
      userPassword,
      visitor,
      'create-password',
      {},
      tx => accounts.lockAccount(tx, caller.userId),
      // Attack: someone who has the account at the provider and its mailbox creates a password, to replace the owner's second factor with it. A
      // session keeps saying that it used a second factor when that factor is gone.
      async tx => (usedOwnFactor(caller) && (await factors.hasVerified(tx, caller.userId)) ? 0 : 1),
    )
    return changed ?? { refused: 'has-password' }
  }

  /**
   * Mails a link to the address that somebody wants to have from now on. Whether another user has it is not told.
   * @returns whether the password was right
   */
  const changeEmail = async (
    request: { newemail: string; password: string },
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<true | 'not-signed-in' | 'wrong-password' | 'stale' | 'lower'> => {
    if (!caller) return 'not-signed-in'
    if (!isFresh(caller, now())) return 'stale'
    const email = accounts.canonicalUsername(request.newemail)
    if (email === undefined) throw new BadInput('newemail: expected an e-mail address')
    if (email === caller.userIdent) throw new BadInput('newemail: is the address you have', 'AddressUnchanged')
    const claim = { username: caller.userIdent, password: request.password }
    const asked = await firstFactor.withPassword(claim, visitor, { event: 'email-change-requested', field: 'newemail' }, first =>
      db.transaction().execute(async (tx): Promise<true | 'lower' | undefined> => {
        const account = await first.confirm(tx)
        // A session that was ended meanwhile changes nothing.
        if (!account || account.userForcedReset || !(await sessionExists(tx, caller.sessionSelector))) return undefined
        const permit = await ask(tx, account, 'ask-for-address', { ...first.proof, session: provenBy(caller, now()) })
        if ('refused' in permit) return 'lower'
        const { userId } = account
        const may = (await mailLinks.findQuota(tx, userId, 'EmailChange', mailLinks.anyNetwork, now())) !== undefined
        const lifetime = limits.mailLink.emailChange
        const fragment = may ? await mailLinks.issueMailLink(tx, { kind: 'EmailChange', userId, lifetime, email, now: now() }) : ''
        const [emailVerkey = ''] = fragment.split('.')
        const noted = may && (await accounts.wishEmail(permit, { emailEmail: email, emailVerkey }))
        // An administrator's address makes an administrator of whoever has it: nobody comes to it in this way.
        const free = noted && !deps.isAdministrator(email)
        if (free) {
          const link = `${deps.publicUrl}/confirm-email#${fragment}`
          const message = { kind: 'email-change', link, minutes: lifetime / 60_000, account: masked(account.userIdent) } as const
          await mail.queue(tx, { to: email, message }, now() + lifetime)
        } else if (may) {
          await mail.queueNothing(tx)
        }
        const result = free ? 'successful' : may ? 'taken' : 'too-many'
        await audit.record(tx, { event: 'email-change-requested', result, actor: userId, target: userId, now: now() }, visitor)
        return true
      }),
    )
    return asked ?? 'wrong-password'
  }

  /** The new address is confirmed: it is the name from now on, and the old address is told. */
  const confirmEmail = (claim: MailLinkRequest, visitor: Visitor): Promise<boolean> =>
    db.transaction().execute(async tx => {
      const { link, account: owner } = (await redeemWithAccount(tx, { kind: 'EmailChange', ...claim }, now())) ?? {}
      const email = link?.mailLinkEmail
      const permit = owner && (await demand(tx, owner, 'confirm-address', { mailedLink: true }))
      // The configuration may have made it an administrator's since the link was mailed.
      const wished = link && email && !deps.isAdministrator(email) ? { emailEmail: email, emailVerkey: link.mailLinkSelector } : undefined
      const before = wished && permit && (await accounts.confirmEmail(permit, wished))
      const account = before && owner && (await accounts.findById(tx, owner.userId))
      const target = owner?.userId ?? null
      const result = account ? 'successful' : 'refused'
      await audit.record(tx, { event: 'email-changed', result, actor: target, target, now: now() }, visitor)
      if (!account) return false
      await revokeAll(tx, account.userId)
      // The old mailbox may have seen the secret of a factor reset that is under way.
      await factors.endPending(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      // Whoever has the old name next begins with a count of his own.
      await lockout.unlock(tx, before)
      const old = { ...account, userIdent: before }
      await mail.notify(tx, old, { kind: 'email-changed', newEmail: masked(account.userIdent) }, visitor)
      return true
    })

  /** The zone that times are told in, on pages and in mails. */
  const setTimeZone = async (userTZLabel: string, caller: Session | undefined, visitor: Visitor): Promise<boolean> => {
    if (!accounts.isTimeZone(userTZLabel)) throw new BadInput('userTZLabel: expected a time zone like Europe/Amsterdam')
    const set = await deps.confirmation.signedIn(caller, async (tx, { userId }) => {
      await accounts.setTimeZone(tx, userId, userTZLabel)
      const said = { event: 'time-zone-changed', result: 'successful', actor: userId, target: userId, now: now() } as const
      await audit.record(tx, said, visitor)
      return true
    })
    return set === true
  }

  /** Whether the one who is signed in is to be offered recovery codes: just after a sign-in with a second factor, and only then. */
  const mayMakeRecoveryCodes = async (caller: Session, on: Db = db): Promise<boolean> =>
    // A provider's second factor is not ours: it must not make codes that stand in for ours.
    usedOwnFactor(caller) && isFresh(caller, now()) && (await areRecoveryCodesDue(on, caller.userId))

  /** Ten recovery codes. `undefined` when there is nobody to be offered any. */
  const makeRecoveryCodes = async (caller: Session | undefined, visitor: Visitor): Promise<string[] | undefined> => {
    const made = await deps.confirmation.signedIn(caller, async (tx, account, session) => {
      if (!(await mayMakeRecoveryCodes(session, tx))) return undefined
      const permit = await demand(tx, account, 'make-recovery-codes', { session: provenBy(session, now()) })
      const codes = await recoveryCodes.makeRecoveryCodes(permit, now())
      await mail.notify(tx, account, { kind: 'recovery-codes-anew' }, visitor)
      const said = {
        event: 'recovery-codes-made',
        result: 'successful',
        actor: account.userId,
        target: account.userId,
        now: now(),
      } as const
      await audit.record(tx, said, visitor)
      return codes
    })
    return made === 'not-signed-in' ? undefined : made
  }

  return { changePassword, createPassword, changeEmail, confirmEmail, setTimeZone, makeRecoveryCodes, mayMakeRecoveryCodes }
}
export type OwnAccount = ReturnType<typeof createOwnAccount>

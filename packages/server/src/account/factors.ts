import type { FactorCreationRequest, FactorRenameRequest, SecondFactorType, VerifyError } from '@gatehouse/wire'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import type { Permit } from '../credentials/credential-rules.ts'
import type { Db } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { nameOf } from '../factors/factor-name.ts'
import * as factors from '../factors/factors.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeOthers } from '../sessions/access-revocation.ts'
import { provenBy, type Session } from '../sessions/session.ts'
import { renewSession } from '../sessions/sessions.store.ts'
import type { SecondFactorPolicy } from '../sign-in/second-factor-policy.ts'
import type { Sso } from '../sso/sso.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Reauthentication, SessionRefusal } from './reauthentication.ts'

/** Why a request was refused. `lower`: the user has a second factor, but the session was not opened with one. */
export type FactorRefusal =
  | SessionRefusal
  | 'another-user'
  | 'lower'
  | 'too-many'
  | 'name-taken'
  | 'unknown'
  | 'over'
  | 'wrong-code'
  | 'last-stays'
  /** The passkey is the user's last way to sign in. */
  | 'last-way'
  | 'no-factor'
  /** The request is for a factor of another type. */
  | { wrongFactor: VerifyError }

/** Thrown when the session has ended meanwhile, to roll the transaction back. */
class SignedOut extends Error {}

/** The second factors of the signed-in user. */
export const createOwnFactors = (deps: {
  reauthentication: Reauthentication
  mail: Mail
  sso: Pick<Sso, 'isLinked'>
  /** `undefined` while passkeys are off. */
  ceremonies: Pick<PasskeyCeremonies, 'rpId'> | undefined
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  now: () => number
}) => {
  const { reauthentication, mail, sso, policy, now } = deps

  const note = (tx: Db, event: AuditEvent, result: AuditResult, { userId }: { userId: string }, visitor: Visitor) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** Ends all other access: sessions, unfinished set-ups and mailed links. One of them may be an attacker's. */
  const endOtherAccess = async (tx: Db, userId: string, sessionSelector: string) => {
    await revokeOthers(tx, userId, sessionSelector)
    await factors.endPending(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
  }

  const isNameTaken = async (tx: Db, userId: string, name: string, except?: string): Promise<boolean> =>
    (await factors.listNamed(tx, userId)).some(
      factor => factor.factorUUID !== except && factor.factorFriendlyName.toLowerCase() === name.toLowerCase(),
    )

  const prove = (session: Session) => ({ session: provenBy(session, now()) })

  /** Starts a named factor, if the session may add one. */
  const begin = async (
    tx: Db,
    account: accounts.Account,
    session: Session,
    request: FactorCreationRequest,
  ): Promise<{ factorUUID: string; permit: Permit<'add-factor'> } | FactorRefusal> => {
    const { userId, userIdent } = account
    const name = nameOf(request.factorCreationRequestFriendlyName, 'factorCreationRequestFriendlyName')
    const identity = request.factorCreationRequestIdentity
    if (identity !== userId && canonicalUsername(identity) !== userIdent) return 'another-user'
    const existing = await factors.listNamed(tx, userId)
    const permit = await ask(tx, account, 'add-factor', prove(session))
    if ('refused' in permit) return 'lower'
    if (existing.filter(factor => factor.factorFactorType !== 'Passkey').length >= limits.factor.perUser) return 'too-many'
    if (await isNameTaken(tx, userId, name)) return 'name-taken'
    const { factorUUID } = await factors.startFactor(permit, { type: request.factorCreationRequestFactorType, name, now: now() })
    return { factorUUID, permit }
  }

  /**
   * Completes a factor if its first use is proved. The session gets a new cookie value, because it now has a second factor.
   * @param isProved checks the factor's proof and uses it up, in the same transaction
   */
  const complete = (
    caller: Session | undefined,
    factor: { factorUUID: string; factorFriendlyName: string; type: SecondFactorType },
    visitor: Visitor,
    isProved: (tx: Db) => Promise<boolean>,
  ): Promise<{ session: string } | FactorRefusal> => {
    const verified = reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ session: string } | FactorRefusal> => {
      const { userId } = account
      const permit = await ask(tx, account, 'add-factor', prove(session))
      if ('refused' in permit) return 'lower'
      // Another factor may have got this name meanwhile.
      if (await isNameTaken(tx, userId, factor.factorFriendlyName)) return 'name-taken'
      if (!(await isProved(tx)) || !(await factors.verifyFactor(permit, factor.factorUUID, now()))) return 'over'
      // If a passkey opened the session, that passkey is the owner's: keep it, and keep the session phishing-resistant.
      const byPasskey = session.sessionFactor === 'Passkey'
      const planted = byPasskey ? [] : await factors.removeOptionalPasskeys(permit, factor.factorUUID)
      for (const name of planted) await mail.notify(tx, account, { kind: 'passkey-removed', name }, visitor)
      const renewed = await renewSession(tx, session.sessionSelector, { sessionFactor: byPasskey ? 'Passkey' : factor.type })
      if (!renewed) throw new SignedOut()
      await endOtherAccess(tx, userId, renewed.sessionSelector)
      await mail.notify(tx, account, { kind: 'factor-added' }, visitor)
      await note(tx, 'factor-added', 'successful', account, visitor)
      return { session: renewed.cookie }
    })
    return verified.catch((error: unknown) => {
      if (error instanceof SignedOut) return 'not-signed-in' as const
      throw error
    })
  }

  const rename = async (request: FactorRenameRequest, caller: Session | undefined, visitor: Visitor): Promise<'done' | FactorRefusal> => {
    const name = nameOf(request.factorFriendlyName, 'factorFriendlyName')
    return reauthentication.inSession(caller, async (tx, account): Promise<'done' | FactorRefusal> => {
      if (await isNameTaken(tx, account.userId, name, request.factorUUID)) return 'name-taken'
      if (!(await factors.renameFactor(tx, account.userId, request.factorUUID, name))) return 'unknown'
      await note(tx, 'factor-renamed', 'successful', account, visitor)
      return 'done'
    })
  }

  /** Whether a factor is a passkey, and without it the owner could sign in only by mailed link. */
  const isLastWay = async (tx: Db, account: accounts.Account, removed: factors.NamedFactor): Promise<boolean> => {
    if (removed.factorFactorType !== 'Passkey' || account.userPassword !== null || sso.isLinked(account)) return false
    const ways = (await passkeys.listPasskeys(tx, account.userId)).filter(one => passkeys.signsInAlone(one, deps.ceremonies?.rpId))
    return ways.length === 1 && ways[0]?.passkeyFactor === removed.factorUUID
  }

  type Removed = { factorUUID: string; isLast: boolean }

  /**
   * Removes a required factor. Removing the last one also removes the recovery codes.
   * @returns why the factor stays. Undefined if it was removed
   */
  const removeRequired = async (tx: Db, account: accounts.Account, session: Session, { factorUUID, isLast }: Removed) => {
    const permit = await ask(tx, account, 'remove-factor', prove(session))
    if ('refused' in permit) return 'lower'
    if (isLast && !mayBeWithout(account.userIdent)) return 'last-stays'
    await factors.removeVerified(permit, factorUUID)
    if (!isLast) return undefined
    await recoveryCodes.removeRecoveryCodes(permit)
    await accounts.withdrawVouches(permit)
    return undefined
  }

  const removeOptional = async (tx: Db, account: accounts.Account, session: Session, { factorUUID }: Removed) => {
    const permit = await ask(tx, account, 'remove-optional-passkey', prove(session))
    if ('refused' in permit) return 'lower'
    await factors.removeVerified(permit, factorUUID)
    return undefined
  }

  /** Removes a factor. Removing the last one also removes the recovery codes. */
  const remove = (factorUUID: string, caller: Session | undefined, visitor: Visitor): Promise<'done' | FactorRefusal> =>
    reauthentication.inFreshSession(caller, async (tx, account, session): Promise<'done' | FactorRefusal> => {
      const { userId } = account
      const existing = await factors.listNamed(tx, userId)
      const removed = existing.find(factor => factor.factorUUID === factorUUID)
      if (!removed) return 'unknown'
      const isLast = factors.isLastRequired(existing, factorUUID)
      const refuse = async (refusal: 'lower' | 'last-stays' | 'last-way') => {
        await note(tx, 'factor-removed', refusal, account, visitor)
        return refusal
      }
      if (await isLastWay(tx, account, removed)) return refuse('last-way')
      const refusal = await (removed.factorOptional ? removeOptional : removeRequired)(tx, account, session, { factorUUID, isLast })
      if (refusal) return refuse(refusal)
      await endOtherAccess(tx, userId, session.sessionSelector)
      await mail.notify(tx, account, removalNotice(removed), visitor)
      await note(tx, 'factor-removed', 'by its owner', account, visitor)
      return 'done'
    })

  /** Whether a user may remove the last factor. */
  const mayBeWithout = (userIdent: string): boolean => policy !== 'required' && !deps.isAdministrator(userIdent)

  /** Replaces the user's recovery codes with ten new ones. */
  const replaceRecoveryCodes = (caller: Session | undefined, visitor: Visitor): Promise<{ codes: string[] } | FactorRefusal> =>
    reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ codes: string[] } | FactorRefusal> => {
      const permit = await ask(tx, account, 'make-recovery-codes', prove(session))
      if ('refused' in permit) return permit.refused === 'has-factor' ? 'no-factor' : 'lower'
      const codes = await recoveryCodes.makeRecoveryCodes(permit, now())
      await mail.notify(tx, account, { kind: 'recovery-codes-anew' }, visitor)
      await note(tx, 'recovery-codes-made', 'anew', account, visitor)
      return { codes }
    })

  return { begin, endOtherAccess, complete, rename, remove, mayBeWithout, replaceRecoveryCodes }
}
/** The mail that tells the owner that a factor was removed. */
export const removalNotice = ({
  factorFactorType,
  factorFriendlyName,
}: Pick<factors.NamedFactor, 'factorFactorType' | 'factorFriendlyName'>) =>
  factorFactorType === 'Passkey' ? ({ kind: 'passkey-removed', name: factorFriendlyName } as const) : ({ kind: 'factor-removed' } as const)

export type OwnFactors = ReturnType<typeof createOwnFactors>

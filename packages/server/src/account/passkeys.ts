import type { PasskeyAdded, PasskeyAssertion, PasskeyAttestation, PasskeyCreationOptions, PasskeySignals } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Permit } from '../credentials/credential-rules.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { freeName } from '../factors/factor-name.ts'
import * as factors from '../factors/factors.store.ts'
import type { Bound, PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import { nameOfPasskey } from '../factors/passkey/passkey-providers.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import { useChallenge } from '../factors/passkey/used-challenges.store.ts'
import { type Attested, challengeOf } from '../factors/passkey/webauthn.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import { provenBy, type Session } from '../sessions/session.ts'
import { renewSession } from '../sessions/sessions.store.ts'
import type { PasskeyAuthentication } from '../sign-in/authenticate-passkey.ts'
import type * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { OwnFactors } from './factors.ts'
import type { Reauthentication, SessionRefusal } from './reauthentication.ts'

/**
 * Why nothing was done. `taken`: the credential already belongs to a factor. `refused`: a check of the passkey or of its challenge failed.
 */
export type PasskeyRefusal = SessionRefusal | 'off' | 'lower' | 'too-many' | 'refused' | 'taken'

/** Thrown to roll the transaction back. */
class Undo extends Error {
  readonly why: PasskeyRefusal

  constructor(why: PasskeyRefusal) {
    super(why)
    this.why = why
  }
}

/** Lets signed-in users add passkeys. Renaming and removing them is in `factors.ts`, as for every type of factor. */
export const createOwnPasskeys = (deps: {
  db: Kysely<Tables>
  ceremonies: PasskeyCeremonies | undefined
  passkeyAuthentication: PasskeyAuthentication
  reauthentication: Reauthentication
  ownFactors: OwnFactors
  mail: Mail
  now: () => number
}) => {
  const { db, ceremonies, reauthentication, ownFactors, mail, now } = deps

  /** Reauthenticates with a passkey. The session gets a new cookie value, and counts as opened with a passkey. */
  const confirm = async (
    credential: PasskeyAssertion,
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<{ session: string } | 'not-signed-in' | 'refused'> => {
    if (!session) return 'not-signed-in'
    const step = { purpose: 'Reauthentication', event: 'passkey-confirmed', owner: session.userId } as const
    const first = await deps.passkeyAuthentication.authenticatePasskey(credential, step, visitor)
    if (typeof first === 'string') return 'refused'
    return await db.transaction().execute(async (tx): Promise<{ session: string } | 'refused'> => {
      const { account } = (await first.confirm(tx)) ?? {}
      if (!account || account.userForcedReset) return 'refused'
      const permit = await ask(tx, account, 'confirm-session-by-passkey', { ...first.proof, session: provenBy(session, now()) })
      if ('refused' in permit) return 'refused'
      const renewed = await renewSession(tx, session.sessionSelector, {
        sessionConfirmed: now(),
        sessionFactor: 'Passkey',
        sessionFactorAt: now(),
      })
      if (!renewed) return 'refused'
      const { userId } = account
      await audit.record(tx, { event: 'passkey-confirmed', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { session: renewed.cookie }
    })
  }

  /** Options to add a passkey, for a user who authenticated recently. */
  const addOptions = async (caller: Session | undefined, visitor: Visitor): Promise<Bound<PasskeyCreationOptions> | PasskeyRefusal> => {
    if (!ceremonies) return 'off'
    return reauthentication.inFreshSession(
      caller,
      async (tx, account, session): Promise<Bound<PasskeyCreationOptions> | PasskeyRefusal> => {
        if ('refused' in (await ask(tx, account, 'add-factor', { session: provenBy(session, now()) }))) return 'lower'
        if ((await passkeys.listPasskeys(tx, account.userId)).length >= limits.passkey.perUser) return 'too-many'
        return ceremonies.creation(tx, account, 'Add', visitor)
      },
    )
  }

  /** Returns the new passkey and its challenge, if the server issued the challenge for this browser, purpose and user. */
  const attested = async (credential: PasskeyAttestation, purpose: 'Add' | 'Upgrade', userId: string, visitor: Visitor) => {
    const opened = ceremonies?.openChallenge(purpose, challengeOf(credential), visitor.passkey)
    if (!ceremonies || opened?.userId !== userId) return undefined
    const passkey = await ceremonies.verifyAttestation(credential, challenge => challenge === opened.challenge, {
      automatic: purpose === 'Upgrade',
    })
    return passkey && { passkey, opened }
  }

  /** Adds a passkey. Like every new second factor, it ends all other sessions. This session counts as opened with the passkey. */
  const add = async (
    credential: PasskeyAttestation,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ added: PasskeyAdded; session: string } | PasskeyRefusal> => {
    if (!ceremonies) return 'off'
    if (!caller) return 'not-signed-in'
    const proved = await attested(credential, 'Add', caller.userId, visitor)
    if (!proved) return 'refused'
    return undone(
      reauthentication.inFreshSession(
        caller,
        async (tx, account, session): Promise<{ added: PasskeyAdded; session: string } | PasskeyRefusal> => {
          const permit = await ask(tx, account, 'add-factor', { session: provenBy(session, now()) })
          if ('refused' in permit) return 'lower'
          const added = await insert(permit, account, proved)
          // If a passkey opened the session, that passkey is the owner's, so keep it.
          const planted = session.sessionFactor === 'Passkey' ? [] : await factors.removeOptionalPasskeys(permit, added.factorUUID)
          for (const name of planted) await mail.notify(tx, account, { kind: 'passkey-removed', name }, visitor)
          const renewed = await renewSession(tx, session.sessionSelector, { sessionFactor: 'Passkey' })
          if (!renewed) throw new Undo('not-signed-in')
          await ownFactors.endOtherAccess(tx, account.userId, renewed.sessionSelector)
          await mail.notify(tx, account, { kind: 'passkey-added', name: added.factorFriendlyName }, visitor)
          const { userId } = account
          await audit.record(tx, { event: 'factor-added', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
          return { added, session: renewed.cookie }
        },
      ),
    )
  }

  /** Adds the passkey that the password manager created without asking. If the server refuses it, the user stays signed in. */
  const upgrade = async (
    credential: PasskeyAttestation,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ added: PasskeyAdded } | PasskeyRefusal> => {
    if (!ceremonies) return 'off'
    if (!caller) return 'not-signed-in'
    const proved = await attested(credential, 'Upgrade', caller.userId, visitor)
    if (!proved) return 'refused'
    return undone(
      reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ added: PasskeyAdded } | PasskeyRefusal> => {
        // The server issues an `Upgrade` challenge only after the user typed the password in this sign-in and passed the second factor, if
        // they have one.
        const proof = { session: provenBy(session, now()), password: 'this-sign-in' } as const
        const permit = await ask(tx, account, 'add-automatic-passkey', proof)
        if ('refused' in permit) return 'lower'
        // Attack: someone with only the password requests options before the owner adds a passkey, and uses them afterward.
        const own = await passkeys.listPasskeys(tx, account.userId)
        if (own.some(one => one.passkeyRpId === ceremonies.rpId)) return 'refused'
        const added = await insert(permit, account, proved)
        await mail.notify(tx, account, { kind: 'passkey-added-automatically', name: added.factorFriendlyName }, visitor)
        const { userId } = account
        await audit.record(tx, { event: 'factor-added', result: 'automatic', actor: userId, target: userId, now: now() }, visitor)
        return { added }
      }),
    )
  }

  const undone = <T>(work: Promise<T>): Promise<T | PasskeyRefusal> =>
    work.catch((error: unknown) => {
      if (error instanceof Undo) return error.why
      throw error
    })

  /** @throws Undo */
  const insert = async (
    permit: Permit<'add-factor' | 'add-automatic-passkey'>,
    account: accounts.Account,
    { passkey, opened }: { passkey: Attested; opened: { challenge: string; expires: number } },
  ): Promise<PasskeyAdded> => {
    const { tx, userId } = permit
    if (!(await useChallenge(tx, opened.challenge, opened.expires))) throw new Undo('refused')
    if ((await passkeys.listPasskeys(tx, userId)).length >= limits.passkey.perUser) throw new Undo('too-many')
    const taken = (await factors.listNamed(tx, userId)).map(factor => factor.factorFriendlyName)
    const name = freeName(nameOfPasskey(passkey), taken)
    const { factorUUID } = await factors.startFactor(permit, { type: 'Passkey', name, now: now() })
    if (!(await passkeys.bindPasskey(permit, { ...passkey, passkeyFactor: factorUUID }))) throw new Undo('taken')
    if (!(await factors.verifyFactor(permit, factorUUID, now()))) throw new Undo('refused')
    const signals = await ceremonies?.signals(tx, account)
    if (!signals) throw new Error('a user with a passkey has no handle')
    return { factorUUID, factorFriendlyName: name, signals }
  }

  /** The list of passkeys for the password manager. `off`: passkeys are off, or the user was never offered one. */
  const signals = async (caller: Session | undefined): Promise<PasskeySignals | 'not-signed-in' | 'off'> => {
    if (!caller) return 'not-signed-in'
    return (await ceremonies?.signals(db, caller)) ?? 'off'
  }

  return { confirm, addOptions, add, upgrade, signals }
}
export type OwnPasskeys = ReturnType<typeof createOwnPasskeys>

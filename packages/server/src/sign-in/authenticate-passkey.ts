import type { PasskeyAssertion, PasskeyPurpose } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import type { Proof } from '../credentials/credential-rules.ts'
import type { Db, Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import { useChallenge } from '../factors/passkey/used-challenges.store.ts'
import { challengeOf } from '../factors/passkey/webauthn.ts'
import type { Mail } from '../mail/mail.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Confirmed, FirstFactor } from './authenticate.ts'

/** Why a passkey did not pass. `Unknown`: this server has no such passkey, so a password manager may forget it. */
export type PasskeyFailure = 'Unknown' | 'Refused'

/** A passkey whose check succeeded. The transaction of the next step must still call both functions. */
export type UsedPasskey = {
  userId: string
  /** Uses up the challenge. Returns undefined if it was used before. */
  useChallenge: (tx: Db) => Promise<true | undefined>
  /**
   * Stores the signature counter, in a transaction that has locked the account. Returns undefined if the counter shows a copy of the key,
   * or the passkey was removed.
   */
  useCounter: (tx: Db) => Promise<true | undefined>
}

/** The key that stands in for an unknown passkey, so that its check costs as much. The result does not count. ES256, like most passkeys. */
const decoy = {
  passkeyPublicKey: Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296', 'hex'),
    Buffer.from('225820', 'hex'),
    Buffer.from('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5', 'hex'),
  ]).toString('base64url'),
}

/** Checks passkeys. The server never counts their failures: an attacker cannot guess a signature, so a passkey has no lockout. */
export const createPasskeyAuthentication = (deps: {
  db: Kysely<Tables>
  ceremonies: PasskeyCeremonies | undefined
  mail: Mail
  now: () => number
}) => {
  const { db, ceremonies, mail, now } = deps

  const record = (on: Db, event: AuditEvent, result: AuditResult, userId: string | null, visitor: Visitor) =>
    audit.record(on, { event, result, actor: null, target: userId, now: now() }, visitor)

  /** @param owner the user whose passkey it must be, if the caller knows the user */
  const verifyPasskey = async (
    credential: PasskeyAssertion,
    { purpose, event, owner }: { purpose: PasskeyPurpose; event: AuditEvent; owner?: string },
    visitor: Visitor,
  ): Promise<UsedPasskey | PasskeyFailure> => {
    if (!ceremonies) return 'Refused'
    const opened = ceremonies.openChallenge(purpose, challengeOf(credential), visitor.passkey)
    const passkey = await passkeys.findPasskey(db, credential.id)
    const asserted = await ceremonies.verifyAssertion(credential, passkey ?? decoy, challenge => challenge === opened?.challenge)
    const refuse = async (result: AuditResult, failure: PasskeyFailure) => {
      await record(db, event, result, passkey?.passkeyUser ?? null, visitor)
      return failure
    }
    // Without a challenge of this browser, the result does not reveal whether the server knows a passkey.
    if (!passkey) return refuse('unknown-passkey', opened ? 'Unknown' : 'Refused')
    const userId = passkey.passkeyUser
    const { userHandle } = credential.response
    const isOwners = (owner ?? userId) === userId && (opened?.userId ?? userId) === userId
    // A user handle must be the right user's, and is required if the server does not know the user yet (WebAuthn Level 3,
    // §7.2). An imported passkey has the user handle of another program, so it works only if the server already knows the user.
    const isUnnamed = userHandle == null || passkey.passkeyImported === 1
    const namesUser = isUnnamed ? owner !== undefined : userHandle === passkey.passkeyHandle
    if (!opened || !asserted || !isOwners || !namesUser || passkey.passkeyRpId !== ceremonies.rpId) return refuse('signature', 'Refused')
    // Whether a key can leave its device never changes, so refuse an assertion that contradicts the stored value.
    if (asserted.synced !== (passkey.passkeySynced === 1)) return refuse('signature', 'Refused')
    return {
      userId,
      useChallenge: async tx => {
        if (await useChallenge(tx, opened.challenge, opened.expires)) return true
        await record(tx, event, 'replayed', userId, visitor)
        return undefined
      },
      useCounter: async tx => {
        if (!(await passkeys.useCounter(tx, passkey.passkeyFactor, asserted.counter))) {
          await tellOfCopy(tx, passkey, event, visitor)
          return undefined
        }
        await factors.recordUse(tx, passkey.passkeyFactor, now())
        return true
      },
    }
  }

  /** Records a counter that shows a copy of the key. Notifies the user too, unless the passkey was removed meanwhile. */
  const tellOfCopy = async (tx: Db, passkey: passkeys.Passkey, event: AuditEvent, visitor: Visitor): Promise<void> => {
    const [account, factor] = [
      await accounts.findById(tx, passkey.passkeyUser),
      await factors.findOwn(tx, passkey.passkeyUser, passkey.passkeyFactor),
    ]
    await record(tx, event, 'counter-went-back', passkey.passkeyUser, visitor)
    if (account && factor) await mail.notifyDaily(tx, account, { kind: 'passkey-copied', name: factor.factorFriendlyName }, visitor)
  }

  /** Checks a passkey that identifies its user: at a sign-in, or when a signed-in user reauthenticates. */
  const authenticatePasskey = async (
    credential: PasskeyAssertion,
    step: { purpose: PasskeyPurpose; event: AuditEvent; owner?: string },
    visitor: Visitor,
  ): Promise<FirstFactor | PasskeyFailure> => {
    const used = await verifyPasskey(credential, step, visitor)
    if (typeof used === 'string') return used
    const account = await accounts.findById(db, used.userId)
    if (!account) return 'Unknown'
    const { event } = step
    const proof: Proof = { firstFactor: true, passkey: true }
    return {
      account,
      proof,
      event,
      confirm: async (tx): Promise<Confirmed | undefined> => {
        // Do this before the lock, so that all but one of many parallel uses end here and do not queue for the account.
        if (!(await used.useChallenge(tx))) return undefined
        const locked = await accounts.lockAccount(tx, used.userId)
        return locked && (await used.useCounter(tx)) ? { tx, account: locked, proof, event } : undefined
      },
      // `confirm` has recorded the refusal.
      refuse: async (_, answer) => answer,
      clearAttempts: async () => {},
      [Symbol.dispose]: () => {},
    }
  }

  return { verifyPasskey, authenticatePasskey }
}
export type PasskeyAuthentication = ReturnType<typeof createPasskeyAuthentication>

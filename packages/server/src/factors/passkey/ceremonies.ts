import type { PasskeyAfterSignIn, PasskeyCreationOptions, PasskeyRequestOptions, PasskeySignals } from '@gatehouse/wire'
import type { Db } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { randomSecret } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { type ChallengePurpose, createPasskeyChallenges } from './passkey-challenges.ts'
import * as passkeys from './passkeys.store.ts'
import type { RelyingParty } from './relying-party.ts'
import { algorithms, createWebAuthn } from './webauthn.ts'

/** Options for a browser, and the value of the cookie that binds their challenge to it. */
export type Bound<Options> = { options: Options; binding: string }

type User = { userId: string; userIdent: string }

/** The two ceremonies of WebAuthn: the options with which a page begins each, and the checks of the results. */
export const createPasskeyCeremonies = (deps: {
  relyingParty: RelyingParty
  keyring: Keyring
  /** The product's name, which authenticators show. */
  productName: string
  now: () => number
}) => {
  const { relyingParty, productName } = deps
  const { rpId } = relyingParty
  const challenges = createPasskeyChallenges(deps)

  /** Several tabs share one cookie. */
  const bindingOf = (visitor: Visitor) => visitor.passkey ?? randomSecret(256)

  const descriptor = ({ passkeyCredentialId, passkeyTransports }: passkeys.Passkey) => ({
    id: passkeyCredentialId,
    type: 'public-key' as const,
    ...(passkeyTransports !== '' && { transports: passkeyTransports.split(',') }),
  })

  /** Options to use a passkey. @param allowed the passkeys of the user whose first factor passed */
  const request = (
    purpose: ChallengePurpose,
    visitor: Visitor,
    allowed?: { userId: string; passkeys: readonly passkeys.Passkey[] },
  ): Bound<PasskeyRequestOptions> => {
    const binding = bindingOf(visitor)
    const options: PasskeyRequestOptions = {
      challenge: challenges.make(purpose, binding, allowed?.userId),
      timeout: limits.passkey.challenge,
      rpId,
      userVerification: 'required',
      ...(allowed && { allowCredentials: allowed.passkeys.map(descriptor) }),
    }
    return { options, binding }
  }

  /** Options to create a passkey of a user. An authenticator that has a passkey of this user creates no second one. */
  const creation = async (
    db: Db,
    user: User,
    purpose: Extract<ChallengePurpose, 'SetUp' | 'Add' | 'Upgrade'>,
    visitor: Visitor,
  ): Promise<Bound<PasskeyCreationOptions>> => {
    const binding = bindingOf(visitor)
    const options: PasskeyCreationOptions = {
      challenge: challenges.make(purpose, binding, user.userId),
      timeout: purpose === 'SetUp' ? limits.passkey.setUp : limits.passkey.challenge,
      rp: { id: rpId, name: productName },
      user: { id: await passkeys.ensureHandle(db, user.userId), name: user.userIdent, displayName: user.userIdent },
      pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: (await passkeys.listPasskeys(db, user.userId)).map(descriptor),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }
    return { options, binding }
  }

  /** The list of passkeys for the user's password manager. Undefined if the user was never offered a passkey. */
  const signals = async (db: Db, user: User): Promise<PasskeySignals | undefined> => {
    const handle = await passkeys.findHandle(db, user.userId)
    if (handle === undefined) return undefined
    const own = await passkeys.listPasskeys(db, user.userId)
    return {
      rpId,
      userId: handle,
      name: user.userIdent,
      displayName: user.userIdent,
      allAcceptedCredentialIds: own.filter(one => one.passkeyRpId === rpId).map(one => one.passkeyCredentialId),
    }
  }

  /** Returns what a page needs after it has signed a user in. `mayUpgrade`: the password manager may create a passkey without asking. */
  const afterSignIn = async (
    db: Db,
    user: User,
    mayUpgrade: boolean,
    visitor: Visitor,
  ): Promise<{ passkeys: PasskeyAfterSignIn; binding?: string } | undefined> => {
    const known = await signals(db, user)
    // Users who have a passkey decide for themselves whether to add another.
    if (!mayUpgrade || (known && known.allAcceptedCredentialIds.length > 0)) return known && { passkeys: { signals: known } }
    const { options, binding } = await creation(db, user, 'Upgrade', visitor)
    const fresh = known ?? (await signals(db, user))
    return fresh && { passkeys: { signals: fresh, upgrade: options }, binding }
  }

  return { rpId, openChallenge: challenges.open, request, creation, signals, afterSignIn, ...createWebAuthn(relyingParty) }
}
export type PasskeyCeremonies = ReturnType<typeof createPasskeyCeremonies>

import type { AuthOutcome, PasskeyOptionsRequest, PasskeyRequestOptions, PasskeySetUpRequest, PasskeyVerifyRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { freeName } from '../factors/factor-name.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import type { Bound, PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import { nameOfPasskey } from '../factors/passkey/passkey-providers.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import { useChallenge } from '../factors/passkey/used-challenges.store.ts'
import { type Attested, challengeOf } from '../factors/passkey/webauthn.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, Confirmed } from './authenticate.ts'
import type { PasskeyAuthentication, PasskeyFailure } from './authenticate-passkey.ts'
import { noApproval, noFactors } from './factor-outcomes.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

const failedBy = (passkey: PasskeyFailure): SignedIn => {
  const outcome: AuthOutcome = { tag: 'AuthFailureFailedLogin', passkey }
  return { outcome }
}

/** Signs users in with a passkey: alone, as the second factor, or as the first second factor that they set up. */
export const createPasskeySignIn = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  passkeyAuthentication: PasskeyAuthentication
  ceremonies: PasskeyCeremonies | undefined
  signIn: SignIn
  mail: Mail
  now: () => number
}) => {
  const { db, ceremonies, signIn, mail, now } = deps
  const { verifyPasskey, authenticatePasskey } = deps.passkeyAuthentication
  const { refuseStep, confirmStep, record } = createFactorSteps(deps)

  /** Returns a challenge for a visitor whom the server does not know, without writing a row. Returns undefined if passkeys are off. */
  const options = ({ purpose }: PasskeyOptionsRequest, visitor: Visitor): Bound<PasskeyRequestOptions> | undefined =>
    ceremonies?.request(purpose, visitor)

  /** Signs in with a passkey alone: its authenticator has verified the user, so it satisfies a required second factor too. */
  const withPasskey = async (credential: Parameters<typeof verifyPasskey>[0], visitor: Visitor): Promise<SignedIn> => {
    const first = await authenticatePasskey(credential, { purpose: 'SignIn', event: 'passkey-sign-in' }, visitor)
    if (typeof first === 'string') return failedBy(first)
    return await db.transaction().execute(async tx => {
      const confirmed = await first.confirm(tx)
      if (!confirmed) return failedBy('Refused')
      const { account, event } = confirmed
      if (account.userForcedReset) {
        await record(tx, event, 'forced-reset', account, visitor)
        return forcedReset
      }
      return signIn.issue(confirmed, visitor, { factor: 'Passkey', hasFactor: await factors.hasVerified(tx, account.userId) })
    })
  }

  /** Checks a passkey as the second factor, after a password, a one-time link or a provider. */
  const verify = async (request: PasskeyVerifyRequest, visitor: Visitor): Promise<SignedIn> => {
    using first = await deps.authentication.authenticate(credentialsOf(request), visitor, step('passkey-second-factor'))
    if (!first) return failed
    const { account } = first
    if (account.userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    const of = { purpose: 'SecondFactor', event: 'passkey-second-factor', owner: account.userId } as const
    const used = await verifyPasskey(request.credential, of, visitor)
    if (typeof used === 'string') {
      await first.clearAttempts(db)
      return noApproval
    }
    return await db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      if (!((await used.useChallenge(tx)) && (await used.useCounter(tx)))) return noApproval
      // Attack: a mailbox reader adds an optional passkey, and uses it to vouch for a password or identity of their own, before the user
      // has a second factor.
      return signIn.issue(confirmed, visitor, { factor: 'Passkey', hasFactor: await factors.hasVerified(tx, account.userId) })
    })
  }

  /** Sets up the first second factor: a passkey in place of an authenticator app. */
  const setUp = async (request: PasskeySetUpRequest, visitor: Visitor): Promise<SignedIn> => {
    if (!ceremonies) return failed
    using first = await deps.authentication.authenticate(credentialsOf(request), visitor, step('factor-verified'))
    if (!first) return failed
    const { account, proof } = first
    if (account.userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    if ('refused' in (await ask(db, account, 'set-up-first-factor', proof))) return refuseStep(first, 'refused', visitor, noFactors)
    const opened = ceremonies.openChallenge('SetUp', challengeOf(request.credential), visitor.passkey)
    const isOurs = (challenge: string) => challenge === opened?.challenge && opened.userId === account.userId
    const attested = await ceremonies.verifyAttestation(request.credential, isOurs, { automatic: false })
    if (!opened || !attested) return refuseStep(first, 'signature', visitor, noFactors)
    return await db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      return (await addFirst(confirmed, attested, opened, visitor)) ?? noFactors
    })
  }

  /** @returns undefined if the challenge was used before, or the user is no longer allowed to set up the factor */
  const addFirst = async (
    confirmed: Confirmed,
    attested: Attested,
    opened: { challenge: string; expires: number },
    visitor: Visitor,
  ): Promise<SignedIn | undefined> => {
    const { tx, account, proof } = confirmed
    const { userId } = account
    const permit = await ask(tx, account, 'set-up-first-factor', proof)
    if ('refused' in permit || !(await useChallenge(tx, opened.challenge, opened.expires))) return undefined
    const taken = (await factors.listNamed(tx, userId)).map(factor => factor.factorFriendlyName)
    const name = freeName(nameOfPasskey(attested), taken)
    const { factorUUID } = await factors.startFactor(permit, { type: 'Passkey', name, now: now() })
    if (!(await passkeys.bindPasskey(permit, { ...attested, passkeyFactor: factorUUID }))) {
      await factors.removeUnverified(tx, factorUUID)
      return undefined
    }
    await factors.verifyFactor(permit, factorUUID, now())
    for (const name of await factors.removeOptionalPasskeys(permit, factorUUID))
      await mail.notify(tx, account, { kind: 'passkey-removed', name }, visitor)
    await failedCodes.clearCodes(tx, userId)
    await revokeAll(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
    await mail.notify(tx, account, { kind: 'passkey-added', name }, visitor)
    return signIn.issue(confirmed, visitor, { factor: 'Passkey', hasFactor: true })
  }

  return { options, withPasskey, verify, setUp }
}
export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>

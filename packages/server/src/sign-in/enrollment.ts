import type { OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import { clockOffset } from '../factors/totp/clock-offset.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { matchCode } from '../factors/totp/totp.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import type { Metrics } from '../metrics.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, Confirmed, FirstFactor } from './authenticate.ts'
import { countSkip } from './deferrals.store.ts'
import { missingBinding, missingFactor, noFactors, unreadable, wrongFirstCode } from './factor-outcomes.ts'
import type { FactorReplacement } from './factor-replacement.ts'
import { createFactorSteps, credentialsOf, step, wrongCodeResult } from './factor-steps.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'
import { skipRefusal } from './second-factor-policy.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** Sets up a second factor at a sign-in, or skips it. Also accepts the first code of a factor that replaces a lost one. */
export const createEnrollment = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  signIn: SignIn
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  replacement: FactorReplacement
  now: () => number
}) => {
  const { db, signIn, keyring, mail, metrics, replacement, now } = deps
  const { authenticate } = deps.authentication
  const { record, refuseStep, confirmStep } = createFactorSteps(deps)

  /** setupOTP: checks the first code of a waiting factor. Without a code, skips the set-up. */
  const setUp = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    const { otpFactorUUID: factorUUID, otpVerification: code } = request
    if (factorUUID == null) throw new BadInput('otpFactorUUID: is missing')
    const event = code == null ? 'factor-skipped' : 'factor-verified'
    using first = await authenticate(credentialsOf(request), visitor, step(event))
    return first ? await continueSetUp(first, factorUUID, code, visitor) : failed
  }

  const continueSetUp = async (first: FirstFactor, factorUUID: string, code: number | null | undefined, visitor: Visitor) => {
    const { account, proof } = first
    if (account.userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    const factor = await totpFactors.findWaiting(db, account.userId, factorUUID, now())
    if (!factor) return refuseStep(first, 'refused', visitor, missingFactor(factorUUID))
    // Check the rules before the code is counted, and again in the transaction.
    const act = code == null ? 'skip-first-factor' : factor.factorReplaces ? 'complete-replacement' : 'set-up-first-factor'
    if ('refused' in (await ask(db, account, act, proof))) return refuseStep(first, 'refused', visitor, missingFactor(factorUUID))
    return code == null ? skip(first, factor, visitor) : verifyFirstCode(first, factor, code, visitor)
  }

  const verifyFirstCode = async (first: FirstFactor, factor: totpFactors.TotpFactor, code: number, visitor: Visitor): Promise<SignedIn> => {
    const { factorUUID } = factor
    if (factor.factorTOTPBindingSecret === null) return refuseStep(first, 'link-not-opened', visitor, missingBinding(factorUUID))
    if (!(await factors.countFirstCode(db, factorUUID, now())))
      return refuseStep(first, 'too-many-codes', visitor, missingFactor(factorUUID))
    const match = matchCode(keyring, [factor], code, now())
    if (match.tag === 'Unreadable') return refuseStep(first, 'secret-unreadable', visitor, unreadable)
    if (match.tag !== 'Match') {
      const offset = await clockOffset(db, keyring, [factor], code, now())
      return refuseStep(first, wrongCodeResult(offset), visitor, wrongFirstCode(offset))
    }
    return db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const complete = factor.factorReplaces ? replacement.complete : addFactor
      return (await complete(confirmed, match, visitor)) ?? missingFactor(factorUUID)
    })
  }

  /**
   * Signs the user in with the new factor, and ends all sessions, pending sign-ins and mailed links of the user.
   * @returns undefined if the code was used before, or the factor may no longer be set up
   */
  const addFactor = async (
    confirmed: Confirmed,
    match: { factorUUID: string; step: number },
    visitor: Visitor,
  ): Promise<SignedIn | undefined> => {
    const { tx, account, proof } = confirmed
    const { userId } = account
    const permit = await ask(tx, account, 'set-up-first-factor', proof)
    if ('refused' in permit) return undefined
    if (!(await totpFactors.useStep(tx, match.factorUUID, match.step))) return undefined
    if (!(await factors.verifyFactor(permit, match.factorUUID, now()))) return undefined
    for (const name of await factors.removeOptionalPasskeys(permit, match.factorUUID))
      await mail.notify(tx, account, { kind: 'passkey-removed', name }, visitor)
    await failedCodes.clearCodes(tx, userId)
    await revokeAll(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
    await mail.notify(tx, account, { kind: 'factor-added' }, visitor)
    return signIn.issue(confirmed, visitor, { factor: 'TOTP', hasFactor: true })
  }

  const skip = (first: FirstFactor, factor: totpFactors.TotpFactor, visitor: Visitor): Promise<SignedIn> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const { account, proof, event } = confirmed
      const permit = await ask(tx, account, 'skip-first-factor', proof)
      const allowed = !factor.factorReplaces && (await skipRefusal(tx, account, deps, now())) === undefined
      const skips = allowed && !('refused' in permit) ? await countSkip(tx, account.userId, now()) : undefined
      if (skips === undefined) {
        await record(tx, event, 'refused', account, visitor)
        return noFactors
      }
      metrics.skipped()
      await factors.removeUnverified(tx, factor.factorUUID)
      await mail.notifyAdministrators(tx, { kind: 'factor-skipped', who: account.userIdent, skips }, visitor)
      return signIn.issue(confirmed, visitor, { factor: null, hasFactor: false })
    })

  return { setUp }
}
export type Enrollment = ReturnType<typeof createEnrollment>

import type { OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import type { Metrics } from '../metrics.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { CheckFirstFactor, FirstFactor } from './authenticate.ts'
import { countSkip } from './deferrals.store.ts'
import { missingBinding, missingFactor, noFactors, unreadable, wrongFirstCode } from './factor-outcomes.ts'
import type { FactorReplacement } from './factor-replacement.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'
import { skipRefusal } from './second-factor-policy.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** Decides on setting up a factor at a sign-in, or skipping it; the first code of a factor that replaces a lost one comes here as well. */
export const createFactorSetUp = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  signIn: SignIn
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  replacement: FactorReplacement
  now: () => number
}) => {
  const { db, firstFactor, signIn, keyring, mail, metrics, replacement, now } = deps
  const { note, refuseWithout, confirm } = createFactorSteps(deps)

  /** setupOTP: the first code of a factor that waits; without a code, putting it off. */
  const setUp = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    const { otpFactorUUID: factorUUID, otpVerification: code } = request
    if (factorUUID == null) throw new BadInput('otpFactorUUID: is missing')
    const event = code == null ? 'factor-skipped' : 'factor-verified'
    return (
      (await firstFactor.check(credentialsOf(request), visitor, step(event), async first => {
        const { account } = first
        const without = refuseWithout(event, account, visitor)
        if (account.userForcedReset) return without('forced-reset', forcedReset)
        const factor = await totpFactors.findWaiting(db, account.userId, factorUUID, now())
        if (!factor) return without('refused', missingFactor(factorUUID))
        // Looked up before the code counts, and once more in the transaction.
        const act = code == null ? 'skip-first-factor' : factor.factorReplaces ? 'complete-replacement' : 'set-up-first-factor'
        if ('refused' in (await ask(db, account, act, first.proof))) return without('refused', missingFactor(factorUUID))
        return code == null ? skip(first, factor, visitor) : verifyFirstCode(first, factor, code, visitor)
      })) ?? failed
    )
  }

  const verifyFirstCode = async (first: FirstFactor, factor: totpFactors.TotpFactor, code: number, visitor: Visitor) => {
    const { account } = first
    const { factorUUID } = factor
    const without = refuseWithout('factor-verified', account, visitor)
    if (factor.factorTOTPBindingSecret === null) return without('link-not-opened', missingBinding(factorUUID))
    if (!(await factors.countFirstCode(db, factorUUID, now()))) return without('too-many-codes', missingFactor(factorUUID))
    const match = totpFactors.matchCode(keyring, [factor], code, now())
    if (match.tag === 'Unreadable') return without('secret-unreadable', unreadable)
    if (match.tag !== 'Match') return without('wrong-code', wrongFirstCode)
    return db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      if (factor.factorReplaces) return replacement.complete(tx, confirmed, first, match, visitor)
      const permit = await ask(tx, confirmed, 'set-up-first-factor', first.proof)
      if ('refused' in permit || !(await totpFactors.useStep(tx, factorUUID, match.step))) return missingFactor(factorUUID)
      if (!(await factors.verifyFactor(permit, factorUUID, now()))) return missingFactor(factorUUID)
      await failedCodes.clearCodes(tx, account.userId)
      // First, for it is a ticket's end as well, which the sign-in itself needs no longer.
      const browser = await first.finish(tx)
      await revokeAll(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      await mail.notify(tx, account, { kind: 'factor-added' }, visitor)
      const { proof } = first
      const finish = async () => browser
      return signIn.issue(tx, confirmed, visitor, { event: 'factor-verified', factor: 'TOTP', hasFactor: true, proof, finish })
    })
  }

  const skip = (first: FirstFactor, factor: totpFactors.TotpFactor, visitor: Visitor) =>
    db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      const permit = await ask(tx, confirmed, 'skip-first-factor', first.proof)
      const allowed = !factor.factorReplaces && (await skipRefusal(tx, confirmed, deps, now())) === undefined
      const skips = allowed && !('refused' in permit) ? await countSkip(tx, confirmed.userId, now()) : undefined
      if (skips === undefined) {
        await note(tx, 'factor-skipped', 'refused', confirmed, visitor)
        return noFactors
      }
      metrics.skipped()
      await factors.removeWaiting(tx, factor.factorUUID)
      await mail.tellAdministrators(tx, { kind: 'factor-skipped', who: confirmed.userIdent, skips }, visitor)
      const { proof, finish } = first
      return signIn.issue(tx, confirmed, visitor, {
        event: 'factor-skipped',
        factor: null,
        hasFactor: false,
        proof,
        finish: () => finish(tx),
      })
    })

  return { setUp }
}
export type FactorSetUp = ReturnType<typeof createFactorSetUp>

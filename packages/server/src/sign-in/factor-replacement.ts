import type { Db } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import type * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { FirstFactor } from './authenticate.ts'
import { missingFactor } from './factor-outcomes.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** Completes the replacement of a lost second factor, which a factor reset started. */
export const createFactorReplacement = ({ signIn, mail, now }: { signIn: SignIn; mail: Mail; now: () => number }) => {
  /**
   * The new factor takes the place of all others, once its code was checked. Ends everything that was open.
   * @param account as `tx` read it when it confirmed the first factor
   */
  const complete = async (
    tx: Db,
    account: accounts.Account,
    first: FirstFactor,
    { factorUUID, step: timeStep }: { factorUUID: string; step: number },
    visitor: Visitor,
  ): Promise<SignedIn> => {
    const { userId } = account
    const permit = await ask(tx, account, 'complete-replacement', first.proof)
    if ('refused' in permit) return missingFactor(factorUUID)
    if (!(await totpFactors.useStep(tx, factorUUID, timeStep)) || !(await factors.verifyFactor(permit, factorUUID, now())))
      return missingFactor(factorUUID)
    await failedCodes.clearCodes(tx, userId)
    // First, for it is a ticket's end as well, which the sign-in itself needs no longer.
    const browser = await first.finish(tx)
    await revokeAll(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
    await recoveryCodes.removeRecoveryCodes(permit)
    await mail.notify(tx, account, { kind: 'factor-reset-done' }, visitor)
    await mail.tellAdministrators(tx, { kind: 'factor-reset-of', who: account.userIdent }, visitor)
    const { proof } = first
    const finish = async () => browser
    return signIn.issue(tx, account, visitor, { event: 'factor-verified', factor: 'TOTP', hasFactor: true, proof, finish })
  }

  return { complete }
}
export type FactorReplacement = ReturnType<typeof createFactorReplacement>

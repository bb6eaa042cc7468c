import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { replacementType } from '../factors/totp/totp-binding.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { revokeAll } from '../sessions/access-revocation.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Confirmed } from './authenticate.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** Completes the replacement of a lost second factor, which a factor reset started. */
export const createFactorReplacement = ({ signIn, mail, now }: { signIn: SignIn; mail: Mail; now: () => number }) => {
  /**
   * Signs the user in with the new factor, which replaces all others except passkeys. Ends all sessions, pending sign-ins and mailed links
   * of the user.
   * @param match the factor and time step of the new factor's code
   * @returns undefined if the code was used before, or the factor may no longer complete a replacement
   */
  const complete = async (
    confirmed: Confirmed,
    match: { factorUUID: string; step: number },
    visitor: Visitor,
  ): Promise<SignedIn | undefined> => {
    const { tx, account, proof } = confirmed
    const { userId } = account
    const permit = await ask(tx, account, 'complete-replacement', proof)
    if ('refused' in permit) return undefined
    if (!(await totpFactors.useStep(tx, match.factorUUID, match.step))) return undefined
    if (!(await factors.verifyFactor(permit, match.factorUUID, now()))) return undefined
    await failedCodes.clearCodes(tx, userId)
    await revokeAll(tx, userId)
    await mailLinks.voidAll(tx, userId, now())
    await recoveryCodes.removeRecoveryCodes(permit)
    await accounts.withdrawIdentityVouches(permit)
    await mail.notify(tx, account, { kind: 'factor-reset-done' }, visitor)
    await mail.notifyAdministrators(tx, { kind: 'factor-reset-of', who: account.userIdent }, visitor)
    return signIn.issue({ ...confirmed, event: 'factor-verified' }, visitor, { factor: replacementType, hasFactor: true })
  }

  return { complete }
}
export type FactorReplacement = ReturnType<typeof createFactorReplacement>

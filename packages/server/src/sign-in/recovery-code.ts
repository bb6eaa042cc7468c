import type { RecoveryCodeRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Mail } from '../mail/mail.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, FirstFactor } from './authenticate.ts'
import type { CodeChallenge } from './code-challenge.ts'
import { noFactors } from './factor-outcomes.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import { failed, forcedReset, type SignedIn, type SignIn } from './sign-in.ts'

/** Signs in users who have lost their second factor. */
export const createRecoveryCode = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  signIn: SignIn
  codeChallenge: CodeChallenge
  mail: Mail
  now: () => number
}) => {
  const { db, signIn, mail, now } = deps
  const { authenticate } = deps.authentication
  const { answerChallenge, refuseCode } = deps.codeChallenge
  const { refuseStep, confirmStep } = createFactorSteps(deps)

  /** Answers `POST recoveryCode`: completes a sign-in with one of the user's recovery codes. */
  const useRecoveryCode = async (request: RecoveryCodeRequest, visitor: Visitor): Promise<SignedIn> => {
    using first = await authenticate(credentialsOf(request), visitor, step('second-factor'))
    return first ? await checkRecoveryCode(first, request.otpRecoveryCode, visitor) : failed
  }

  const checkRecoveryCode = async (first: FirstFactor, code: string, visitor: Visitor): Promise<SignedIn> => {
    const { userId, userForcedReset } = first.account
    if (userForcedReset) return refuseStep(first, 'forced-reset', visitor, forcedReset)
    if (!(await factors.hasVerified(db, userId))) return refuseStep(first, 'no-factor', visitor, noFactors)
    const { allowed, attempts } = await failedCodes.countCode(db, userId, now())
    if (!allowed) return refuseCode(first, 'paused', attempts, visitor)
    return (await acceptRecoveryCode(first, code, visitor)) ?? refuseCode(first, 'wrong-recovery-code', attempts, visitor)
  }

  /** @returns undefined if the code is wrong or was used before */
  const acceptRecoveryCode = (first: FirstFactor, code: string, visitor: Visitor): Promise<SignedIn | undefined> =>
    db.transaction().execute(async tx => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const { account } = confirmed
      if (!(await recoveryCodes.useRecoveryCode(tx, account.userId, code))) return undefined
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answerChallenge(tx, account, verified, { status: 'Approved', reason: 'ReasonNone' })
      const left = await recoveryCodes.countRecoveryCodes(tx, account.userId)
      await mail.notify(tx, account, { kind: 'recovery-code-used', left }, visitor)
      return signIn.issue(confirmed, visitor, { factor: 'RecoveryCode', hasFactor: true })
    })

  return useRecoveryCode
}
export type UseRecoveryCode = ReturnType<typeof createRecoveryCode>

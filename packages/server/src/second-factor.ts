import { randomUUID } from 'node:crypto'
import type { OTPRequest, RecoveryCodeRequest, VerifyError } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import { BadInput } from './bad-input.ts'
import * as challenges from './challenges.ts'
import type { Db, Tables } from './db/schema.ts'
import * as factors from './factors.ts'
import * as failedCodes from './failed-codes.ts'
import type { CheckFirstFactor, FirstFactor, Visitor } from './first-factor.ts'
import type { Keyring } from './keyring.ts'
import { limits } from './limits.ts'
import type { Mail } from './mail.ts'
import * as mailLinks from './mail-links.ts'
import type { Metrics } from './metrics.ts'
import * as pushWaits from './push-waits.ts'
import * as recoveryCodes from './recovery-codes.ts'
import { failed, forcedReset, type SecondFactorPolicy, type SignedIn, type SignIn } from './sign-in.ts'
import { countSkip } from './skips.ts'
import * as tokens from './tokens.ts'
import * as totpFactors from './totp-factors.ts'

const refused = (contents: VerifyError): SignedIn => ({ outcome: { tag: 'AuthFailureFactorError', contents } })
const noFactors = refused({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } })
const missingFactor = (contents: string) => refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents } })
const mismatch = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents: [factorUUID, 'Push', 'TOTP'] } })
const noApproval = refused({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })
/** A code where there are only devices that approve. */
const wrongType = refused({ tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } } })
const wrongFirstCode = refused({
  tag: 'VerifyTOTPFactorError',
  contents: { status: 'Unverified', reason: { tag: 'InvalidCode' } },
})
/** Nothing of what is inside; the log says which factor. */
const unreadable = refused({
  tag: 'StoreError',
  contents: { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' },
})

const step = (event: audit.AuditEvent) => ({ event, field: 'otpUsername' })

/** Decides on second factors: codes at sign-in, setting one up or putting it off, and a new one for one that is lost. */
export const createSecondFactor = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  signIn: SignIn
  keyring: Keyring
  mail: Mail
  metrics: Metrics
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  /** Address under which browsers reach us, without a slash at its end. */
  publicUrl: string
  now: () => number
}) => {
  const { db, firstFactor, signIn, keyring, mail, metrics, policy, now } = deps

  const credentials = (request: { otpUsername: string; otpPassword: string }) => ({
    username: request.otpUsername,
    password: request.otpPassword,
  })

  const note = (tx: Db, event: audit.AuditEvent, result: string, { userId }: accounts.Account, visitor: Visitor) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** For answers that go no further: that the first factor was right leaves a row whatever is lacking. */
  const refuseWithout =
    (event: audit.AuditEvent, account: accounts.Account, visitor: Visitor) => async (result: string, answer: SignedIn) => {
      await note(db, event, result, account, visitor)
      return answer
    }

  /**
   * Confirms a first factor in the transaction of what follows. Another answer than an account ends it: a reset that was forced
   * meanwhile holds for a call that is under way as well.
   */
  const confirm = async (tx: Db, first: FirstFactor): Promise<accounts.Account | { ends: SignedIn | undefined }> => {
    const account = await first.confirm(tx)
    return account && !account.userForcedReset ? account : { ends: account && forcedReset }
  }

  /** verifyOTP: a code of a verified factor; without one, what a device has approved. */
  const verifyCode = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.check(credentials(request), visitor, step('second-factor'), async first => {
      const { account } = first
      const without = refuseWithout('second-factor', account, visitor)
      if (account.userForcedReset) return without('forced-reset', forcedReset)
      if (!(await factors.hasVerified(db, account.userId))) return without('no-factor', noFactors)
      const { otpFactorUUID: only, otpVerification: code } = request
      const named = only == null ? undefined : await factors.findOwn(db, account.userId, only)
      if (named?.factorFactorType === 'Push' && code != null) return without('wrong-factor-type', mismatch(named.factorUUID))
      const verified = await totpFactors.listVerifiedTotp(db, account.userId)
      const asked = only == null ? verified : verified.filter(factor => factor.factorUUID === only)
      if (only != null && asked.length === 0) return without('unknown-factor', missingFactor(only))
      if (code == null) return useApproval(first, visitor)
      if (verified.length === 0) return without('wrong-factor-type', wrongType)
      const tried = await failedCodes.countCode(db, account.userId, now())
      if (!tried.allowed) return wrong(first, visitor, 'paused', tried.attempts)
      const match = totpFactors.matchCode(keyring, asked, code, now())
      if (match.tag === 'Unreadable') {
        await note(db, 'second-factor', 'secret-unreadable', account, visitor)
        return unreadable
      }
      if (match.tag !== 'Match')
        return wrong(first, visitor, match.tag === 'MissingSecret' ? 'missing-secret' : 'wrong-code', tried.attempts)
      const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'used' | undefined> => {
        const confirmed = await confirm(tx, first)
        if ('ends' in confirmed) return confirmed.ends
        if (!(await totpFactors.useStep(tx, match.factorUUID, match.step))) return 'used'
        await factors.noteUse(tx, match.factorUUID, now())
        await answer(tx, account, verified, { status: 'Approved', reason: 'ReasonNone', factorUUID: match.factorUUID })
        return signIn.issue(tx, confirmed, visitor, { event: 'second-factor', factor: 'TOTP', finish: () => first.finish(tx) })
      })
      // Used before: refused with the very words of a wrong one, which do not tell that it was right.
      return done === 'used' ? wrong(first, visitor, 'used-code', tried.attempts) : done
    })) ?? failed

  /** What the user's device approved for this very browser, once. Others, and those who come again, get nothing by it. */
  const useApproval = async (first: FirstFactor, visitor: Visitor): Promise<SignedIn | undefined> => {
    const { account } = first
    const none = () => refuseWithout('second-factor', account, visitor)('no-code', noApproval)
    if (visitor.push === undefined) return none()
    const { push } = visitor
    const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'none' | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      if (await failedCodes.isPaused(tx, account.userId, now())) return 'none'
      if (!(await pushWaits.redeemWait(tx, { binding: push, ticket: first.ticket, userId: account.userId }, now()))) return 'none'
      return signIn.issue(tx, confirmed, visitor, { event: 'second-factor', factor: 'Push', finish: () => first.finish(tx) })
    })
    return done === 'none' ? none() : done
  }

  /** The open challenge gets its answer; where it is over, one is opened for it. */
  const answer = async (
    tx: Db,
    { userId }: accounts.Account,
    verified: readonly totpFactors.TotpFactor[],
    given: Parameters<typeof challenges.answerChallenge>[2],
  ): Promise<void> => {
    metrics.challenge(given.status, given.reason)
    if (await challenges.answerChallenge(tx, userId, given, now())) return
    const [factor] = verified
    if (factor) await challenges.openChallenge(tx, userId, factor.factorUUID, now())
    await challenges.answerChallenge(tx, userId, given, now())
  }

  /** A code that does not pass. The fifth in a row decides the challenge; from the third on the owner is told. */
  const wrong = async ({ account, knowsPassword }: FirstFactor, visitor: Visitor, result: string, attempts: number): Promise<SignedIn> => {
    const paused = result === 'paused'
    const missing = result === 'missing-secret'
    const status = paused || missing || attempts % limits.codes.pauseEvery === 0 ? 'Denied' : 'Pending'
    const reason = missing ? 'MissingSecret' : 'InvalidCode'
    const answered = refused({ tag: 'TOTPError', contents: { status, reason: { tag: reason } } })
    if (paused) {
      // The code that began the pause changed what there is to change. Those after it take no lock, so that however many
      // come they are not in the way of one that was let through to the check before them.
      await note(db, 'second-factor', result, account, visitor)
      return answered
    }
    await db.transaction().execute(async tx => {
      if (!(await accounts.lockAccount(tx, account.userId))) return
      const verified = await totpFactors.listVerifiedTotp(tx, account.userId)
      await answer(tx, account, verified, { status, reason })
      // Who was let in by mail alone has to begin anew.
      if (status === 'Denied') await tokens.revokeTickets(tx, account.userId)
      await note(tx, 'second-factor', result, account, visitor)
      if (knowsPassword && attempts >= limits.codes.noticeFrom) await mail.notifyOnce(tx, account, { kind: 'wrong-codes' }, visitor)
    })
    return answered
  }

  /** recoveryCode: one of the ten in place of the six digits, on the same count. */
  const useRecoveryCode = async (request: RecoveryCodeRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.check(credentials(request), visitor, step('second-factor'), async first => {
      const { account } = first
      const without = refuseWithout('second-factor', account, visitor)
      if (account.userForcedReset) return without('forced-reset', forcedReset)
      if (!(await factors.hasVerified(db, account.userId))) return without('no-factor', noFactors)
      const tried = await failedCodes.countCode(db, account.userId, now())
      if (!tried.allowed) return wrong(first, visitor, 'paused', tried.attempts)
      const done = await db.transaction().execute(async (tx): Promise<SignedIn | 'wrong' | undefined> => {
        const confirmed = await confirm(tx, first)
        if ('ends' in confirmed) return confirmed.ends
        if (!(await recoveryCodes.useRecoveryCode(tx, account.userId, request.otpRecoveryCode))) return 'wrong'
        await answer(tx, account, await totpFactors.listVerifiedTotp(tx, account.userId), { status: 'Approved', reason: 'ReasonNone' })
        const left = await recoveryCodes.countRecoveryCodes(tx, account.userId)
        await mail.notify(tx, account, { kind: 'recovery-code-used', left }, visitor)
        return signIn.issue(tx, confirmed, visitor, { event: 'second-factor', factor: 'RecoveryCode', finish: () => first.finish(tx) })
      })
      return done === 'wrong' ? wrong(first, visitor, 'wrong-recovery-code', tried.attempts) : done
    })) ?? failed

  /** setupOTP: the first code of a factor that waits; without a code, putting it off. */
  const setUp = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    const { otpFactorUUID: factorUUID, otpVerification: code } = request
    if (factorUUID == null) throw new BadInput('otpFactorUUID: is missing')
    const event = code == null ? 'factor-skipped' : 'factor-verified'
    return (
      (await firstFactor.check(credentials(request), visitor, step(event), async first => {
        const { account } = first
        const without = refuseWithout(event, account, visitor)
        if (account.userForcedReset) return without('forced-reset', forcedReset)
        const factor = await totpFactors.findWaiting(db, account.userId, factorUUID, now())
        // A verified factor closes set-up and skip for good; what a reset began is the one way past it. That takes the password
        // as well as the mailbox: a ticket came by mail itself.
        const closed = factor?.factorReplaces ? !first.isPassword : await factors.hasVerified(db, account.userId)
        if (!factor || closed) return without('refused', missingFactor(factorUUID))
        return code == null ? skip(first, factor, visitor) : verifyFirstCode(first, factor, code, visitor)
      })) ?? failed
    )
  }

  const verifyFirstCode = async (first: FirstFactor, factor: totpFactors.TotpFactor, code: number, visitor: Visitor) => {
    const { account } = first
    const { factorUUID } = factor
    const without = refuseWithout('factor-verified', account, visitor)
    if (factor.factorTOTPBindingSecret === null) {
      const contents = { tag: 'MissingFactorBindingByFactorUUID', contents: factorUUID } as const
      return without('link-not-opened', refused({ tag: 'DatabaseError', contents }))
    }
    if (!(await factors.countFirstCode(db, factorUUID, now()))) return without('too-many-codes', missingFactor(factorUUID))
    const match = totpFactors.matchCode(keyring, [factor], code, now())
    if (match.tag === 'Unreadable') return without('secret-unreadable', unreadable)
    if (match.tag !== 'Match') return without('wrong-code', wrongFirstCode)
    return db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      const closed = !factor.factorReplaces && (await factors.hasVerified(tx, account.userId))
      if (closed || !(await totpFactors.useStep(tx, factorUUID, match.step))) return missingFactor(factorUUID)
      if (!(await factors.verifyFactor(tx, factorUUID, now()))) return missingFactor(factorUUID)
      await failedCodes.clearCodes(tx, account.userId)
      // First, for it is a ticket's end as well, which the sign-in itself needs no longer.
      const browser = await first.finish(tx)
      await tokens.endEverything(tx, account.userId)
      await mailLinks.voidAll(tx, account.userId, now())
      if (factor.factorReplaces) {
        await recoveryCodes.removeRecoveryCodes(tx, account.userId)
        await mail.notify(tx, account, { kind: 'factor-reset-done' }, visitor)
        await mail.tellAdministrators(tx, { kind: 'factor-reset-of', who: account.userIdent }, visitor)
      } else {
        await mail.notify(tx, account, { kind: 'factor-added' }, visitor)
      }
      return signIn.issue(tx, confirmed, visitor, { event: 'factor-verified', factor: 'TOTP', finish: async () => browser })
    })
  }

  const skip = (first: FirstFactor, factor: totpFactors.TotpFactor, visitor: Visitor) =>
    db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const confirmed = await confirm(tx, first)
      if ('ends' in confirmed) return confirmed.ends
      const allowed = policy === 'skippable' && !factor.factorReplaces && !deps.isAdministrator(confirmed.userIdent)
      const closed = await factors.hasVerified(tx, confirmed.userId)
      const skips = allowed && !closed ? await countSkip(tx, confirmed.userId, now()) : undefined
      if (skips === undefined) {
        await note(tx, 'factor-skipped', 'refused', confirmed, visitor)
        return noFactors
      }
      metrics.skipped()
      await factors.removeFactor(tx, factor.factorUUID)
      await mail.tellAdministrators(tx, { kind: 'factor-skipped', who: confirmed.userIdent, skips }, visitor)
      return signIn.issue(tx, confirmed, visitor, { event: 'factor-skipped', factor: null, finish: () => first.finish(tx) })
    })

  /**
   * resetOTP: mails the link to a new factor, whose id is the answer. The old one works until the new one is verified. It wants a
   * typed password: whoever has the mailbox alone has the ticket of a one-time link, too.
   */
  const startReset = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.withPassword(credentials(request), visitor, step('factor-reset-requested'), first =>
      db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
        const account = await confirm(tx, first)
        if ('ends' in account) return account.ends
        const said = (result: string) => note(tx, 'factor-reset-requested', result, account, visitor)
        if (!(await factors.hasVerified(tx, account.userId))) {
          await said('no-factor')
          return noFactors
        }
        const maySend = await mailLinks.mayBeSent(tx, account.userId, 'FactorReset', now())
        // A password that came by mail proves the mailbox a second time and nothing else, until a second factor was used with it.
        if (account.userPasswordByMail || !maySend) {
          await said(maySend ? 'held' : 'too-many')
          if (maySend) await mail.notifyOnce(tx, account, { kind: 'factor-reset-held' }, visitor)
          const contents = (await factors.findReplacing(tx, account.userId, now())) ?? randomUUID()
          return { outcome: { tag: 'AuthRequiresFactorReset', contents } }
        }
        const { factorUUID } = await factors.startFactor(tx, { type: 'TOTP', userId: account.userId, replaces: true, now: now() })
        const lifetime = limits.mailLink.factorReset
        const fragment = await mailLinks.issueMailLink(tx, {
          kind: 'FactorReset',
          userId: account.userId,
          lifetime,
          factorUUID,
          now: now(),
        })
        const message = { kind: 'factor-reset', link: `${deps.publicUrl}/new-factor#${fragment}`, minutes: lifetime / 60_000 } as const
        await mail.queue(tx, { to: account.userIdent, message }, now() + lifetime)
        await said('successful')
        return { outcome: { tag: 'AuthRequiresFactorReset', contents: factorUUID } }
      }),
    )) ?? failed

  return { verifyCode, useRecoveryCode, setUp, startReset }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

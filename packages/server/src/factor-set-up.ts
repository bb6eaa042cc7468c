import { randomUUID } from 'node:crypto'
import type { OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { BadInput } from './bad-input.ts'
import type { Tables } from './db/schema.ts'
import { missingBinding, missingFactor, noFactors, unreadable, wrongFirstCode } from './factor-answers.ts'
import { createFactorSteps, credentialsOf, step } from './factor-steps.ts'
import * as factors from './factors.ts'
import * as failedCodes from './failed-codes.ts'
import type { CheckFirstFactor, FirstFactor, Visitor } from './first-factor.ts'
import type { Keyring } from './keyring.ts'
import { limits } from './limits.ts'
import type { Mail } from './mail.ts'
import type { MailAskers } from './mail-askers.ts'
import * as mailLinks from './mail-links.ts'
import type { Metrics } from './metrics.ts'
import * as recoveryCodes from './recovery-codes.ts'
import { failed, forcedReset, type SecondFactorPolicy, type SignedIn, type SignIn } from './sign-in.ts'
import { countSkip } from './skips.ts'
import * as tokens from './tokens.ts'
import * as totpFactors from './totp-factors.ts'

/** Decides on factors that are to be: setting one up or putting it off at a sign-in, and a new one for one that is lost. */
export const createFactorSetUp = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  signIn: SignIn
  keyring: Keyring
  mail: Mail
  askers: MailAskers
  metrics: Metrics
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  /** Address under which browsers reach us, without a slash at its end. */
  publicUrl: string
  now: () => number
}) => {
  const { db, firstFactor, signIn, keyring, mail, askers, metrics, policy, now } = deps
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
    if (factor.factorTOTPBindingSecret === null) return without('link-not-opened', missingBinding(factorUUID))
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
      const { knowsPassword } = first
      return signIn.issue(tx, confirmed, visitor, { event: 'factor-verified', factor: 'TOTP', knowsPassword, finish: async () => browser })
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
      const { knowsPassword } = first
      return signIn.issue(tx, confirmed, visitor, { event: 'factor-skipped', factor: null, knowsPassword, finish: () => first.finish(tx) })
    })

  /**
   * resetOTP: mails the link to a new factor, whose id is the answer. The old one works until the new one is verified. It wants a
   * typed password: whoever has the mailbox alone has the ticket of a one-time link, too.
   */
  const startReset = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> =>
    (await firstFactor.withPassword(credentialsOf(request), visitor, step('factor-reset-requested'), first =>
      db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
        const account = await confirm(tx, first)
        if ('ends' in account) return account.ends
        const said = (result: string) => note(tx, 'factor-reset-requested', result, account, visitor)
        if (!(await factors.hasVerified(tx, account.userId))) {
          await said('no-factor')
          return noFactors
        }
        const asks = await askers.askerOf(tx, account.userId, askers.traceOf(account.userIdent, visitor))
        const asker = await mailLinks.findQuota(tx, account.userId, 'FactorReset', asks, now())
        // A password that came by mail proves the mailbox a second time and nothing else, until a second factor was used with it.
        if (account.userPasswordByMail || !asker) {
          await said(asker ? 'held' : 'too-many')
          if (asker) await mail.notifyOnce(tx, account, { kind: 'factor-reset-held' }, visitor)
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
          asker,
          now: now(),
        })
        const message = { kind: 'factor-reset', link: `${deps.publicUrl}/new-factor#${fragment}`, minutes: lifetime / 60_000 } as const
        await mail.queue(tx, { to: account.userIdent, message }, now() + lifetime)
        await said('successful')
        return { outcome: { tag: 'AuthRequiresFactorReset', contents: factorUUID } }
      }),
    )) ?? failed

  return { setUp, startReset }
}
export type FactorSetUp = ReturnType<typeof createFactorSetUp>

import { randomUUID } from 'node:crypto'
import type { MailLinkRequest, OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { redeemWithAccount } from '../mail-links/redemption.ts'
import type { CheckFirstFactor, FirstFactor } from '../sign-in/authenticate.ts'
import { noFactors } from '../sign-in/factor-outcomes.ts'
import { createFactorSteps, step } from '../sign-in/factor-steps.ts'
import { failed, type SignedIn } from '../sign-in/sign-in.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { MailAskers } from './mail-requesters.ts'

/** Replaces a lost second factor: the password starts it, a mailed link shows the new secret. The new code completes it at a sign-in. */
export const createFactorReset = (deps: {
  db: Kysely<Tables>
  firstFactor: CheckFirstFactor
  keyring: Keyring
  mail: Mail
  askers: MailAskers
  productName: string
  /** Address under which browsers reach us, without a slash at its end. */
  publicUrl: string
  now: () => number
}) => {
  const { db, firstFactor, keyring, mail, askers, now } = deps
  const { note, confirm } = createFactorSteps(deps)

  /**
   * resetOTP: mails the link to a new factor, whose id is the answer. The old one works until the new one is verified. It wants a
   * typed password: whoever has the mailbox alone has the ticket of a one-time link, too.
   */
  const start = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    // After a one-time link or a provider the browser knows no address: the ticket says whose password was typed, and proves nothing.
    const named = request.otpUsername !== '' || request.otpPassword === ''
    const username = named ? request.otpUsername : await firstFactor.usernameOfTicket(visitor)
    if (username === undefined) return failed
    const claim = { username, password: request.otpPassword }
    const started = await firstFactor.withPassword(claim, visitor, step('factor-reset-requested'), first => begin(first, visitor))
    if (!started) return failed
    const { outcome } = started
    return outcome.tag === 'AuthRequiresFactorReset' && !named ? { ...started, outcome: { ...outcome, username } } : started
  }

  const begin = (first: FirstFactor, visitor: Visitor): Promise<SignedIn | undefined> =>
    db.transaction().execute(async (tx): Promise<SignedIn | undefined> => {
      const account = await confirm(tx, first)
      if ('ends' in account) return account.ends
      const said = (result: AuditResult) => note(tx, 'factor-reset-requested', result, account, visitor)
      const permit = await ask(tx, account, 'start-replacement', first.proof)
      const refused = 'refused' in permit ? permit.refused : undefined
      if (refused === 'has-factor') {
        await said('no-factor')
        return noFactors
      }
      const asks = await askers.askerOf(tx, account.userId, askers.traceOf(account.userIdent, visitor))
      const asker = await mailLinks.findQuota(tx, account.userId, 'FactorReset', asks, now())
      if ('refused' in permit || !asker) {
        await said(refused ? 'held' : 'too-many')
        if (refused) await mail.notifyOnce(tx, account, { kind: 'factor-reset-held' }, visitor)
        const pending = refused ? undefined : await factors.findReplacing(tx, account.userId, now())
        const contents = pending ?? randomUUID()
        return { outcome: { tag: 'AuthRequiresFactorReset', contents, ...(refused && { refused: 'PasswordByMail' }) } }
      }
      const { factorUUID } = await factors.startFactor(permit, { type: 'TOTP', now: now() })
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
    })

  /** newFactor: uses up the mailed link; the new factor gets its secret, which is shown this once. */
  const open = (claim: MailLinkRequest, visitor: Visitor): Promise<SignedIn> =>
    db.transaction().execute(async (tx): Promise<SignedIn> => {
      const { link, account } = (await redeemWithAccount(tx, { kind: 'FactorReset', ...claim }, now())) ?? {}
      const permit = account && (await ask(tx, account, 'open-replacement', { mailedLink: true }))
      const shown = { issuer: deps.productName, account: account?.userIdent ?? '', now: now() }
      const contents =
        link?.mailLinkFactor && permit && !('refused' in permit)
          ? await totpFactors.bindTotp(permit, keyring, link.mailLinkFactor, shown)
          : undefined
      const target = account?.userId ?? null
      const result = contents ? 'successful' : 'refused'
      await audit.record(tx, { event: 'factor-reset-opened', result, actor: null, target, now: now() }, visitor)
      return contents ? { outcome: { tag: 'AuthRequiresFactorCreation', contents } } : failed
    })

  return { start, open }
}
export type FactorReset = ReturnType<typeof createFactorReset>

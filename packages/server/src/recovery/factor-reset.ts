import { randomUUID } from 'node:crypto'
import type { MailLinkRequest, OTPRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { bindTotp, startTotp } from '../factors/totp/totp-binding.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { redeemWithAccount } from '../mail-links/redemption.ts'
import type { Authentication, Confirmed } from '../sign-in/authenticate.ts'
import { noFactors } from '../sign-in/factor-outcomes.ts'
import { createFactorSteps, step } from '../sign-in/factor-steps.ts'
import { failed, type SignedIn } from '../sign-in/sign-in.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { MailRequesters } from './mail-requesters.ts'

/** Replaces a lost second factor. The user starts with a password, gets the new secret by a mailed link, and signs in with a code. */
export const createFactorReset = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  keyring: Keyring
  mail: Mail
  requesters: MailRequesters
  productName: string
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  now: () => number
}) => {
  const { db, authentication, keyring, mail, requesters, now } = deps
  const { record, confirmStep } = createFactorSteps(deps)

  /**
   * resetOTP: mails the link to a new factor, and returns the factor's id. The old factor works until the first code of the new one.
   * Requires a typed password, because a mailbox reader can get the ticket of a one-time link.
   */
  const start = async (request: OTPRequest, visitor: Visitor): Promise<SignedIn> => {
    // After a one-time link or a provider, the page knows no username. The ticket only names the user, and proves nothing here.
    const isNamed = request.otpUsername !== '' || request.otpPassword === ''
    const username = isNamed ? request.otpUsername : await authentication.usernameOfTicket(visitor)
    if (username === undefined) return failed
    const claim = { username, password: request.otpPassword }
    using first = await authentication.authenticatePassword(claim, visitor, step('factor-reset-requested'))
    if (!first) return failed
    return await db.transaction().execute(async (tx): Promise<SignedIn> => {
      const confirmed = await confirmStep(tx, first)
      if ('refused' in confirmed) return confirmed.refused
      const { outcome } = await begin(confirmed, visitor)
      return { outcome: outcome.tag === 'AuthRequiresFactorReset' && !isNamed ? { ...outcome, username } : outcome }
    })
  }

  const begin = async ({ tx, account, proof, event }: Confirmed, visitor: Visitor): Promise<SignedIn> => {
    const note = (result: AuditResult) => record(tx, event, result, account, visitor)
    const permit = await ask(tx, account, 'start-replacement', proof)
    const refused = 'refused' in permit ? permit.refused : undefined
    if (refused === 'has-factor') {
      await note('no-factor')
      return noFactors
    }
    const asks = await requesters.requesterOf(tx, account.userId, requesters.traceOf(account.userIdent, visitor))
    const requester = await mailLinks.findQuota(tx, account.userId, 'FactorReset', asks, now())
    if ('refused' in permit || !requester) {
      await note(refused ? 'held' : 'too-many')
      if (refused) await mail.notifyDaily(tx, account, { kind: 'factor-reset-held' }, visitor)
      const pending = refused ? undefined : await factors.findReplacing(tx, account.userId, now())
      const contents = pending ?? randomUUID()
      return { outcome: { tag: 'AuthRequiresFactorReset', contents, ...(refused && { refused: 'PasswordByMail' }) } }
    }
    const shown = (await totpFactors.findOpenReplacement(tx, account.userId, now()))?.factorUUID
    const { factorUUID } = await startTotp(permit, now(), shown)
    const lifetime = limits.mailLink.factorReset
    const fragment = await mailLinks.issueMailLink(tx, {
      kind: 'FactorReset',
      userId: account.userId,
      lifetime,
      factorUUID,
      requester,
      now: now(),
    })
    const message = { kind: 'factor-reset', link: `${deps.publicUrl}/new-factor#${fragment}`, minutes: lifetime / 60_000 } as const
    await mail.queue(tx, account, { to: account.userIdent, message }, now() + lifetime)
    await note('successful')
    return { outcome: { tag: 'AuthRequiresFactorReset', contents: factorUUID } }
  }

  /** newFactor: redeems the mailed link, and gives the new factor its secret. The server shows it only this once. */
  const open = (claim: MailLinkRequest, visitor: Visitor): Promise<SignedIn> =>
    db.transaction().execute(async (tx): Promise<SignedIn> => {
      const { link, account } = (await redeemWithAccount(tx, { kind: 'FactorReset', ...claim }, now())) ?? {}
      const permit = account && (await ask(tx, account, 'open-replacement', { mailedLink: true }))
      const shown = { issuer: deps.productName, account: account?.userIdent ?? '', now: now() }
      const contents =
        link?.mailLinkFactor && permit && !('refused' in permit) ? await bindTotp(permit, keyring, link.mailLinkFactor, shown) : undefined
      if (account && contents) await factors.endPending(tx, account.userId, contents.factorUUID)
      const target = account?.userId ?? null
      const result = contents ? 'successful' : 'refused'
      await audit.record(tx, { event: 'factor-reset-opened', result, actor: null, target, now: now() }, visitor)
      return contents ? { outcome: { tag: 'AuthRequiresFactorCreation', contents } } : failed
    })

  return { start, open }
}
export type FactorReset = ReturnType<typeof createFactorReset>

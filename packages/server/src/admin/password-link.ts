import * as audit from '../audit/audit.store.ts'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import * as mailLinks from '../mail-links/mail-links.store.ts'
import { isInvited } from '../recovery/invitation.ts'
import type { Account } from '../users/users.store.ts'
import type { By } from './user-acts.ts'

/** Mails users the link to choose a password, so that no administrator ever knows the password. */
export const createPasswordLink = (deps: {
  mail: Mail
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  now: () => number
}) => {
  const { mail, publicUrl, now } = deps

  /** Users who have never signed in get an invitation. */
  const queue = async (
    tx: Db,
    user: Pick<Account, 'userId' | 'userIdent' | 'userPassword' | 'userForcedReset'> & Partial<Account>,
  ): Promise<void> => {
    const { userId, userIdent: to } = user
    const { invitation, passwordReset } = limits.mailLink
    const invited = await isInvited(tx, user)
    const lifetime = invited ? invitation : passwordReset
    const fragment = await mailLinks.issueMailLink(tx, { kind: 'PasswordReset', userId, lifetime, now: now() })
    const link = `${publicUrl}/new-password#${fragment}`
    const message = invited
      ? ({ kind: 'invitation', link, hours: lifetime / 3_600_000 } as const)
      : ({ kind: 'password-reset', link, minutes: lifetime / 60_000 } as const)
    await mail.queue(tx, user, { to, message }, now() + lifetime)
  }

  /** Queues the link at the request of an administrator, and records the request. */
  const send = async (tx: Db, account: Account, { actor, origin }: By): Promise<void> => {
    await queue(tx, account)
    await audit.record(tx, { event: 'mail-requested', result: 'PasswordReset', actor, target: account.userId, now: now() }, origin)
  }

  return { queue, send }
}
export type PasswordLink = ReturnType<typeof createPasswordLink>

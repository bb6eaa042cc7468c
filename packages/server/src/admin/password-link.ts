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

  type User = Pick<Account, 'userId' | 'userIdent'> & Partial<Account>

  const queue = async (tx: Db, user: User, invited: boolean): Promise<void> => {
    const { userId, userIdent: to } = user
    const lifetime = invited ? limits.mailLink.invitation : limits.mailLink.passwordReset
    const fragment = await mailLinks.issueMailLink(tx, { kind: 'PasswordReset', userId, lifetime, now: now() })
    const link = `${publicUrl}/new-password#${fragment}`
    const message = invited
      ? ({ kind: 'invitation', link, hours: lifetime / 3_600_000 } as const)
      : ({ kind: 'password-reset', link, minutes: lifetime / 60_000 } as const)
    await mail.queue(tx, user, { to, message }, now() + lifetime)
  }

  /** Queues the invitation of a user who was just added without a password. */
  const invite = (tx: Db, user: User): Promise<void> => queue(tx, user, true)

  /** Queues the link at the request of an administrator, and records the request. Users who have never signed in get an invitation. */
  const send = async (tx: Db, account: Account, { actor, origin }: By): Promise<void> => {
    await queue(tx, account, await isInvited(tx, account))
    await audit.record(tx, { event: 'mail-requested', result: 'PasswordReset', actor, target: account.userId, now: now() }, origin)
  }

  return { invite, send }
}
export type PasswordLink = ReturnType<typeof createPasswordLink>

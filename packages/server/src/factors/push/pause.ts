import type { Kysely } from 'kysely'
import type { Db, Row, Tables } from '../../db/schema.ts'
import type { Mail } from '../../mail/mail.ts'
import * as accounts from '../../users/users.store.ts'
import { findNewestPush } from './push-challenges.ts'
import * as pushCounts from './push-counts.store.ts'

/**
 * Notifies the user and the administrators of a pause of phone approvals. Attack: an attacker with the password sends approval requests.
 */
export const createPushPause = ({ db, mail, now }: { db: Kysely<Tables>; mail: Mail; now: () => number }) => {
  const notifyOfPause = async (
    tx: Db,
    account: accounts.Account,
    why: 'denied' | 'unanswered',
    from: Pick<Row<'challenges'>, 'challengeAddress' | 'challengeUserAgent'> | undefined,
  ): Promise<void> => {
    const asked = { address: from?.challengeAddress ?? '', userAgent: from?.challengeUserAgent ?? '' }
    await mail.notify(tx, account, { kind: 'push-paused', why }, asked)
    await mail.notifyAdministrators(tx, { kind: 'push-paused-of', who: account.userIdent, why }, asked)
  }

  /** Pauses phone approvals of users with many unanswered requests. */
  const sweep = (): Promise<void> =>
    db.transaction().execute(async tx => {
      for (const userId of await pushCounts.pauseUnanswered(tx, now())) {
        const account = await accounts.findById(tx, userId)
        if (account) await notifyOfPause(tx, account, 'unanswered', await findNewestPush(tx, userId))
      }
    })

  return { notifyOfPause, sweep }
}
export type PushPause = ReturnType<typeof createPushPause>

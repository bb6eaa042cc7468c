import type { Kysely } from 'kysely'
import type { Db, Row, Tables } from '../../db/schema.ts'
import type { Mail } from '../../mail/mail.ts'
import * as accounts from '../../users/users.store.ts'
import { findNewestPush } from './push-challenges.ts'
import * as pushCounts from './push-counts.store.ts'

/** Tells of devices that are left in peace for a while, because somebody who is not their owner seems to ask. */
export const createPushPause = ({ db, mail, now }: { db: Kysely<Tables>; mail: Mail; now: () => number }) => {
  const tell = async (
    tx: Db,
    account: accounts.Account,
    why: 'denied' | 'unanswered',
    from: Pick<Row<'challenges'>, 'challengeAddress' | 'challengeUserAgent'> | undefined,
  ): Promise<void> => {
    const asked = { address: from?.challengeAddress ?? '', userAgent: from?.challengeUserAgent ?? '' }
    await mail.notify(tx, account, { kind: 'push-paused', why }, asked)
    await mail.notifyAdministrators(tx, { kind: 'push-paused-of', who: account.userIdent, why }, asked)
  }

  /** Those that nobody answered on again and again. */
  const sweep = (): Promise<void> =>
    db.transaction().execute(async tx => {
      for (const userId of await pushCounts.pauseUnanswered(tx, now())) {
        const account = await accounts.findById(tx, userId)
        if (account) await tell(tx, account, 'unanswered', await findNewestPush(tx, userId))
      }
    })

  return { tell, sweep }
}
export type PushPause = ReturnType<typeof createPushPause>

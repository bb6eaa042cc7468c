import type { Db } from '../db/schema.ts'

/**
 * Records that a user gets a notice of a kind now, unless they got one within `every` milliseconds. Uses one statement, so only one of
 * several servers sends the notice.
 * @returns whether to send it
 */
export const claimNotice = async (
  db: Db,
  { userId: noticeUser, kind: noticeKind }: { userId: string; kind: string },
  every: number,
  now: number,
): Promise<boolean> =>
  (await db
    .insertInto('notices')
    .values({ noticeUser, noticeKind, noticeAt: now })
    .onConflict(c =>
      c
        .columns(['noticeUser', 'noticeKind'])
        .doUpdateSet({ noticeAt: now })
        .where('notices.noticeAt', '<=', now - every),
    )
    .returning('noticeAt')
    .executeTakeFirst()) !== undefined

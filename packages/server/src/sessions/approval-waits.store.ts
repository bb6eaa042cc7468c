import type { ChallengeRespondedReason, PushStatus } from '@gatehouse/wire'
import type { Db } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** The hash of the ticket that replaced the password; empty where the user typed the password. */
const ticketHashOf = (ticket: string | undefined) => (ticket === undefined ? '' : hashSecret(ticket))

/** Starts a browser's wait for a phone's answer. @returns the value of the cookie that binds the answer to this browser */
export const startWait = async (
  db: Db,
  wait: { pushWaitUser: string; ticket: string | undefined; pushWaitChallenge: string; pushWaitExpires: number },
): Promise<string> => {
  const binding = randomSecret(256)
  const { ticket, ...of } = wait
  await db
    .insertInto('push_waits')
    .values({ ...of, pushWaitTicket: ticketHashOf(ticket), pushWaitBinding: hashSecret(binding) })
    .execute()
  return binding
}

/** The state of a challenge that a browser waits for. */
export type Awaited = Omit<PushStatus, 'challengeRespondedReason'> & { reason: ChallengeRespondedReason['tag'] }

/** The state of the challenges that browsers wait for, by cookie. A challenge that was never sent looks like an unanswered one. */
export const readWaits = async (db: Db, bindings: readonly string[], now: number): Promise<Map<string, Awaited>> => {
  const byHash = new Map(bindings.map(binding => [hashSecret(binding), binding]))
  const rows = await db
    .selectFrom('push_waits')
    .leftJoin('challenges', 'challengeUUID', 'pushWaitChallenge')
    .select(['pushWaitBinding', 'pushWaitChallenge', 'pushWaitExpires', 'challengeStatus', 'challengeRespondedReason'])
    .where('pushWaitBinding', 'in', [...byHash.keys()])
    .execute()
  return new Map(
    rows.flatMap((row): [string, Awaited][] => {
      const binding = byHash.get(row.pushWaitBinding)
      if (binding === undefined) return []
      const pending = row.challengeStatus === null || row.challengeStatus === 'Pending'
      const challengeStatus = pending ? (row.pushWaitExpires > now ? 'Pending' : 'Expired') : (row.challengeStatus ?? 'Pending')
      const reason = pending ? 'ReasonNone' : (row.challengeRespondedReason ?? 'ReasonNone')
      return [[binding, { challengeUUID: row.pushWaitChallenge, challengeStatus, reason }]]
    }),
  )
}

/** Redeems an approval, once: only in the browser that waited for it, and only for the same user and ticket. */
export const redeemWait = async (
  db: Db,
  { binding, ticket, userId }: { binding: string; ticket: string | undefined; userId: string },
  now: number,
): Promise<boolean> =>
  (await db
    .deleteFrom('push_waits')
    .where('pushWaitBinding', '=', hashSecret(binding))
    .where('pushWaitUser', '=', userId)
    .where('pushWaitTicket', '=', ticketHashOf(ticket))
    .where('pushWaitExpires', '>', now - limits.push.grace)
    .where(e =>
      e.exists(
        e
          .selectFrom('challenges')
          .select('challengeUUID')
          .whereRef('challengeUUID', '=', 'pushWaitChallenge')
          .where('challengeIdentity', '=', userId)
          .where('challengeStatus', '=', 'Approved')
          .where('challengeEnrols', '=', 0),
      ),
    )
    .returning('pushWaitChallenge')
    .executeTakeFirst()) !== undefined

/** Voids all approvals of a user, given or still to come. */
export const endWaits = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('push_waits').where('pushWaitUser', '=', userId).execute()
}

export const purge = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('push_waits')
    .where('pushWaitExpires', '<=', now - limits.push.grace)
    .execute()
}

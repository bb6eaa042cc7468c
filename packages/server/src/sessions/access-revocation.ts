import type { Db } from '../db/schema.ts'
import { endWaits } from './approval-waits.store.ts'
import { endHandOvers } from './hand-overs.store.ts'
import { endOtherSessions, endSessions } from './sessions.store.ts'
import { revokeTickets } from './tickets.store.ts'

/**
 * Ends every session, hand-over code, ticket and phone approval of a user. Hand-over codes come first: their deletion waits for an
 * exchange in progress, so the session that the exchange started ends too.
 */
export const revokeAll = async (tx: Db, userId: string): Promise<void> => {
  await endHandOvers(tx, userId)
  await endSessions(tx, userId)
  await revokePending(tx, userId)
}

/** Ends everything that `revokeAll` ends, except one session. */
export const revokeOthers = async (tx: Db, userId: string, sessionSelector: string): Promise<void> => {
  await endHandOvers(tx, userId)
  await endOtherSessions(tx, userId, sessionSelector)
  await revokePending(tx, userId)
}

/**
 * Ends tickets and phone approvals. Attack: a mailbox reader also has the cookie of a browser that waits for an approval. They set a
 * password, and then use the approval that the user gave before.
 */
const revokePending = async (tx: Db, userId: string): Promise<void> => {
  await revokeTickets(tx, userId)
  await endWaits(tx, userId)
}

import type { Db } from '../db/schema.ts'
import { endWaits } from './approval-waits.store.ts'
import * as tokens from './tokens.store.ts'

/**
 * Ends every session, hand-over, ticket and phone approval of a user. Attack: a mailbox reader who also has the cookie of a waiting browser
 * sets a password, and uses the approval that the owner gave before.
 */
export const revokeAll = async (tx: Db, userId: string): Promise<void> => {
  await tokens.endEverything(tx, userId)
  await endWaits(tx, userId)
}

/** The same, except for one session. */
export const revokeOthers = async (tx: Db, userId: string, sessionSelector: string): Promise<void> => {
  await tokens.endOthers(tx, userId, sessionSelector)
  await endWaits(tx, userId)
}

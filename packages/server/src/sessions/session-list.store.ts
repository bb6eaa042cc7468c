import type { Db, Row } from '../db/schema.ts'
import { hashSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

export type ListedSession = Omit<Row<'sessions'>, 'sessionHash' | 'sessionCheckSelector' | 'sessionCheckHash' | 'sessionUser'> & {
  /** What it goes by where it is shown: its selector is half of what opens it. */
  sessionId: string
}

const idOf = (sessionSelector: string) => hashSecret(`listed ${sessionSelector}`)

/** The live sessions of a user, the one that was seen last first. */
export const listSessions = async (db: Db, userId: string, now: number): Promise<ListedSession[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select(['sessionSelector', 'sessionCreated', 'sessionSeen', 'sessionExpires', 'sessionUserAgent', 'sessionAddress'])
    .select(['sessionFactor', 'sessionConfirmed'])
    .where('sessionUser', '=', userId)
    .where('sessionExpires', '>', now)
    .where('sessionSeen', '>', now - limits.session.idle)
    .orderBy('sessionSeen', 'desc')
    .orderBy('sessionSelector')
    .execute()
  return rows.map(row => ({ ...row, sessionId: idOf(row.sessionSelector) }))
}

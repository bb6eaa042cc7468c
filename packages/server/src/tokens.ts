import type { Db } from './db/schema.ts'
import { limits } from './limits.ts'
import { hashSecret, matchesHash, randomSecret } from './secrets.ts'

/** What the browser sends to redeem a hand-over: the pair from the answer, and the cookie that binds it to the browser. */
export type HandOverClaim = { authTokenSelector: string; authTokenToken: string; binding: string }

/**
 * Issues the one-time code of a finished sign-in. Binding is a value for a cookie: without it the pair is worth nothing,
 * so it may stand in an address.
 */
export const issueHandOver = async (db: Db, authTokenUser: string, now: number) => {
  await db.deleteFrom('hand_overs').where('authTokenUser', '=', authTokenUser).where('authTokenExpires', '<=', now).execute()
  const issued = {
    authTokenSelector: randomSecret(128),
    authTokenToken: randomSecret(256),
    binding: randomSecret(256),
    authTokenExpires: now + limits.handOver.lifetime,
  }
  await db
    .insertInto('hand_overs')
    .values({
      authTokenSelector: issued.authTokenSelector,
      authTokenHash: hashSecret(issued.authTokenToken),
      authTokenUser,
      authTokenExpires: issued.authTokenExpires,
      handOverBinding: hashSecret(issued.binding),
      handOverExchanged: null,
      handOverArrived: null,
    })
    .execute()
  return issued
}

const claimed = (db: Db, claim: HandOverClaim, now: number) =>
  db
    .updateTable('hand_overs')
    .where('authTokenSelector', '=', claim.authTokenSelector)
    .where('authTokenHash', '=', hashSecret(claim.authTokenToken))
    .where('handOverBinding', '=', hashSecret(claim.binding))
    .where('authTokenExpires', '>', now)
    .where('handOverArrived', 'is', null)

/** Exchanges a hand-over for its user, once. */
export const exchangeHandOver = async (db: Db, claim: HandOverClaim, now: number): Promise<string | undefined> => {
  const row = await claimed(db, claim, now)
    .where('handOverExchanged', 'is', null)
    .set({ handOverExchanged: now })
    .returning('authTokenUser')
    .executeTakeFirst()
  return row?.authTokenUser
}

/** The browser has come to the token page. Works once, whether the hand-over was exchanged before or is by this. */
export const arriveByHandOver = async (db: Db, claim: HandOverClaim, now: number) => {
  const row = await claimed(db, claim, now)
    .set({ handOverArrived: now })
    .returning(['authTokenUser', 'handOverExchanged'])
    .executeTakeFirst()
  return row && { user: row.authTokenUser, exchanged: row.handOverExchanged !== null }
}

export type Session = {
  sessionSelector: string
  sessionCreated: number
  sessionSeen: number
  userId: string
  userIdent: string
}

/** Starts a session and returns its cookie value, `selector.validator`. Past the cap a user's oldest session ends. */
export const startSession = async (
  db: Db,
  sessionUser: string,
  from: { userAgent: string; address: string },
  now: number,
): Promise<string> => {
  const [selector, validator] = [randomSecret(128), randomSecret(256)]
  await db
    .insertInto('sessions')
    .values({
      sessionSelector: selector,
      sessionHash: hashSecret(validator),
      sessionUser,
      sessionCreated: now,
      sessionSeen: now,
      sessionExpires: now + limits.session.absolute,
      sessionUserAgent: from.userAgent,
      sessionAddress: from.address,
    })
    .execute()
  await db
    .deleteFrom('sessions')
    .where('sessionUser', '=', sessionUser)
    .where(e =>
      e.or([
        e('sessionExpires', '<=', now),
        e(
          'sessionSelector',
          'in',
          e
            .selectFrom('sessions')
            .select('sessionSelector')
            .where('sessionUser', '=', sessionUser)
            .orderBy('sessionCreated', 'desc')
            .orderBy('sessionSelector', 'desc')
            .limit(1000)
            .offset(limits.session.perUser),
        ),
      ]),
    )
    .execute()
  return `${selector}.${validator}`
}

/** The live session of a cookie value, by one indexed read. A known selector with another's validator is `forged`. */
export const findSession = async (
  db: Db,
  cookie: string,
  now: number,
): Promise<Session | { forged: string; userId: string } | undefined> => {
  const [selector, validator, ...more] = cookie.split('.')
  if (!selector || !validator || more.length > 0) return undefined
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.sessionUser')
    .select(['sessionSelector', 'sessionHash', 'sessionCreated', 'sessionSeen', 'sessionExpires', 'userId', 'userIdent'])
    .where('sessionSelector', '=', selector)
    .executeTakeFirst()
  if (!row) return undefined
  if (!matchesHash(validator, row.sessionHash)) return { forged: selector, userId: row.userId }
  if (row.sessionExpires <= now || row.sessionSeen + limits.session.idle <= now) return undefined
  // Made while the clock stood in the future: it would live as long as the clock was wrong.
  if (row.sessionSeen > now + limits.session.seenEvery) return undefined
  const { sessionHash: _, sessionExpires: __, ...session } = row
  return session
}

/** Notes that a session is in use. */
export const touchSession = async (db: Db, sessionSelector: string, now: number): Promise<void> => {
  await db.updateTable('sessions').set({ sessionSeen: now }).where('sessionSelector', '=', sessionSelector).execute()
}

export const endSession = async (db: Db, sessionSelector: string): Promise<void> => {
  await db.deleteFrom('sessions').where('sessionSelector', '=', sessionSelector).execute()
}

/** Ends every session of a user, and hand-overs that would become one. */
export const endEverything = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('sessionUser', '=', userId).execute()
  await db.deleteFrom('hand_overs').where('authTokenUser', '=', userId).execute()
}

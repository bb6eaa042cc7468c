import type { InferResult } from 'kysely'
import type { Permit } from '../credentials/credential-rules.ts'
import { inBatches } from '../db/batches.ts'
import { compiledOnce } from '../db/compiled.ts'
import type { Db, Row, UsedFactor } from '../db/schema.ts'
import { deleteInSlices } from '../db/slices.ts'
import { preparedAs } from '../db/statement-marks.ts'
import { checkCookieOf, hashSecret, isSelector, matchesHash, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** What the browser sends to redeem a hand-over: the pair from the answer, and the cookie that binds it to the browser. */
export type HandOverClaim = { authTokenSelector: string; authTokenToken: string; binding: string }

/**
 * Issues the one-time code of a finished sign-in. Binding is a value for a cookie: without it the pair is worth nothing,
 * so it may stand in an address.
 */
export const issueHandOver = async ({ tx, userId: authTokenUser }: Permit<'sign-in'>, handOverFactor: UsedFactor | null, now: number) => {
  const issued = {
    authTokenSelector: randomSecret(128),
    authTokenToken: randomSecret(256),
    binding: randomSecret(256),
    authTokenExpires: now + limits.handOver.lifetime,
  }
  await insertHandOver(tx, {
    authTokenSelector: issued.authTokenSelector,
    authTokenHash: hashSecret(issued.authTokenToken),
    authTokenUser,
    authTokenExpires: issued.authTokenExpires,
    handOverBinding: hashSecret(issued.binding),
    handOverExchanged: null,
    handOverArrived: null,
    handOverFactor,
  })
  return issued
}

const insertHandOver = compiledOnce((db, row: Row<'hand_overs'>) =>
  db.insertInto('hand_overs').values(row).modifyEnd(preparedAs('issue-hand-over')),
)

const claimed = (db: Db, claim: HandOverClaim, now: number) =>
  db
    .updateTable('hand_overs')
    .where('authTokenSelector', '=', claim.authTokenSelector)
    .where('authTokenHash', '=', hashSecret(claim.authTokenToken))
    .where('handOverBinding', '=', hashSecret(claim.binding))
    .where('authTokenExpires', '>', now)
    .where('handOverArrived', 'is', null)

/** Whose hand-over it was, and what had passed as second factor. */
export type HandedOver = { user: string; factor: UsedFactor | null }

/** Exchanges a hand-over for its user, once. */
export const exchangeHandOver = async (db: Db, claim: HandOverClaim, now: number): Promise<HandedOver | undefined> => {
  const row = await claimed(db, claim, now)
    .where('handOverExchanged', 'is', null)
    .set({ handOverExchanged: now })
    .returning(['authTokenUser', 'handOverFactor'])
    .executeTakeFirst()
  return row && { user: row.authTokenUser, factor: row.handOverFactor }
}

/** The browser has come to the token page. Works once, whether the hand-over was exchanged before or is by this. */
export const arriveByHandOver = async (
  db: Db,
  claim: HandOverClaim,
  now: number,
): Promise<(HandedOver & { exchanged: boolean }) | undefined> => {
  const row = await claimed(db, claim, now)
    .set({ handOverArrived: now })
    .returning(['authTokenUser', 'handOverFactor', 'handOverExchanged'])
    .executeTakeFirst()
  return row && { user: row.authTokenUser, factor: row.handOverFactor, exchanged: row.handOverExchanged !== null }
}

export type Session = {
  sessionSelector: string
  sessionCreated: number
  sessionSeen: number
  sessionExpires: number
  sessionFactor: UsedFactor | null
  sessionConfirmed: number | null
  sessionCheckSelector: string | null
  userId: string
  userIdent: string
}

/** Whether the owner was proven lately, as every act wants it that a stolen session must not do. */
export const isFresh = ({ sessionCreated, sessionConfirmed }: Session, now: number): boolean =>
  (sessionConfirmed ?? sessionCreated) + limits.session.fresh > now

/** Whether the sign-in used a second factor that is ours: a provider's must not touch those that it stands in for. */
export const usedOwnFactor = ({ sessionFactor }: Session): boolean => sessionFactor !== null && sessionFactor !== 'Provider'

/** What a session proves of the one who shows it. */
export const provenBy = (session: Session, now: number) => ({ isFresh: isFresh(session, now), usedOwnFactor: usedOwnFactor(session) })

/** Starts a session and returns its cookie value, `selector.validator`. Past the cap a user's oldest session ends. */
export const startSession = async (
  db: Db,
  { user: sessionUser, factor: sessionFactor }: HandedOver,
  from: { userAgent: string; address: string },
  now: number,
  /** When the sign-in was, how long it holds, and when it was last confirmed; given where a session goes on under another value. */
  since: Pick<Session, 'sessionCreated' | 'sessionExpires' | 'sessionConfirmed'> = {
    sessionCreated: now,
    sessionExpires: now + limits.session.absolute,
    sessionConfirmed: now,
  },
): Promise<string> => {
  const [selector, validator] = [randomSecret(128), randomSecret(256)]
  await db
    .insertInto('sessions')
    .values({
      sessionSelector: selector,
      sessionHash: hashSecret(validator),
      sessionUser,
      ...since,
      sessionSeen: now,
      sessionUserAgent: from.userAgent,
      sessionAddress: from.address,
      sessionFactor,
      ...checkColumns(`${selector}.${validator}`),
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

/** What is stored of the cookie that checks of protected hosts take. */
const checkColumns = (sessionCookie: string) => {
  const { selector, secret } = checkCookieOf(sessionCookie)
  return { sessionCheckSelector: selector, sessionCheckHash: hashSecret(secret) }
}

/** Stores what checks need of a session that an older version started or renewed. */
export const storeCheckCookie = async (db: Db, sessionSelector: string, sessionCookie: string): Promise<void> => {
  await db.updateTable('sessions').set(checkColumns(sessionCookie)).where('sessionSelector', '=', sessionSelector).execute()
}

/**
 * Finds sessions by the selector of one of their two cookies, with one indexed read: every check makes it, so it is put together once,
 * PostgreSQL prepares it once on each connection, and checks that arrive together share one.
 */
const prepareFind = (db: Db, column: 'sessionSelector' | 'sessionCheckSelector', mark: string) =>
  inBatches(
    size => {
      const query = db
        .selectFrom('sessions')
        .innerJoin('users', 'users.userId', 'sessions.sessionUser')
        .select(['sessionSelector', 'sessionHash', 'sessionCheckSelector', 'sessionCheckHash'])
        .select(['sessionCreated', 'sessionSeen', 'sessionExpires', 'sessionFactor', 'sessionConfirmed'])
        .select(['userId', 'userIdent'])
        .where(column, 'in', Array<string>(size).fill(''))
        .modifyEnd(preparedAs(`${mark}-${size}`))
        .compile()
      return async selectors => (await db.executeQuery<InferResult<typeof query>[number]>({ ...query, parameters: selectors })).rows
    },
    row => row[column] ?? '',
  )
type Found = NonNullable<Awaited<ReturnType<ReturnType<typeof prepareFind>>>>

/** The two parts of a cookie value. Text that a database cannot read would fail all who share the statement. */
const partsOf = (cookie: string) => {
  const [selector, secret, ...more] = cookie.split('.')
  return isSelector(selector) && secret && more.length === 0 ? { selector, secret } : undefined
}

const alive = ({ sessionHash: _, sessionCheckHash: __, ...session }: Found, now: number): Session | undefined => {
  if (session.sessionExpires <= now || session.sessionSeen + limits.session.idle <= now) return undefined
  // Made while the clock stood in the future: it would live as long as the clock was wrong.
  return session.sessionSeen > now + limits.session.seenEvery ? undefined : session
}

/** Finds the live session of a session cookie. A known selector with another's validator is `forged`. */
export const prepareFindSession = (db: Db) => {
  const find = prepareFind(db, 'sessionSelector', 'find-sessions')
  return async (cookie: string, now: number): Promise<Session | { forged: string; userId: string } | undefined> => {
    const parts = partsOf(cookie)
    const row = parts && (await find(parts.selector))
    if (!parts || !row) return undefined
    return matchesHash(parts.secret, row.sessionHash) ? alive(row, now) : { forged: parts.selector, userId: row.userId }
  }
}

/** Finds the live session of a check cookie. A forged one ends nothing: hosts that see the cookie could sign people out by it. */
export const prepareFindChecked = (db: Db) => {
  const find = prepareFind(db, 'sessionCheckSelector', 'find-checked')
  return async (cookie: string, now: number): Promise<Session | undefined> => {
    const parts = partsOf(cookie)
    const row = parts && (await find(parts.selector))
    return parts && row?.sessionCheckHash && matchesHash(parts.secret, row.sessionCheckHash) ? alive(row, now) : undefined
  }
}

/**
 * The session goes on under another value, and the old one is dead (ASVS 7.2.4).
 * @returns the new cookie's value; `undefined` when the session was ended meanwhile
 */
export const renewSession = async (
  db: Db,
  sessionSelector: string,
  proven: { sessionConfirmed?: number; sessionFactor?: UsedFactor },
): Promise<{ sessionSelector: string; cookie: string } | undefined> => {
  const [selector, validator] = [randomSecret(128), randomSecret(256)]
  const renewed = await db
    .updateTable('sessions')
    .set({
      sessionSelector: selector,
      sessionHash: hashSecret(validator),
      ...checkColumns(`${selector}.${validator}`),
      ...proven,
    })
    .where('sessionSelector', '=', sessionSelector)
    .returning('sessionSelector')
    .executeTakeFirst()
  return renewed && { sessionSelector: selector, cookie: `${selector}.${validator}` }
}

/** Which of some sessions are alive still. */
export const listAlive = async (db: Db, selectors: readonly string[], now: number): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('sessions')
    .select('sessionSelector')
    .where('sessionSelector', 'in', selectors)
    .where('sessionExpires', '>', now)
    .where('sessionSeen', '>', now - limits.session.idle)
    .execute()
  return new Set(rows.map(row => row.sessionSelector))
}

/** Notes that a session is in use. */
export const touchSession = async (db: Db, sessionSelector: string, now: number): Promise<void> => {
  await db.updateTable('sessions').set({ sessionSeen: now }).where('sessionSelector', '=', sessionSelector).execute()
}

/** A user's live sessions, the one used last first; without what a cookie is made of. */
export const listSessions = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('sessions')
    .select(['sessionCreated', 'sessionSeen', 'sessionUserAgent', 'sessionAddress', 'sessionFactor'])
    .where('sessionUser', '=', userId)
    .where('sessionExpires', '>', now)
    .where('sessionSeen', '>', now - limits.session.idle)
    .orderBy('sessionSeen', 'desc')
    .execute()

/** @returns whether it was there still */
export const endSession = async (db: Db, sessionSelector: string): Promise<boolean> =>
  (await db.deleteFrom('sessions').where('sessionSelector', '=', sessionSelector).returning('sessionSelector').executeTakeFirst()) !==
  undefined

/** Whether a session that was found a moment ago has not been ended since. */
export const isThere = async (db: Db, sessionSelector: string): Promise<boolean> =>
  (await db.selectFrom('sessions').select('sessionSelector').where('sessionSelector', '=', sessionSelector).executeTakeFirst()) !==
  undefined

/**
 * Ends every session of a user, and what is about to become one: hand-overs and tickets. Hand-overs first: where one is being
 * exchanged this waits for it, and then ends the session it became.
 */
export const endEverything = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('hand_overs').where('authTokenUser', '=', userId).execute()
  await db.deleteFrom('sessions').where('sessionUser', '=', userId).execute()
  await revokeTickets(db, userId)
}

/** Ends everything of a user but one session, in the same order. */
export const endOthers = async (db: Db, userId: string, sessionSelector: string): Promise<void> => {
  await db.deleteFrom('hand_overs').where('authTokenUser', '=', userId).execute()
  await db.deleteFrom('sessions').where('sessionUser', '=', userId).where('sessionSelector', '!=', sessionSelector).execute()
  await revokeTickets(db, userId)
}

/** What a ticket was given for: a password or not, and which factor its sign-in began. */
export type Ticket = { userId: string; byPassword: boolean; factorUUID: string | null }

/** Issues what stands in for the password from one step of a sign-in to the next, for a cookie. */
export const issueTicket = async (db: Db, { userId, byPassword, factorUUID }: Ticket, now: number): Promise<string> => {
  const [selector, secret] = [randomSecret(128), randomSecret(256)]
  await db
    .insertInto('tickets')
    .values({
      ticketSelector: selector,
      ticketHash: hashSecret(secret),
      ticketUser: userId,
      ticketExpires: now + limits.ticket.lifetime,
      ticketByPassword: byPassword ? 1 : 0,
      ticketFactor: factorUUID,
    })
    .execute()
  return `${selector}.${secret}`
}

const ofTicket = (ticket: string) => {
  const [selector = '', secret = ''] = ticket.split('.')
  return { selector, hash: hashSecret(secret) }
}

/** What a ticket stands for, if it is alive. Uses nothing up. */
export const findTicket = async (db: Db, ticket: string, now: number): Promise<Ticket | undefined> => {
  const { selector, hash } = ofTicket(ticket)
  const row = await db
    .selectFrom('tickets')
    .select(['ticketUser', 'ticketByPassword', 'ticketFactor'])
    .where('ticketSelector', '=', selector)
    .where('ticketHash', '=', hash)
    .where('ticketExpires', '>', now)
    .executeTakeFirst()
  return row && { userId: row.ticketUser, byPassword: row.ticketByPassword === 1, factorUUID: row.ticketFactor }
}

/** No ticket of a user stands in for the password any longer. */
export const revokeTickets = async (db: Db, ticketUser: string): Promise<void> => {
  await db.deleteFrom('tickets').where('ticketUser', '=', ticketUser).execute()
}

/** Uses a ticket up, once. */
export const redeemTicket = async (db: Db, ticket: string, now: number): Promise<boolean> => {
  const { selector, hash } = ofTicket(ticket)
  const row = await db
    .deleteFrom('tickets')
    .where('ticketSelector', '=', selector)
    .where('ticketHash', '=', hash)
    .where('ticketExpires', '>', now)
    .returning('ticketUser')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Forgets what is over. Sessions that nobody used for an hour go as well: they open nothing any longer.
 */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('hand_overs').where('authTokenExpires', '<=', now).execute()
  await db.deleteFrom('tickets').where('ticketExpires', '<=', now).execute()
  const dead = { sessionExpires: now, sessionSeen: now - limits.session.idle }
  for (const column of ['sessionExpires', 'sessionSeen'] as const)
    await deleteInSlices(size =>
      db
        .deleteFrom('sessions')
        .where('sessionSelector', 'in', e =>
          e.selectFrom('sessions').select('sessionSelector').where(column, '<=', dead[column]).limit(size),
        )
        .executeTakeFirst(),
    )
}

import { type InferResult, sql } from 'kysely'
import { inBatches } from '../db/batches.ts'
import type { Db, Row, UsedFactor } from '../db/schema.ts'
import { deleteInSlices } from '../db/slices.ts'
import { preparedAs } from '../db/statement-marks.ts'
import { checkCookieOf, hashSecret, isSelector, matchesHash, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Session } from './session.ts'

/** Starts a session and returns its cookie value, `selector.validator`. Past the cap, the user's oldest session ends. */
export const startSession = async (
  db: Db,
  { user: sessionUser, factor: sessionFactor }: { user: string; factor: UsedFactor | null },
  from: { userAgent: string; address: string },
  now: number,
  /** Set only when the new session continues an old one. */
  since: Pick<Session, 'sessionCreated' | 'sessionExpires' | 'sessionConfirmed' | 'sessionFactorAt'> = {
    sessionCreated: now,
    sessionExpires: now + limits.session.absolute,
    sessionConfirmed: now,
    sessionFactorAt: sessionFactor === null ? null : now,
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

/** The stored halves of the cookie that checks of protected applications accept. */
const checkColumns = (sessionCookie: string) => {
  const { selector, secret } = checkCookieOf(sessionCookie)
  return { sessionCheckSelector: selector, sessionCheckHash: hashSecret(secret) }
}

/** Adds the check cookie of a session that an older version started or renewed. */
export const storeCheckCookie = async (db: Db, sessionSelector: string, sessionCookie: string): Promise<void> => {
  await db.updateTable('sessions').set(checkColumns(sessionCookie)).where('sessionSelector', '=', sessionSelector).execute()
}

/**
 * Finds sessions by the selector of one of their two cookies. Every check runs this query: it is compiled once for each batch size,
 * prepared once for each PostgreSQL connection, and shared by checks that arrive together.
 */
const prepareFind = (db: Db, column: 'sessionSelector' | 'sessionCheckSelector', mark: string) =>
  inBatches(
    size => {
      const query = db
        .selectFrom('sessions')
        .innerJoin('users', 'users.userId', 'sessions.sessionUser')
        .select(['sessionSelector', 'sessionHash', 'sessionCheckSelector', 'sessionCheckHash'])
        .select(['sessionCreated', 'sessionSeen', 'sessionExpires', 'sessionFactor', 'sessionConfirmed', 'sessionFactorAt'])
        .select(['userId', 'userIdent', 'userLanguage', 'userGroups', 'userProviderGroups'])
        .where(column, 'in', Array<string>(size).fill(''))
        .modifyEnd(preparedAs(`${mark}-${size}`))
        .compile()
      return async selectors => (await db.executeQuery<InferResult<typeof query>[number]>({ ...query, parameters: selectors })).rows
    },
    row => row[column] ?? '',
  )
export type StoredSession = NonNullable<Awaited<ReturnType<ReturnType<typeof prepareFind>>>>

/** The two parts of a cookie value. Refuses other text: if the database cannot read it, every check that shares the statement fails. */
export const partsOf = (cookie: string) => {
  const [selector, secret, ...more] = cookie.split('.')
  return isSelector(selector) && secret && more.length === 0 ? { selector, secret } : undefined
}

/** The session of a row, without its hashes, if it is live. */
export const live = (row: StoredSession, now: number): Session | undefined => {
  const { sessionSeen, sessionExpires } = row
  if (sessionExpires <= now || sessionSeen + limits.session.idle <= now) return undefined
  // The session was started or used while the clock was ahead. It would last longer by the clock's error.
  if (sessionSeen > now + limits.session.seenEvery) return undefined
  // List the columns. Rest destructuring would cost each check as much as evaluating the rules.
  return {
    sessionSelector: row.sessionSelector,
    sessionCreated: row.sessionCreated,
    sessionSeen,
    sessionExpires,
    sessionFactor: row.sessionFactor,
    sessionConfirmed: row.sessionConfirmed,
    sessionFactorAt: row.sessionFactorAt,
    sessionCheckSelector: row.sessionCheckSelector,
    userId: row.userId,
    userIdent: row.userIdent,
    userLanguage: row.userLanguage,
    userGroups: row.userGroups,
    userProviderGroups: row.userProviderGroups,
  }
}

export const hasSecret = ({ sessionHash }: StoredSession, secret: string): boolean => matchesHash(secret, sessionHash)
export const hasCheckSecret = ({ sessionCheckHash }: StoredSession, secret: string): boolean =>
  sessionCheckHash !== null && matchesHash(secret, sessionCheckHash)

/** The rows of these sessions, live or not. For PostgreSQL only. */
export const readSessions = (db: Db, selectors: readonly string[]): Promise<StoredSession[]> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.sessionUser')
    .select(['sessionSelector', 'sessionHash', 'sessionCheckSelector', 'sessionCheckHash'])
    .select(['sessionCreated', 'sessionSeen', 'sessionExpires', 'sessionFactor', 'sessionConfirmed', 'sessionFactorAt'])
    .select(['userId', 'userIdent', 'userLanguage', 'userGroups', 'userProviderGroups'])
    .where(e => sql<boolean>`${e.ref('sessionSelector')} = any(${selectors})`)
    .execute()

/** Finds the live session of a session cookie. A known selector with a wrong validator is `forged`. */
export const prepareFindSession = (db: Db) => {
  const find = prepareFind(db, 'sessionSelector', 'find-sessions')
  return async (cookie: string, now: number): Promise<Session | { forged: string; userId: string } | undefined> => {
    const parts = partsOf(cookie)
    const row = parts && (await find(parts.selector))
    if (!parts || !row) return undefined
    return matchesHash(parts.secret, row.sessionHash) ? live(row, now) : { forged: parts.selector, userId: row.userId }
  }
}

/** Finds the live session of a check cookie. A forged one ends no session: otherwise a protected application could sign users out. */
export const prepareFindChecked = (db: Db) => {
  const find = prepareFind(db, 'sessionCheckSelector', 'find-checked')
  return async (cookie: string, now: number): Promise<Session | undefined> => {
    const parts = partsOf(cookie)
    const row = parts && (await find(parts.selector))
    return parts && row?.sessionCheckHash && matchesHash(parts.secret, row.sessionCheckHash) ? live(row, now) : undefined
  }
}

/**
 * Gives a session a new cookie value and makes the old one worthless (ASVS 7.2.4).
 * @returns the new cookie's value; `undefined` when the session has ended meanwhile
 */
export const renewSession = async (
  db: Db,
  sessionSelector: string,
  proven: { sessionConfirmed?: number; sessionFactor?: UsedFactor; sessionFactorAt?: number },
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

/** Which of these sessions are live. */
export const listLive = async (db: Db, selectors: readonly string[], now: number): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('sessions')
    .select('sessionSelector')
    .where('sessionSelector', 'in', selectors)
    .where('sessionExpires', '>', now)
    .where('sessionSeen', '>', now - limits.session.idle)
    .execute()
  return new Set(rows.map(row => row.sessionSelector))
}

export const touchSession = async (db: Db, sessionSelector: string, now: number): Promise<void> => {
  await db.updateTable('sessions').set({ sessionSeen: now }).where('sessionSelector', '=', sessionSelector).execute()
}

export type ListedSession = Omit<
  Row<'sessions'>,
  'sessionFactorAt' | 'sessionHash' | 'sessionCheckSelector' | 'sessionCheckHash' | 'sessionUser'
> & {
  /** The id that pages show. They do not show the selector, because it is half of the cookie. */
  sessionId: string
}

/** The live sessions of a user, the most recently used first. */
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
  return rows.map(row => ({ ...row, sessionId: hashSecret(`listed ${row.sessionSelector}`) }))
}

/** Whether a session that was found earlier in this request still exists. */
export const sessionExists = async (db: Db, sessionSelector: string): Promise<boolean> =>
  (await db.selectFrom('sessions').select('sessionSelector').where('sessionSelector', '=', sessionSelector).executeTakeFirst()) !==
  undefined

/** @returns whether the session existed */
export const endSession = async (db: Db, sessionSelector: string): Promise<boolean> =>
  (await db.deleteFrom('sessions').where('sessionSelector', '=', sessionSelector).returning('sessionSelector').executeTakeFirst()) !==
  undefined

export const endSessions = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('sessionUser', '=', userId).execute()
}

export const endOtherSessions = async (db: Db, userId: string, sessionSelector: string): Promise<void> => {
  await db.deleteFrom('sessions').where('sessionUser', '=', userId).where('sessionSelector', '!=', sessionSelector).execute()
}

/** Deletes expired sessions, and sessions idle for too long: no cookie opens them anymore. */
export const purge = async (db: Db, now: number): Promise<void> => {
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

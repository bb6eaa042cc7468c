import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled.ts'
import { type Db, type Row, userColumns } from '../db/schema.ts'
import { preparedAs, syncedByNext } from '../db/statement-marks.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

const { waitFrom, firstWait, longestWait, disabledFrom } = limits.lockout

/** Which count a try goes on: that of the name, or of the name in a browser that signed in with it before. */
export type Count = { failedLoginUserIdent: string; failedLoginBrowser: string }

/** The count of all browsers nobody knows. */
const anyBrowser = ''

/**
 * Who has a name, and which count a try with it goes on. A browser that signed in before has its own, so that a stranger cannot
 * lock the owner out (OWASP, Device Cookies). One read, which looks into the same indexes whether the account is there or not.
 * @param name as it was typed, and as it is counted where nobody has it
 */
export const findTried = async (
  db: Db,
  name: { ident: string; blind: string },
  browserHash: string | undefined,
  now: number,
): Promise<{ account: Row<'users'> | undefined; count: Count }> => {
  const shown = { browser: browserHash ?? anyBrowser, since: now - limits.knownBrowser.lifetime }
  const [row] = await selectTried(db, { ident: name.ident, ...shown })
  if (!row) throw new Error('a statement that always has a row gave none')
  const { browserHash: known, ...found } = row
  const account = found.userId === null ? undefined : (found as Row<'users'>)
  return {
    account,
    count: { failedLoginUserIdent: account?.userIdent ?? name.blind, failedLoginBrowser: known ?? anyBrowser },
  }
}

const selectTried = compiledOnce((db, { ident, browser, since }: { ident: string; browser: string; since: number }) =>
  db
    .selectFrom(sql<{ tried: number }>`(select 1 as tried)`.as('one'))
    .leftJoin('users', join => join.on('userIdent', '=', ident))
    .leftJoin('known_browsers', join =>
      join.on('browserHash', '=', browser).on('browserUser', '=', sql<string>`coalesce("userId", '')`).on('browserSignedIn', '>', since),
    )
    .select(userColumns)
    .select('browserHash')
    .modifyEnd(preparedAs('find-tried')),
)

/**
 * Counts a try before it is checked, in one statement, so that parallel tries cannot slip past. From the tenth in a row
 * on each try is followed by a wait that doubles. Writes in either case: a refusal costs what a count costs.
 * @returns whether the try may be checked, and how many wrong ones in a row there are if this is one
 */
export const countTry = async (db: Db, count: Count, now: number): Promise<{ allowed: boolean; attempts: number }> => {
  const [row] = await insertTry(db, { ...count, now })
  if (!row) throw new Error('a count that was just written is gone')
  return { allowed: row.failedLoginAllowed === 1, attempts: row.failedLoginAttempts }
}

const insertTry = compiledOnce((db, { now, ...count }: Count & { now: number }) => {
  const attempts = sql<number>`failed_logins."failedLoginAttempts"`
  const expires = sql<number | null>`failed_logins."failedLoginLockExpires"`
  // Beside an integer PostgreSQL would take the instant for a small one.
  const at = sql<number>`cast(${now} as bigint)`
  const locked = sql`(${attempts} >= ${sql.lit(disabledFrom)} or (${expires} is not null and ${expires} > ${at}))`
  // Tries so far give the wait after this one: firstWait, doubled for each try past waitFrom.
  const doublings = Math.ceil(Math.log2(longestWait / firstWait))
  const wait = sql<number>`case when ${attempts} + 1 >= ${sql.lit(waitFrom + doublings)} then ${sql.lit(longestWait)}
    else ${sql.lit(firstWait)} * (1 << (${attempts} + 1 - ${sql.lit(waitFrom)})) end`
  return (
    db
      .insertInto('failed_logins')
      .values({
        ...count,
        failedLoginAttempts: 1,
        failedLoginLockCreated: null,
        failedLoginLockExpires: null,
        failedLoginRefused: 0,
        failedLoginAllowed: 1,
        failedLoginCounted: now,
      })
      .onConflict(c =>
        c.columns(['failedLoginUserIdent', 'failedLoginBrowser']).doUpdateSet({
          failedLoginAttempts: sql`case when ${locked} then ${attempts} else ${attempts} + 1 end`,
          failedLoginLockCreated: sql`case when ${locked} then failed_logins."failedLoginLockCreated"
          when ${attempts} + 1 < ${sql.lit(waitFrom)} then null else ${at} end`,
          failedLoginLockExpires: sql`case when ${locked} then ${expires}
          when ${attempts} + 1 < ${sql.lit(waitFrom)} then null else ${at} + ${wait} end`,
          failedLoginRefused: sql`failed_logins."failedLoginRefused" + case when ${locked} then 1 else 0 end`,
          failedLoginAllowed: sql`case when ${locked} then 0 else 1 end`,
          failedLoginCounted: at,
        }),
      )
      .returning(['failedLoginAllowed', 'failedLoginAttempts'])
      // Whatever comes of the try is written down before it is answered.
      .modifyEnd(preparedAs('count-try'))
      .modifyEnd(syncedByNext)
  )
})

/** After a success the count starts anew; the other browsers' counts stay as they are. */
export const clearCount = async (db: Db, count: Count): Promise<void> => {
  await deleteCount(db, count)
}

const deleteCount = compiledOnce((db, { failedLoginUserIdent, failedLoginBrowser }: Count) =>
  db
    .deleteFrom('failed_logins')
    .where('failedLoginUserIdent', '=', failedLoginUserIdent)
    .where('failedLoginBrowser', '=', failedLoginBrowser)
    .modifyEnd(preparedAs('clear-count')),
)

/** Lifts every lock of a name. */
export const unlock = async (db: Db, failedLoginUserIdent: string): Promise<void> => {
  await db.deleteFrom('failed_logins').where('failedLoginUserIdent', '=', failedLoginUserIdent).execute()
}

/**
 * From now on this browser has its own count for this user. One that is known for the user keeps its cookie. Any other
 * gets a new one, so that a value planted in it is worth nothing afterwards; what was counted under the old one goes
 * along, for every user of the browser.
 * @returns the cookie's value
 */
export const rememberBrowser = async (
  db: Db,
  count: Count,
  browserUser: string,
  shown: string | undefined,
  now: number,
): Promise<string> => {
  const isKnown = shown !== undefined && count.failedLoginBrowser !== anyBrowser
  const browser = isKnown ? shown : randomSecret(256)
  const browserHash = hashSecret(browser)
  if (shown !== undefined && !isKnown) {
    const formerly = hashSecret(shown)
    await db.updateTable('known_browsers').set({ browserHash }).where('browserHash', '=', formerly).execute()
    await db
      .updateTable('failed_logins')
      .set({ failedLoginBrowser: browserHash })
      .where('failedLoginBrowser', '=', formerly)
      // For the index, which leaves out unknown browsers.
      .where('failedLoginBrowser', '<>', sql.lit(anyBrowser))
      .execute()
  }
  const [row] = await upsertBrowser(db, { browserHash, browserUser, browserSignedIn: now })
  // Seeing a known browser again adds no row.
  if (!isKnown && Number(row?.browsers) >= limits.knownBrowser.perUser) await forgetOldBrowsers(db, browserUser, now)
  return browser
}

const upsertBrowser = compiledOnce((db, row: Row<'known_browsers'>) =>
  db
    .insertInto('known_browsers')
    .values(row)
    .onConflict(c => c.columns(['browserHash', 'browserUser']).doUpdateSet({ browserSignedIn: row.browserSignedIn }))
    // PostgreSQL does not count the new row, SQLite does.
    .returning(sql<number>`(select count(*) from known_browsers as others where others."browserUser" = ${row.browserUser})`.as('browsers'))
    .modifyEnd(preparedAs('remember-browser')),
)

/** The same after a sign-in that no password began: a browser that is known keeps its cookie. */
export const rememberVisitor = async (
  db: Db,
  account: { userId: string; userIdent: string },
  shown: string | undefined,
  now: number,
): Promise<string> => {
  const { count } = await findTried(db, { ident: account.userIdent, blind: '' }, shown && hashSecret(shown), now)
  return rememberBrowser(db, count, account.userId, shown, now)
}

/** Whether the user of a name has signed in with a browser. The same read for a name that nobody has. */
export const isKnownFor = async (db: Db, ident: string, browserHash: string, now: number): Promise<boolean> =>
  (await findTried(db, { ident, blind: '' }, browserHash, now)).count.failedLoginBrowser !== anyBrowser

/** Whether a user has signed in with a browser. */
export const isKnownBrowser = async (db: Db, browserHash: string, browserUser: string, now: number): Promise<boolean> =>
  (await db
    .selectFrom('known_browsers')
    .select('browserHash')
    .where('browserHash', '=', browserHash)
    .where('browserUser', '=', browserUser)
    .where('browserSignedIn', '>', now - limits.knownBrowser.lifetime)
    .executeTakeFirst()) !== undefined

const forgetOldBrowsers = async (db: Db, browserUser: string, now: number) => {
  await deleteOldBrowsers(db, { browserUser, since: now - limits.knownBrowser.lifetime })
}

const deleteOldBrowsers = compiledOnce((db, { browserUser, since }: { browserUser: string; since: number }) =>
  db
    .deleteFrom('known_browsers')
    .where('browserUser', '=', browserUser)
    .where(e =>
      e.or([
        e('browserSignedIn', '<=', since),
        e(
          'browserHash',
          'in',
          e
            .selectFrom('known_browsers')
            .select('browserHash')
            .where('browserUser', '=', browserUser)
            .orderBy('browserSignedIn', 'desc')
            .limit(1000)
            .offset(limits.knownBrowser.perUser),
        ),
      ]),
    )
    .modifyEnd(preparedAs('forget-old-browsers')),
)

/** Names that are locked at this moment, with the instant the lock ends (`null`: not before a reset). */
export const listLocks = async (db: Db, now: number) => {
  const rows = await db
    .selectFrom('failed_logins')
    .selectAll()
    .where(e => e.or([e('failedLoginLockExpires', '>', now), e('failedLoginAttempts', '>=', sql.lit(disabledFrom))]))
    .execute()
  return rows.map(row => ({
    failedLoginUserIdent: row.failedLoginUserIdent,
    failedLoginLockExpires: row.failedLoginAttempts >= disabledFrom ? null : row.failedLoginLockExpires,
  }))
}

/** Names whose count was locked since, with the instant the lock ends (`null`: not before a reset). */
export const listLockedSince = (db: Db, since: number) =>
  db
    .selectFrom('failed_logins')
    .innerJoin('users', 'userIdent', 'failedLoginUserIdent')
    .select(['userId', 'userIdent', 'userTZLabel', 'failedLoginLockCreated', 'failedLoginLockExpires', 'failedLoginAttempts'])
    .where('failedLoginLockCreated', '>', since)
    .orderBy('failedLoginLockCreated')
    .limit(100)
    .execute()

/**
 * After a step of the clock back, a lock that began in the future begins now. Its length stays, and no lock ends later than the longest
 * wait from now.
 */
export const rebase = async (db: Db, now: number): Promise<void> => {
  const latestEnd = now + longestWait + limits.clockSkew.step
  const length = sql`"failedLoginLockExpires" - "failedLoginLockCreated"`
  const longest = sql.lit(longestWait)
  await db
    .updateTable('failed_logins')
    .set({
      failedLoginLockCreated: now,
      failedLoginLockExpires: sql`cast(${now} as bigint) + case when ${length} between 0 and ${longest} then ${length} else ${longest} end`,
    })
    .where('failedLoginLockExpires', 'is not', null)
    .where(e => e.or([e('failedLoginLockCreated', '>', now + limits.clockSkew.step), e('failedLoginLockExpires', '>', latestEnd)]))
    .execute()
}

/** Forgets browsers that are known no longer, and counts nobody has come back to. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('known_browsers')
    .where('browserSignedIn', '<=', now - limits.knownBrowser.lifetime)
    .execute()
  await db
    .deleteFrom('failed_logins')
    .where('failedLoginAttempts', '<', disabledFrom)
    .where(e => e.or([e('failedLoginCounted', '<=', now - limits.purge.failedLogins), e('failedLoginCounted', 'is', null)]))
    .where(e => e.or([e('failedLoginLockExpires', '<=', now), e('failedLoginLockExpires', 'is', null)]))
    .execute()
}

/** Whether so many wrong passwords in a row are followed by a wait. */
export const isLockedBy = (attempts: number): boolean => attempts >= waitFrom

/** Whether so many disable the password until it is reset. */
export const isDisabledBy = (attempts: number): boolean => attempts >= disabledFrom

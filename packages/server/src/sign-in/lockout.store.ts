import { type Nullable, sql } from 'kysely'
import { compiledOnce, runBoth } from '../db/compiled.ts'
import { anyOldPasswordKind, listOldPasswordKinds } from '../db/old-password-kinds.ts'
import { type Db, type Row, userColumns } from '../db/schema.ts'
import { joinedToNext, preparedAs, syncedByNext } from '../db/statement-marks.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Visitor } from '../visitors/visitor.ts'

// The lockout rule: wrong passwords in a row are counted for each username, and separately for each browser that its user has signed in
// with. From `waitFrom` on, a wait follows each wrong password, and doubles from `firstWait` to `longestWait`. At `disabledFrom`, the
// password is disabled until it is reset. `countAttempt` applies the rule.
const { waitFrom, firstWait, longestWait, disabledFrom } = limits.lockout

const mostBrowsers = limits.knownBrowser.perUser

/** The row of failed_logins that counts an attempt: of the username, or of the username in a browser that its user has signed in with. */
export type Counter = {
  failedLoginUserIdent: string
  failedLoginBrowser: string
  /** In how many browsers the user has signed in. */
  browsers: number
}

/** A typed username, and the pseudonym that is counted if no account has it. */
type Name = { ident: string; blind: string }

/** The browser of the row that counts all unknown browsers together. */
const unknownBrowser = ''

/**
 * Counts an attempt before its password is verified, and finds its account. Counting is one statement, so that parallel attempts cannot
 * exceed the limit. From the tenth in a row on, each attempt is followed by a wait that doubles. A refused attempt writes the row too, so
 * it costs the same. A known browser has its own counter, so that a stranger cannot lock the user out (OWASP, Device Cookies). Both
 * statements use the same indexes whether the account exists or not.
 * @returns whether the password may be verified, and how many attempts in a row have failed if this one does
 */
export const countAttempt = async (
  db: Db,
  name: Name,
  browserHash: string | undefined,
  now: number,
): Promise<{ account: Row<'users'> | undefined; counter: Counter; oldKinds: string[]; allowed: boolean; attempts: number }> => {
  const claim = claimOf(name.ident, browserHash, now)
  const upsert = upsertAttempt.bind(db, { ...claim, blind: name.blind, now })
  const [[found], [row]] = await runBoth(db, selectForAttempt.bind(db, claim), upsert)
  if (!found || !row) throw new Error('a statement that always has a row gave none')
  const { browserHash: _, anyOldKind, browsers, ...user } = found
  const { failedLoginUserIdent, failedLoginBrowser } = row
  return {
    account: user.userId === null ? undefined : (user as Row<'users'>),
    counter: { failedLoginUserIdent, failedLoginBrowser, browsers: Number(browsers) },
    oldKinds: anyOldKind === null ? [] : await listOldPasswordKinds(db),
    allowed: row.failedLoginAllowed === 1,
    attempts: row.failedLoginAttempts,
  }
}

/** Finds the counter of a username without counting an attempt. */
const findCounter = async (db: Db, { ident, blind }: Name, browserHash: string | undefined, now: number): Promise<Counter> => {
  const [found] = await selectForAttempt(db, claimOf(ident, browserHash, now))
  const { userIdent = null, browserHash: known = null, browsers = 0 } = found ?? {}
  return { failedLoginUserIdent: userIdent ?? blind, failedLoginBrowser: known ?? unknownBrowser, browsers: Number(browsers) }
}

type Claim = { ident: string; browser: string; since: number }

const claimOf = (ident: string, browserHash: string | undefined, now: number): Claim => {
  return { ident, browser: browserHash ?? unknownBrowser, since: now - limits.knownBrowser.lifetime }
}

/** One row, whether the account exists or not. Each subquery uses one index. */
const selectForAttempt = compiledOnce((db, { ident, browser, since }: Claim) => {
  const userId = sql<string>`coalesce("userId", '')`
  return db
    .selectFrom(sql<{ attempt: number }>`(select 1 as attempt)`.as('one'))
    .leftJoin('users', join => join.on('userIdent', '=', ident))
    .select(userColumns)
    .select(e => [
      e
        .selectFrom('known_browsers')
        .select('browserHash')
        .where('browserHash', '=', browser)
        .where('browserUser', '=', userId)
        .where('browserSignedIn', '>', since)
        .as('browserHash'),
      e.selectFrom('known_browsers').select(e.fn.countAll<number | string>().as('count')).where('browserUser', '=', userId).as('browsers'),
    ])
    .select(anyOldPasswordKind.as('anyOldKind'))
    .$castTo<Nullable<Row<'users'>> & { browserHash: string | null; anyOldKind: string | null; browsers: number | string }>()
    .modifyEnd(preparedAs('find-for-attempt'))
})

const upsertAttempt = compiledOnce((db, { blind, now, ...claim }: Claim & { blind: string; now: number }) => {
  const attempts = sql<number>`failed_logins."failedLoginAttempts"`
  const expires = sql<number | null>`failed_logins."failedLoginLockExpires"`
  // Without the cast PostgreSQL would type the instant as a 32-bit integer.
  const at = sql<number>`cast(${now} as bigint)`
  const locked = sql`(${attempts} >= ${sql.lit(disabledFrom)} or (${expires} is not null and ${expires} > ${at}))`
  // The wait after this attempt: firstWait, doubled for each attempt past waitFrom.
  const doublings = Math.ceil(Math.log2(longestWait / firstWait))
  const wait = sql<number>`case when ${attempts} + 1 >= ${sql.lit(waitFrom + doublings)} then ${sql.lit(longestWait)}
    else ${sql.lit(firstWait)} * (1 << (${attempts} + 1 - ${sql.lit(waitFrom)})) end`
  const { ident, browser, since } = claim
  return (
    db
      .insertInto('failed_logins')
      .values(e => ({
        failedLoginUserIdent: sql<string>`coalesce(${e.selectFrom('users').select('userIdent').where('userIdent', '=', ident)}, ${blind})`,
        failedLoginBrowser: sql<string>`coalesce(${e
          .selectFrom('known_browsers')
          .select('browserHash')
          .where('browserHash', '=', browser)
          .where('browserUser', '=', sql<string>`coalesce(${e.selectFrom('users').select('userId').where('userIdent', '=', ident)}, '')`)
          .where('browserSignedIn', '>', since)}, ${sql.lit(unknownBrowser)})`,
        failedLoginAttempts: 1,
        failedLoginRefused: 0,
        failedLoginAllowed: 1,
        failedLoginCounted: now,
      }))
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
      .returning(['failedLoginUserIdent', 'failedLoginBrowser', 'failedLoginAllowed', 'failedLoginAttempts'])
      // The server records the result of the attempt before it answers, and that commit syncs this one.
      .modifyEnd(preparedAs('count-attempt'))
      .modifyEnd(syncedByNext)
  )
})

/** Resets a counter after a success. The counters of other browsers stay. */
export const clearAttempts = async (db: Db, counter: Counter): Promise<void> => {
  await deleteCounter(db, counter)
}

const deleteCounter = compiledOnce((db, { failedLoginUserIdent, failedLoginBrowser }: Counter) =>
  db
    .deleteFrom('failed_logins')
    .where('failedLoginUserIdent', '=', failedLoginUserIdent)
    .where('failedLoginBrowser', '=', failedLoginBrowser)
    .modifyEnd(preparedAs('clear-attempts'))
    .modifyEnd(joinedToNext),
)

/** Removes every lock of a username. */
export const unlock = async (db: Db, failedLoginUserIdent: string): Promise<void> => {
  await db.deleteFrom('failed_logins').where('failedLoginUserIdent', '=', failedLoginUserIdent).execute()
}

/**
 * Makes this browser known for this user, so that it has its own counter. A known browser keeps its cookie. Any other browser gets a new
 * value, so that an attacker who set the old one learns nothing. Rows of the old value move to the new one, for every user of the
 * browser.
 * @param visitor its `browser` is the value of the browser's cookie
 * @returns the value of the cookie to set
 */
export const rememberBrowser = async (
  db: Db,
  counter: Counter,
  browserUser: string,
  { browser: shown, userAgent, address }: Visitor,
  now: number,
): Promise<string> => {
  const isKnown = shown !== undefined && counter.failedLoginBrowser !== unknownBrowser
  const browser = isKnown ? shown : randomSecret(256)
  const browserHash = hashSecret(browser)
  if (shown !== undefined && !isKnown) {
    const oldHash = hashSecret(shown)
    await db.updateTable('known_browsers').set({ browserHash }).where('browserHash', '=', oldHash).execute()
    await db
      .updateTable('failed_logins')
      .set({ failedLoginBrowser: browserHash })
      .where('failedLoginBrowser', '=', oldHash)
      // Lets the database use the index, which leaves out unknown browsers.
      .where('failedLoginBrowser', '<>', sql.lit(unknownBrowser))
      .execute()
  }
  const seen = { browserSignedIn: now, browserFirstSeen: now, browserUserAgent: userAgent, browserAddress: address }
  await upsertBrowser(db, { browserHash, browserUser, ...seen })
  // Seeing a known browser again adds no row.
  if (!isKnown && counter.browsers >= mostBrowsers) await forgetOldBrowsers(db, browserUser, now)
  return browser
}

const upsertBrowser = compiledOnce((db, row: Row<'known_browsers'>) =>
  db
    .insertInto('known_browsers')
    .values(row)
    .onConflict(c =>
      c.columns(['browserHash', 'browserUser']).doUpdateSet({
        browserSignedIn: row.browserSignedIn,
        browserUserAgent: row.browserUserAgent,
        browserAddress: row.browserAddress,
      }),
    )
    .modifyEnd(preparedAs('remember-browser'))
    .modifyEnd(joinedToNext),
)

/** Like `rememberBrowser`, after a sign-in without a password, which has no counter. */
export const rememberBrowserOf = async (
  db: Db,
  account: { userId: string; userIdent: string },
  visitor: Visitor,
  now: number,
): Promise<string> => {
  const { browser } = visitor
  const counter = await findCounter(db, { ident: account.userIdent, blind: '' }, browser && hashSecret(browser), now)
  return rememberBrowser(db, counter, account.userId, visitor, now)
}

/** Whether the user with this username has signed in with a browser. An unknown username causes the same read. */
export const isKnownFor = async (db: Db, ident: string, browserHash: string, now: number): Promise<boolean> =>
  (await findCounter(db, { ident, blind: '' }, browserHash, now)).failedLoginBrowser !== unknownBrowser

/** Whether a user has signed in with a browser. */
export const isKnownBrowser = async (db: Db, browserHash: string, browserUser: string, now: number): Promise<boolean> =>
  (await db
    .selectFrom('known_browsers')
    .select('browserHash')
    .where('browserHash', '=', browserHash)
    .where('browserUser', '=', browserUser)
    .where('browserSignedIn', '>', now - limits.knownBrowser.lifetime)
    .executeTakeFirst()) !== undefined

export type KnownBrowser = Omit<Row<'known_browsers'>, 'browserUser'> & {
  /** The id that pages show. They do not show the hash, because it names a counter. */
  browserId: string
}

/** The browsers that a user has signed in with, the most recent first. */
export const listBrowsers = async (db: Db, browserUser: string, now: number): Promise<KnownBrowser[]> => {
  const rows = await db
    .selectFrom('known_browsers')
    .select(['browserHash', 'browserSignedIn', 'browserFirstSeen', 'browserUserAgent', 'browserAddress'])
    .where('browserUser', '=', browserUser)
    .where('browserSignedIn', '>', now - limits.knownBrowser.lifetime)
    .orderBy('browserSignedIn', 'desc')
    .orderBy('browserHash')
    .limit(mostBrowsers)
    .execute()
  return rows.map(row => ({ ...row, browserId: hashSecret(`listed ${row.browserHash}`) }))
}

/** Forgets known browsers of a user. Their counters go too: a lock that no browser can end would stay on the administration page. */
export const forgetBrowsers = async (db: Db, user: { userId: string; userIdent: string }, hashes: readonly string[]): Promise<void> => {
  if (hashes.length === 0) return
  await db
    .deleteFrom('failed_logins')
    .where('failedLoginUserIdent', '=', user.userIdent)
    .where('failedLoginBrowser', 'in', hashes)
    .where('failedLoginBrowser', '<>', sql.lit(unknownBrowser))
    .execute()
  await db.deleteFrom('known_browsers').where('browserUser', '=', user.userId).where('browserHash', 'in', hashes).execute()
}

/** Forgets a user's browsers that are no longer known, and all but the newest, if the user has more than the limit. */
const forgetOldBrowsers = async (db: Db, browserUser: string, now: number) => {
  await deleteOldBrowsers(db, { browserUser, since: now - limits.knownBrowser.lifetime })
}

const deleteOldBrowsers = compiledOnce((db, { browserUser, since }: { browserUser: string; since: number }) =>
  db
    .deleteFrom('known_browsers')
    .where('browserUser', '=', browserUser)
    .where(
      e => e.selectFrom('known_browsers as all').select(e.fn.countAll<number>().as('count')).where('all.browserUser', '=', browserUser),
      '>',
      sql.lit(mostBrowsers),
    )
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
            .offset(mostBrowsers),
        ),
      ]),
    )
    .modifyEnd(preparedAs('forget-old-browsers'))
    .modifyEnd(joinedToNext),
)

/**
 * After the clock was set back, lets a lock that begins in the future begin now. Its length stays, and no lock ends later than the longest
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

/** Deletes browsers that are no longer known, and counters without recent attempts. */
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

/** Whether this many wrong passwords in a row lock the username. */
export const isLockedBy = (attempts: number): boolean => attempts >= waitFrom

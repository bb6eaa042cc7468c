import type { UserFilter, UserList, UserSort } from '@gatehouse/wire'
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../db/schema.ts'
import { listPauses, pausedUsers } from '../factors/failed-codes.store.ts'
import { countPasskeys } from '../factors/passkey/passkeys.store.ts'
import { limits } from '../limits.ts'
import { listLocks, lockedNames } from '../sign-in/locks.ts'

/** The users to list: part of an address in its canonical spelling, a filter, the order, and the user after whom the page starts. */
export type Wanted = {
  search: string
  filter: UserFilter
  sort: UserSort
  descending: boolean
  after: Place | undefined
  administrators: readonly string[]
  now: number
}
/**
 * A place in the list. In ascending order of addresses, a search first lists those that begin with the text (`begins`), then those that
 * contain it elsewhere (`contains`). Other orders have one phase, and `at` is the instant that they sort by.
 */
export type Place = { phase: 'begins' | 'contains'; userIdent: string } | { phase: 'sorted'; at: number; userIdent: string }

type Users = SelectQueryBuilder<Tables, 'users', object>
type Row = ExpressionBuilder<Tables, 'users'>

const verified = (e: Row) =>
  e.selectFrom('factors').select('factorUUID').whereRef('factorIdentity', '=', 'userId').where('factorStatus', '=', 'Verified')

const isWithoutFactor = (e: Row) => e.not(e.exists(verified(e)))
const hasSkipped = (e: Row) => e.and([e('userId', 'in', e.selectFrom('skips').select('skipUser')), isWithoutFactor(e)])
const isLocked = (db: Db, now: number) => (e: Row) =>
  e.or([e('userIdent', 'in', lockedNames(db, now)), e('userId', 'in', pausedUsers(db, now))])
const mustReset = (e: Row) => e('userForcedReset', '=', 1)
const hasPasskey = (e: Row) => e('userId', 'in', e.selectFrom('passkeys').select('passkeyUser'))
// SQL allows no empty list. No username is empty, so '' matches no row.
const isOneOf = (administrators: readonly string[]) => (e: Row) => e('userIdent', 'in', ['', ...administrators])

const filtered = (db: Db, { filter, administrators, now }: Pick<Wanted, 'filter' | 'administrators' | 'now'>): Users => {
  const users = db.selectFrom('users')
  switch (filter) {
    case 'All':
      return users
    case 'WithoutFactor':
      return users.where(isWithoutFactor)
    case 'Skipped':
      return users.where(hasSkipped)
    case 'Locked':
      return users.where(isLocked(db, now))
    case 'ForcedReset':
      return users.where(mustReset)
    case 'WithPasskey':
      return users.where(hasPasskey)
    case 'Administrators':
      return users.where(isOneOf(administrators))
  }
}

/** Sorts after every character that an address can contain. */
const beyond = '\u{10ffff}'

const holds = (search: string) => sql<boolean>`"userIdent" like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** Selects a page of addresses through the index: those that begin with the text, or those that contain it elsewhere. */
export const pageOf = (db: Db, wanted: Wanted, phase: 'begins' | 'contains', after: string, most: number) => {
  const { search } = wanted
  const users = filtered(db, wanted).select(['userId', 'userIdent']).where('userIdent', '>', after)
  const found =
    phase === 'begins'
      ? users.where('userIdent', '>=', search).where('userIdent', '<', search + beyond)
      : users.where(holds(search)).where(e => e.or([e('userIdent', '<', search), e('userIdent', '>=', search + beyond)]))
  return found.orderBy('userIdent').limit(most)
}

/**
 * Selects a page in another order: by descending address, or by `at`. `at` is the time when users were added, which has an index, or
 * their last sign-in, for which the database looks up every user in the audit log. Users who never signed in come last in descending
 * order, and first in ascending order.
 */
export const sortedPage = (db: Db, wanted: Wanted, after: Extract<Place, { phase: 'sorted' }> | undefined, most: number) => {
  const { search, sort, descending } = wanted
  const at = {
    Address: sql<number>`0`,
    Added: sql<number>`"userCreated"`,
    LastSignIn: sql<number>`coalesce((select max("auditAt") from audit
      where "auditTarget" = "userId" and "auditEvent" = 'session-started'), 0)`,
  }[sort]
  const isFurther = descending ? sql`<` : sql`>`
  let users = filtered(db, wanted).select(['userId', 'userIdent', at.as('at')])
  if (search !== '') users = users.where(holds(search))
  if (after && sort === 'Address') users = users.where(sql<boolean>`"userIdent" ${isFurther} ${after.userIdent}`)
  else if (after) users = users.where(sql<boolean>`(${at}, "userIdent") ${isFurther} (cast(${after.at} as bigint), ${after.userIdent})`)
  const direction = descending ? 'desc' : 'asc'
  // Leave constants out of ORDER BY: PostgreSQL would read one as the number of a column.
  return (sort === 'Address' ? users : users.orderBy(at, direction)).orderBy('userIdent', direction).limit(most)
}

/** A page of the list, and where the next one starts. */
export const listUsers = async (db: Db, wanted: Wanted): Promise<{ userIds: string[]; after: Place | undefined }> => {
  const most = limits.lists.users.most
  // Read one more row than the page shows, to know whether another page follows.
  const rows = await (wanted.sort === 'Address' && !wanted.descending ? inPhases(db, wanted, most + 1) : inOrder(db, wanted, most + 1))
  const end = rows[most - 1]
  return { userIds: rows.slice(0, most).map(row => row.userId), after: rows.length > most ? end?.place : undefined }
}

type Found = { userId: string; place: Place }

const inOrder = async (db: Db, wanted: Wanted, most: number): Promise<Found[]> => {
  const after = wanted.after?.phase === 'sorted' ? wanted.after : undefined
  const rows = await sortedPage(db, wanted, after, most).execute()
  return rows.map(({ userId, userIdent, at }) => ({ userId, place: { phase: 'sorted', at: Number(at), userIdent } }))
}

const inPhases = async (db: Db, wanted: Wanted, most: number): Promise<Found[]> => {
  const { phase, userIdent: last } =
    wanted.after && wanted.after.phase !== 'sorted' ? wanted.after : ({ phase: 'begins', userIdent: '' } as const)
  const read = async (in_: 'begins' | 'contains', from: string, room: number): Promise<Found[]> =>
    (await pageOf(db, wanted, in_, from, room).execute()).map(({ userId, userIdent }) => ({ userId, place: { phase: in_, userIdent } }))
  const first = phase === 'begins' ? await read('begins', last, most) : []
  const isMore = wanted.search !== '' && first.length < most
  const second = isMore ? await read('contains', phase === 'contains' ? last : '', most - first.length) : []
  return [...first, ...second]
}

const count = async (rows: { executeTakeFirstOrThrow: () => Promise<{ n: number | string | bigint }> }) =>
  Number((await rows.executeTakeFirstOrThrow()).n)

/** Counts the users, and those in each state that the administration page shows. */
export const countUsers = async (db: Db, now: number) => {
  const n = sql<number>`count(*)`.as('n')
  const users = await count(db.selectFrom('users').select(n))
  const withFactor = await count(
    db.selectFrom('factors').select(sql<number>`count(distinct "factorIdentity")`.as('n')).where('factorStatus', '=', sql.lit('Verified')),
  )
  const skipped = await count(
    db
      .selectFrom('skips')
      .select(n)
      .where('skipUser', 'not in', e => e.selectFrom('factors').select('factorIdentity').where('factorStatus', '=', sql.lit('Verified'))),
  )
  const forcedReset = await count(db.selectFrom('users').select(n).where('userForcedReset', '=', sql.lit(1)))
  const locked = await count(
    db
      .selectFrom(
        db
          .selectFrom('users')
          .select('userId')
          .where('userIdent', 'in', lockedNames(db, now))
          .union(pausedUsers(db, now).clearSelect().select('failedCodeUser as userId'))
          .as('locked'),
      )
      .select(n),
  )
  const withPasskey = await count(db.selectFrom('passkeys').select(sql<number>`count(distinct "passkeyUser")`.as('n')))
  return { users, withoutFactor: users - withFactor, skipped, forcedReset, locked, withPasskey }
}

/** Counts the users that a search finds, by filter. The database reads their addresses once. */
export const countFound = async (db: Db, { search, administrators, now }: Pick<Wanted, 'search' | 'administrators' | 'now'>) => {
  const found = db.selectFrom('users').where(holds(search))
  const sum = (is: (e: Row) => Expression<SqlBool>) => (e: Row) =>
    e.fn.sum<number | null>(e.case().when(is(e)).then(sql.lit(1)).else(sql.lit(0)).end())
  const row = await found
    .select(e => [
      e.fn.countAll<number>().as('All'),
      sum(isWithoutFactor)(e).as('WithoutFactor'),
      sum(hasSkipped)(e).as('Skipped'),
      sum(isLocked(db, now))(e).as('Locked'),
      sum(mustReset)(e).as('ForcedReset'),
      sum(isOneOf(administrators))(e).as('Administrators'),
      sum(hasPasskey)(e).as('WithPasskey'),
    ])
    .executeTakeFirstOrThrow()
  const { All, WithoutFactor, Skipped, Locked, ForcedReset, Administrators, WithPasskey } = row
  return {
    All: Number(All),
    WithoutFactor: Number(WithoutFactor),
    Skipped: Number(Skipped),
    Locked: Number(Locked),
    ForcedReset: Number(ForcedReset),
    Administrators: Number(Administrators),
    WithPasskey: Number(WithPasskey),
  } satisfies UserList['counts']
}

/** Counts all users by filter, in separate statements that the database answers from indexes. */
export const countListed = async (db: Db, { administrators, now }: Pick<Wanted, 'administrators' | 'now'>): Promise<UserList['counts']> => {
  const { users, withoutFactor, skipped, locked, forcedReset, withPasskey } = await countUsers(db, now)
  const among = filtered(db, { filter: 'Administrators', administrators, now })
  const Administrators = await count(among.select(sql<number>`count(*)`.as('n')))
  return {
    All: users,
    WithoutFactor: withoutFactor,
    Skipped: skipped,
    Locked: locked,
    ForcedReset: forcedReset,
    Administrators,
    WithPasskey: withPasskey,
  }
}

/**
 * Reads what the list shows about these users, from all tables.
 * @param rpId `undefined` while passkeys are off
 */
export const readListed = async (db: Db, userIds: readonly string[], rpId: string | undefined, now: number) => {
  // SQL allows no empty list.
  const ids = ['', ...userIds]
  const users = await db.selectFrom('users').selectAll().where('userId', 'in', ids).execute()
  const names = ['', ...users.map(user => user.userIdent)]
  const factors = await db
    .selectFrom('factors')
    .select(e => ['factorIdentity', e.fn.countAll<number>().as('n')])
    .where('factorIdentity', 'in', ids)
    .where('factorStatus', '=', sql.lit('Verified'))
    .groupBy('factorIdentity')
    .execute()
  const passkeys = await countPasskeys(db, ids, rpId)
  const skips = await db.selectFrom('skips').select(['skipUser', 'skipCount']).where('skipUser', 'in', ids).execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(e => ['sessionUser', e.fn.countAll<number>().as('n')])
    .where('sessionUser', 'in', ids)
    .where('sessionExpires', '>', now)
    .where('sessionSeen', '>', now - limits.session.idle)
    .groupBy('sessionUser')
    .execute()
  const signIns = await db
    .selectFrom('audit')
    .select(e => ['auditTarget', e.fn.max('auditAt').as('at')])
    .where('auditTarget', 'in', ids)
    .where('auditEvent', '=', sql.lit('session-started'))
    .groupBy('auditTarget')
    .execute()
  const locks = await listLocks(db, now, names)
  const pauses = await listPauses(db, now, ids)
  return { users, factors, passkeys, skips, sessions, signIns, locks, pauses }
}
export type Listed = Awaited<ReturnType<typeof readListed>>

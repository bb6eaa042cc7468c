import type { UserFilter } from '@gatehouse/wire'
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables } from '../db/schema.ts'
import { listPauses, pausedUsers } from '../factors/failed-codes.store.ts'
import { limits } from '../limits.ts'
import { listLocks, lockedNames } from '../sign-in/lockout.store.ts'

/** A query of the user list. `search` is part of a canonical address; `after` is the end of the previous page. */
export type ListQuery = { search: string; filter: UserFilter; after: Place | undefined; administrators: readonly string[]; now: number }
/** The list shows addresses that begin with the search text first, then those that contain it. */
type Place = { phase: 'begins' | 'contains'; userIdent: string }

type Users = SelectQueryBuilder<Tables, 'users', object>
type Row = ExpressionBuilder<Tables, 'users'>

const verified = (e: Row) =>
  e.selectFrom('factors').select('factorUUID').whereRef('factorIdentity', '=', 'userId').where('factorStatus', '=', 'Verified')

const filtered = (db: Db, { filter, administrators, now }: ListQuery): Users => {
  const users = db.selectFrom('users')
  switch (filter) {
    case 'All':
      return users
    case 'WithoutFactor':
      return users.where(e => e.not(e.exists(verified(e))))
    case 'Skipped':
      return users.where(e => e.and([e('userId', 'in', e.selectFrom('skips').select('skipUser')), e.not(e.exists(verified(e)))]))
    case 'Locked':
      return users.where(e => e.or([e('userIdent', 'in', lockedNames(db, now)), e('userId', 'in', pausedUsers(db, now))]))
    case 'ForcedReset':
      return users.where('userForcedReset', '=', 1)
    case 'WithPasskey':
      return users.where('userId', 'in', e => e.selectFrom('passkeys').select('passkeyUser'))
    case 'Administrators':
      // SQL allows no empty list. No username is empty, so '' matches no row.
      return users.where('userIdent', 'in', ['', ...administrators])
  }
}

/** Sorts after every character that an address can contain. */
const beyond = '\u{10ffff}'

/** Selects a page of addresses by their index: those that begin with the text, or those that contain it elsewhere. */
export const pageOf = (db: Db, query: ListQuery, phase: Place['phase'], after: string, most: number) => {
  const { search } = query
  const users = filtered(db, query).select(['userId', 'userIdent']).where('userIdent', '>', after)
  const found =
    phase === 'begins'
      ? users.where('userIdent', '>=', search).where('userIdent', '<', search + beyond)
      : users
          .where(sql<boolean>`"userIdent" like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
          .where(e => e.or([e('userIdent', '<', search), e('userIdent', '>=', search + beyond)]))
  return found.orderBy('userIdent').limit(most)
}

/** Reads a page of the list, and the position of the next page. */
export const listUsers = async (db: Db, query: ListQuery): Promise<{ userIds: string[]; after: Place | undefined }> => {
  const most = limits.lists.users.most
  const { phase, userIdent: last } = query.after ?? ({ phase: 'begins', userIdent: '' } as const)
  const read = async (in_: Place['phase'], from: string, room: number) =>
    (await pageOf(db, query, in_, from, room).execute()).map(row => ({ ...row, phase: in_ }))
  // Read one row more than the page shows, to see whether another page exists.
  const first = phase === 'begins' ? await read('begins', last, most + 1) : []
  const isMore = query.search !== '' && first.length <= most
  const second = isMore ? await read('contains', phase === 'contains' ? last : '', most + 1 - first.length) : []
  const rows = [...first, ...second]
  const end = rows[most - 1]
  return {
    userIds: rows.slice(0, most).map(row => row.userId),
    after: rows.length > most && end ? { phase: end.phase, userIdent: end.userIdent } : undefined,
  }
}

const count = async (rows: { executeTakeFirstOrThrow: () => Promise<{ n: number | string | bigint }> }) =>
  Number((await rows.executeTakeFirstOrThrow()).n)

/** Counts the users, and those in each state that needs an administrator's attention. */
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

/** Reads what the list shows about these users, from all tables. */
export const readListed = async (db: Db, userIds: readonly string[], now: number) => {
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
  const passkeys = await db
    .selectFrom('passkeys')
    .select(e => ['passkeyUser', e.fn.countAll<number>().as('n')])
    .where('passkeyUser', 'in', ids)
    .groupBy('passkeyUser')
    .execute()
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

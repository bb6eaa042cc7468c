import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** One of the kinds of other programs' hashes that any user has; null where no user has one. For use in a statement. */
export const anyOldPasswordKind = sql<string | null>`(select min("userPasswordKind") from users where "userPasswordKind" is not null)`

/** All kinds of other programs' hashes that any user has, in one statement. Each kind takes one step in the index. */
export const listOldPasswordKinds = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ kind: string }>`with recursive kinds(kind) as (
    select ${anyOldPasswordKind}
    union all select (select min(u."userPasswordKind") from users u where u."userPasswordKind" > kinds.kind) from kinds where kinds.kind is not null
  ) select kind from kinds where kind is not null`.execute(db)
  return rows.map(({ kind }) => kind)
}

/** The kinds, with how many users have a password of each. */
export const countOldPasswords = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('users')
    .select(e => ['userPasswordKind', e.fn.countAll<number>().as('users')])
    .where('userPasswordKind', 'is not', null)
    .groupBy('userPasswordKind')
    .orderBy('userPasswordKind')
    .execute()
  return new Map(rows.map(row => [row.userPasswordKind ?? '', Number(row.users)]))
}

import { sql } from 'kysely'
import type { Db } from './schema.ts'

/**
 * The kinds of other programs' hashes that any user has, separated by commas. A sign-in reads them in the statement that finds the account,
 * so that it computes the same kinds of hash for every username. Each kind takes one step in the index.
 */
export const oldPasswordKinds = sql<string | null>`(with recursive kinds(kind) as (
  select min("userPasswordKind") from users where "userPasswordKind" is not null
  union all select (select min(u."userPasswordKind") from users u where u."userPasswordKind" > kinds.kind) from kinds where kinds.kind is not null
) select string_agg(kind, ',') from kinds where kind is not null)`

export const readKinds = (kinds: string | null): string[] => kinds?.split(',') ?? []

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

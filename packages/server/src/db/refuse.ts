import { type Kysely, sql } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/**
 * Creates a trigger by which the database refuses a change that must never happen.
 * @param rule `when` is a condition on `old` and `new` in SQL that both engines understand. `truncate` exists in PostgreSQL only, and its
 * condition must not use rows
 */
export const refuse = async (
  db: Kysely<unknown>,
  engine: Engine,
  rule: { name: string; table: string; on: 'update' | 'delete' | 'truncate'; when: string; message: string },
): Promise<void> => {
  const [name, table, on, when] = [sql.ref(rule.name), sql.ref(rule.table), sql.raw(rule.on), sql.raw(rule.when)]
  if (engine === 'sqlite') {
    if (rule.on === 'truncate') return
    await sql`create trigger ${name} before ${on} on ${table} when ${when} begin select raise(abort, ${sql.lit(rule.message)}); end`.execute(
      db,
    )
    return
  }
  const each = sql.raw(rule.on === 'truncate' ? 'statement' : 'row')
  const body = sql.lit(`begin raise exception '${rule.message}'; end`)
  await sql`create function ${name}() returns trigger language plpgsql as ${body}`.execute(db)
  await sql`create trigger ${name} before ${on} on ${table} for each ${each} when (${when}) execute function ${name}()`.execute(db)
}

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Engine } from './refuse.ts'
import type { Db, Tables } from './schema.ts'

/** Other tables reference these tables, so copy these first, in this order. */
const referenced: readonly string[] = ['users', 'factors', 'challenges']

/** Rows per statement. With fewer than 30 columns, their values stay below the limit of both engines. */
const rowsAtOnce = 500

/** The tables of a migrated database, in an order in which their rows can be inserted. The migrator's own tables are not among them. */
export const listTablesToCopy = async (db: Db): Promise<string[]> => {
  const names = (await db.introspection.getTables()).map(({ name }) => name).filter(name => !name.startsWith('kysely_'))
  const others = names.filter(name => !referenced.includes(name)).sort()
  return [...referenced.filter(name => names.includes(name)), ...others]
}

type RowOfAnyTable = Record<string, unknown>

/** All rows of a table, in pieces, as the transaction sees them. */
async function* readRows(tx: Transaction<Tables>, engine: Engine, table: string): AsyncGenerator<RowOfAnyTable[]> {
  if (engine === 'sqlite') {
    let piece: RowOfAnyTable[] = []
    for await (const row of tx
      .selectFrom(sql<RowOfAnyTable>`${sql.table(table)}`.as('copied'))
      .selectAll()
      .stream()) {
      piece.push(row)
      if (piece.length < rowsAtOnce) continue
      yield piece
      piece = []
    }
    if (piece.length > 0) yield piece
    return
  }
  await sql`declare rows_to_copy no scroll cursor for select * from ${sql.table(table)}`.execute(tx)
  for (;;) {
    const piece = await sql<RowOfAnyTable>`fetch ${sql.lit(rowsAtOnce)} from rows_to_copy`.execute(tx)
    if (piece.rows.length === 0) break
    yield piece.rows
  }
  await sql`close rows_to_copy`.execute(tx)
}

const insertRows = async (tx: Db, table: string, rows: readonly RowOfAnyTable[]) => {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map(row => sql`(${sql.join(columns.map(column => row[column]))})`)
  // A copy writes to every table. All other statements are in the store of their table.
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map(column => sql.ref(column)))}) values ${sql.join(values)}`.execute(tx)
}

export const countRows = async (db: Db, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select cast(count(*) as bigint) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** How many rows of each table were copied. */
export type Copied = ReadonlyMap<string, number>

/**
 * Copies rows from one database into another with the same tables, after deleting the rows there. Each side has one transaction, so the
 * copy is of one instant, and an interrupted copy changes nothing.
 * @param to `check` runs before the copy, and `finish` after it in the same transaction
 * @param skipped tables whose rows are not copied
 */
export const copyRows = async (
  from: { db: Kysely<Tables>; engine: Engine },
  to: { db: Kysely<Tables>; check: (tx: Db) => Promise<void>; finish?: (tx: Db, copied: Copied) => Promise<void> },
  skipped: readonly string[] = [],
): Promise<Copied> => {
  const copied = new Map<string, number>()
  const reading = from.engine === 'sqlite' ? from.db.transaction() : from.db.transaction().setIsolationLevel('repeatable read')
  await reading.execute(source =>
    to.db.transaction().execute(async target => {
      await to.check(target)
      const tables = await listTablesToCopy(target)
      for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(target)
      for (const table of tables.filter(name => !skipped.includes(name))) {
        let rows = 0
        for await (const piece of readRows(source, from.engine, table)) {
          await insertRows(target, table, piece)
          rows += piece.length
        }
        if ((await countRows(target, table)) !== rows) throw new Error(`the table ${table} does not contain what was copied`)
        copied.set(table, rows)
      }
      await to.finish?.(target, copied)
    }),
  )
  return copied
}

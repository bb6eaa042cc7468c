import { sql } from 'kysely'
import { prefixLength, type Resealed } from './keyring.ts'

/** The id of the master key that encrypts a column, with the dot that follows it. */
export const keyPrefix = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(prefixLength)})`

/** Encrypts the values of a batch of rows with the current master key. Skips rows that no key decrypts. */
export const resealRows = async <Row>(
  rows: readonly Row[],
  by: {
    /** The row's id, by which batches are ordered. */
    id: (row: Row) => string
    /** Names the owner of the value, for the report of unreadable values. */
    owner: (row: Row) => string
    open: (row: Row) => string | undefined
    write: (row: Row, text: string) => Promise<unknown>
  },
): Promise<Resealed> => {
  const unreadable: string[] = []
  for (const row of rows) {
    const text = by.open(row)
    if (text === undefined) unreadable.push(by.owner(row))
    else await by.write(row, text)
  }
  const last = rows.at(-1)
  return { last: last && by.id(last), sealed: rows.length - unreadable.length, unreadable }
}

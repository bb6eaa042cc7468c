import { sql } from 'kysely'
import { prefixLength, type Resealed } from './keyring.ts'

/** The id of the master key that encrypts a column, with the dot that follows it. */
export const keyPrefix = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(prefixLength)})`

/** Encrypts the values of a batch of rows with the current master key. Leaves rows alone that no key opens. */
export const resealRows = async <Row>(
  rows: readonly Row[],
  by: {
    /** Names the row, in the order of the batch. */
    id: (row: Row) => string
    /** Names what is lost where no key opens the row. */
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

import { sql } from 'kysely'

/**
 * The end of a statement that is to be prepared once on each connection, under a name of its own: those of a check and of a sign-in, which
 * everybody makes. SQLite prepares every text once anyway.
 * Of such a statement the columns are named: where another server's migration adds one to a table, PostgreSQL refuses what was
 * prepared as `select *`.
 */
export const preparedAs = (name: string) => sql`${sql.raw(`/* prepared: ${name} */`)}`

/**
 * The end of a statement that need not be on the disk by itself: before anybody is answered another commit follows, and takes it along.
 * For SQLite, where each way to the disk stops the process; PostgreSQL syncs it as any other.
 */
export const syncedByNext = sql`/* synced by the next commit */`

export const isSyncedByNext = (text: string): boolean => text.endsWith(' /* synced by the next commit */')

/**
 * The end of a SELECT that locks its row until the transaction ends, as an update of the row would, but writes nothing. SQLite leaves it
 * out: there a transaction locks the whole database.
 */
export const lockingRow = sql`for no key update`

/** The same statement for SQLite, which has no row locks. */
export const withoutRowLock = (text: string): string => text.replace(/ for no key update\b/, '')

/** The name that a text bears. */
export const preparedName = (text: string): string | undefined => / \/\* prepared: ([a-z0-9-]+) \*\//.exec(text)?.[1]

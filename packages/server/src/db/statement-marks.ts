import { sql } from 'kysely'

/**
 * The end of a statement that is to be prepared once on each connection, under a name. SQLite prepares every text once anyway.
 * Of such a statement the columns are named: where another server's migration adds one to a table, PostgreSQL refuses what was
 * prepared as `select *`.
 */
export const preparedAs = (name: 'find-session') => sql`${sql.raw(`/* prepared: ${name} */`)}`

/**
 * The end of a statement that need not be on the disk by itself: before anybody is answered another commit follows, and takes it along.
 * For SQLite, where each way to the disk stops the process; PostgreSQL syncs it as any other.
 */
export const syncedByNext = sql`/* synced by the next commit */`

export const isSyncedByNext = (text: string): boolean => text.endsWith(' /* synced by the next commit */')

/** The name that a text ends with. */
export const preparedName = (text: string): string | undefined => / \/\* prepared: ([a-z-]+) \*\/$/.exec(text)?.[1]

import { sql } from 'kysely'

/**
 * Ends a statement that is prepared once per connection, under its own name: statements of checks and sign-ins. SQLite prepares each
 * text once in any case. Such statements must name their columns: after another server's migration adds a column, PostgreSQL refuses a
 * prepared `select *`.
 */
export const preparedAs = (name: string) => sql`${sql.raw(`/* prepared: ${name} */`)}`

/**
 * Ends a statement whose commit needs no sync: another commit follows before the response and syncs both. For SQLite, where each sync
 * blocks the process; PostgreSQL ignores it.
 */
export const syncedByNext = sql`/* synced by the next commit */`

export const isSyncedByNext = (text: string): boolean => text.endsWith(' /* synced by the next commit */')

/**
 * Ends a SELECT that locks its row until the transaction ends, like an update but without a write. Removed for SQLite, where a
 * transaction locks the whole database.
 */
export const lockingRow = sql`for no key update`

/** Removes the row lock for SQLite. */
export const withoutRowLock = (text: string): string => text.replace(/ for no key update\b/, '')

/** The name that `preparedAs` gave a statement. */
export const preparedName = (text: string): string | undefined => / \/\* prepared: ([a-z0-9-]+) \*\//.exec(text)?.[1]

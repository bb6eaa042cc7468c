import { sql } from 'kysely'

/**
 * The end of a statement that PostgreSQL prepares once per connection, under this name: for checks and sign-ins. SQLite always prepares
 * each text once. Such statements must name their columns: after another server's migration adds a column, PostgreSQL refuses a
 * prepared `select *`.
 */
export const preparedAs = (name: string) => sql`${sql.raw(`/* prepared: ${name} */`)}`

/**
 * The end of a statement whose commit needs no sync: another commit follows before the response and syncs both. On SQLite each sync blocks
 * the process, on PostgreSQL it costs time. For a prepared INSERT, UPDATE or DELETE with RETURNING, outside a transaction.
 */
export const syncedByNext = sql`/* synced by the next commit */`

export const isSyncedByNext = (text: string): boolean => text.endsWith(' /* synced by the next commit */')

/**
 * The end of a statement in a transaction whose result nobody reads. PostgreSQL gets the next statement before it has answered this one,
 * and if this one fails, the next one fails with its error. Outside a transaction, the mark means nothing.
 */
export const joinedToNext = sql`/* joined to the next statement */`

export const isJoinedToNext = (text: string): boolean => text.endsWith(' /* joined to the next statement */')

/**
 * The end of a SELECT that may be the first statement of a transaction. PostgreSQL gets it together with BEGIN. Never a statement that
 * writes: if BEGIN fails, it runs without a transaction.
 */
export const joinedToBegin = sql`/* joined to BEGIN */`

export const isJoinedToBegin = (text: string): boolean => text.endsWith(' /* joined to BEGIN */')

/**
 * The end of a SELECT that locks its row until the transaction ends, like an update but without a write. Removed for SQLite, where a
 * transaction locks the whole database.
 */
export const lockingRow = sql`for no key update`

/** Removes the row lock for SQLite. */
export const withoutRowLock = (text: string): string => text.replace(/ for no key update\b/, '')

/** The name that `preparedAs` gave a statement. */
export const preparedName = (text: string): string | undefined => / \/\* prepared: ([a-z0-9-]+) \*\//.exec(text)?.[1]

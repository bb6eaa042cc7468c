import { sql } from 'kysely'

/**
 * The end of a statement that is to be prepared once on each connection, under a name. SQLite prepares every text once anyway.
 * Of such a statement the columns are named: where another server's migration adds one to a table, PostgreSQL refuses what was
 * prepared as `select *`.
 */
export const preparedAs = (name: 'find-session') => sql`${sql.raw(`/* prepared: ${name} */`)}`

/** The name that a text ends with. */
export const preparedName = (text: string): string | undefined => / \/\* prepared: ([a-z-]+) \*\/$/.exec(text)?.[1]

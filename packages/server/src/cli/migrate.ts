import type { Deps } from './deps.ts'

/** Opening the database has already run the migrations; this command prints them. */
export const migrate = async ({ database: { migrated }, write, data }: Deps) => {
  for (const name of migrated) write(`Ran ${name}.`)
  write(migrated.length > 0 ? 'The tables are up to date.' : 'The tables are already up to date.')
  data({ migrated })
}

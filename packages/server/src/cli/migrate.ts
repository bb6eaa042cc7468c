import type { Deps } from './deps.ts'

/** Opening the database has brought its tables up to date; this says what that was. */
export const migrate = async ({ database: { migrated }, write }: Deps) => {
  for (const name of migrated) write(`Ran ${name}.`)
  write(migrated.length > 0 ? 'The tables are up to date.' : 'The tables are already up to date.')
}

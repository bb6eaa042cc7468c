import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { seconds } from '../limits.ts'
import { joinStatements } from './joined-statements.ts'
import { isSyncedByNext, preparedName } from './statement-marks.ts'

/** Instants are 64-bit integers in the tables. As JavaScript numbers they are exact until the year 287396. */
const int8 = 20

/**
 * With the default `random_page_cost` of 4, meant for hard disks, PostgreSQL reads the whole table of users for each statement that checks
 * 8 or 16 sessions, unless the table is large. `options` in the database's URL replaces this setting.
 */
const planning = '-c random_page_cost=1.1'

/**
 * Kysely on PostgreSQL. An attempt to connect fails after 1.5 s without a response, and so does a query.
 * @param url `postgres://user:password@host/database`
 * @param patient no query timeout, and one connection: for slow work such as a migration
 */
export const postgresDialect = (url: string, patient = false) => {
  const pool = new pg.Pool({
    connectionString: url,
    max: patient ? 1 : 10,
    connectionTimeoutMillis: seconds(1.5),
    keepAlive: true,
    options: planning,
    // Long work reads with cursors, which a connection with `pipeline` refuses.
    ...(!patient && { query_timeout: seconds(1.5), statement_timeout: seconds(1.5), pipeline: true }),
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // The pool replaces a broken connection, and its statement gets an error. Without a listener, a connection that breaks between
  // statements would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    prepareNamed(client)
    if (!patient && client instanceof pg.Client) joinStatements(client, client.connection.stream)
  })
  return new PostgresDialect({ pool })
}

/** Makes the driver prepare statements that carry a name. */
const prepareNamed = (client: pg.PoolClient) => {
  const { query } = client
  Object.assign(client, {
    query: (text: unknown, values: unknown, ...more: unknown[]) => {
      const prepared = typeof text === 'string' ? preparedOf(text) : undefined
      return Reflect.apply(query, client, prepared === undefined ? [text, values, ...more] : [{ ...prepared, values }, ...more])
    },
  })
}

/** The prepared statements that this process has run. Their texts are constant, so there are few. */
const known = new Map<string, { name: string; text: string }>()

const preparedOf = (text: string) => {
  const found = known.get(text)
  if (found) return found
  const name = preparedName(text)
  if (name === undefined) return undefined
  const prepared = { name, text: isSyncedByNext(text) ? withoutSync(text) : text }
  known.set(text, prepared)
  return prepared
}

/** Makes the commit of a statement with RETURNING wait for no sync. The next commit that waits for one, on any connection, syncs both. */
const withoutSync = (text: string) => text.replace(' returning ', ` returning set_config('synchronous_commit', 'off', true), `)

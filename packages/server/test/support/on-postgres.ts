import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/open.ts'
import { startPostgres } from './postgres-server.ts'

/** Starts PostgreSQL for the test run, with a template database that holds our tables. */
export const setup = async (project: TestProject) => {
  const server = await startPostgres()
  await server.createDatabase('gatehouse_template')
  const { close } = await openDatabase(`${server.url}/gatehouse_template`)
  await close()
  project.provide('postgres', `${server.url}/postgres`)
  project.provide('sqlite', '')
  return server.stop
}

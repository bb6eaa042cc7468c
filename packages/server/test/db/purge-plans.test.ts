import { createQueryId, type Kysely, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import type { Tables } from '../../src/db/schema.ts'
import { hours } from '../../src/limits.ts'
import { startServer } from '../support/harness.ts'
import { insertNumberedRows } from '../support/large-database.ts'

// PostgreSQL's planner decides by the table contents; SQLite's decides by the indexes alone.
test.runIf(inject('postgres') === '')('the purge finds expired rows by index, however many live ones there are', async () => {
  const asked: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const server = await startServer({ watch: (db: Kysely<Tables>) => db.withPlugin(plugin) })
  asked.length = 0
  await server.backgroundJobs.purge()
  const executor = server.db.getExecutor()
  const plans: string[] = []
  for (const node of asked.splice(0)) {
    const query = executor.compileQuery(node, createQueryId())
    const { rows } = await executor.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` })
    plans.push(`${query.sql.slice(0, 40)}: ${rows.map(({ detail }) => detail).join('; ')}`)
  }
  expect(plans.length).toBeGreaterThan(12)
  expect(plans.filter(plan => /\bSCAN (?!CONSTANT)/.test(plan))).toEqual([])
})

test('DP-02: one purge deletes 5,000 expired sessions and keeps 2,500 live ones', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const now = server.clock.at
  const at = (instant: number) => sql`cast(${sql.lit(instant)} as bigint)`
  // In turn: past the absolute lifetime, idle for an hour, and live.
  await insertNumberedRows(
    server.db,
    7500,
    numbers => sql`insert into sessions ("sessionSelector", "sessionHash", "sessionUser", "sessionCreated", "sessionSeen", "sessionExpires",
      "sessionUserAgent", "sessionAddress") ${numbers} select 'session-' || i, 'x', ${userId}, ${at(now)},
      case i % 3 when 1 then ${at(now - hours(1))} else ${at(now)} end, case i % 3 when 0 then ${at(now)} else ${at(now + 1)} end,
      '', '' from n`,
  )
  await server.backgroundJobs.purge()
  const left = await server.db.selectFrom('sessions').select('sessionSelector').execute()
  expect(left.map(({ sessionSelector }) => Number(sessionSelector.slice(8)) % 3)).toEqual(Array(2500).fill(2))
})

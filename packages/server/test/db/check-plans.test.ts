import { createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { prepareFindChecked, prepareFindSession } from '../../src/sessions/sessions.store.ts'
import { startServer } from '../support/harness.ts'
import { insertNumberedRows } from '../support/large-database.ts'

// SQLite always uses the indexes here. PostgreSQL's planner decides by table sizes and page costs.
test.runIf(inject('postgres'))('one statement for 16 checks finds sessions and users by index, even with only 1,000 users', async () => {
  const server = await startServer()
  const { db } = server
  const now = sql`cast(${sql.lit(server.clock.at)} as bigint)`
  await insertNumberedRows(
    db,
    1000,
    numbers => sql`insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel",
      "userCreated") ${numbers} select 'user-' || i, i || '@example.com', 'x', 0, 0, 'Europe/Amsterdam', ${now} from n`,
  )
  await insertNumberedRows(
    db,
    1000,
    numbers => sql`insert into sessions ("sessionSelector", "sessionHash", "sessionCheckSelector", "sessionUser", "sessionCreated",
      "sessionSeen", "sessionExpires", "sessionUserAgent", "sessionAddress") ${numbers} select 'session-' || i, 'x', 'check-' || i,
      'user-' || i, ${now}, ${now}, ${now}, '', '' from n`,
  )
  await sql`analyze users, sessions`.execute(db)
  const nodes: RootOperationNode[] = []
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  for (const prepare of [prepareFindSession, prepareFindChecked]) prepare(db.withPlugin(watch))
  const executor = db.getExecutor()
  const plans: string[] = []
  for (const node of nodes) {
    const query = executor.compileQuery(node, createQueryId())
    const parameters = query.parameters.map((_, i) => `session-${i}`)
    const { rows } = await executor.executeQuery<{ 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}`, parameters })
    plans.push(rows.map(row => row['QUERY PLAN']).join('\n'))
  }
  expect(plans).toHaveLength(10)
  expect(plans.filter(plan => plan.includes('Seq Scan'))).toEqual([])
})

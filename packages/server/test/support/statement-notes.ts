import type { Kysely, KyselyPlugin } from 'kysely'
import type { Tables } from '../../src/db/schema.ts'

/** Records the statements, by kind and table. */
export const createNotes = () => {
  const kinds = new WeakMap<object, string>()
  const asked: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const [, table = ''] = /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node)) ?? []
      kinds.set(queryId, `${node.kind.replace('QueryNode', '').toLowerCase()} ${table}`)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      asked.push(kinds.get(queryId) ?? 'unknown')
      return result
    },
  }
  return {
    watch: (db: Kysely<Tables>) => db.withPlugin(plugin),
    of: async (work: () => Promise<unknown>) => {
      asked.length = 0
      await work()
      return [...asked]
    },
  }
}

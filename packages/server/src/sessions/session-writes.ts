import type { KyselyPlugin, RootOperationNode } from 'kysely'

/**
 * Observes the statements that end sessions, or that change or delete users, and reports the values in their conditions: selectors of
 * sessions and ids of users. It reports before the database answers: if the answer is lost, the statement may have taken effect.
 */
export const reportSessionWrites = (report: (values: ReadonlySet<string>) => void): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (endsOrChanges(node)) report(textsIn('where' in node ? node.where : undefined))
    return node
  },
  transformResult: async ({ result }) => result,
})

const endsOrChanges = (node: RootOperationNode): boolean => {
  if (node.kind === 'DeleteQueryNode') return namesTable(node.from, ['sessions', 'users'])
  if (node.kind !== 'UpdateQueryNode') return false
  // An update that only records the last use ends no session. A renewal ends the old cookie: it replaces the hash.
  return (
    namesTable(node.table, ['users']) || (namesTable(node.table, ['sessions']) && JSON.stringify(node.updates).includes('"sessionHash"'))
  )
}

const namesTable = (node: unknown, tables: readonly string[]): boolean => {
  const text = JSON.stringify(node)
  return tables.some(table => text.includes(`"${table}"`))
}

/** Every text value in a part of a statement. */
const textsIn = (node: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof node !== 'object' || node === null) return found
  const values = 'value' in node ? [node.value] : 'values' in node && Array.isArray(node.values) ? node.values : []
  for (const value of values) if (typeof value === 'string') found.add(value)
  for (const part of Object.values(node)) textsIn(part, found)
  return found
}

import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/** A compiled statement, and the value of each of its parameters: a constant, or a symbol that names an argument. */
type Compiled<Row> = { query: CompiledQuery<Row>; slots: readonly unknown[] }

/**
 * Compiles a statement once for each database, for statements that every sign-in runs: Kysely takes longer to build and compile one than
 * SQLite takes to run it.
 * @param build builds the statement. It may only pass the values on, because each is a symbol during compilation
 * @returns runs the statement with the given values
 */
export const compiledOnce = <Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): ((db: Db, values: Values) => Promise<Row[]>) => {
  // The key is the adapter, which a transaction shares with its database.
  const byAdapter = new WeakMap<object, Compiled<Row>>()

  const compile = (db: Db, values: Values): Compiled<Row> => {
    const symbols = Object.fromEntries(Object.keys(values).map(name => [name, Symbol(name)]))
    // The only cast of symbols to values; they go only into the parameters.
    const query = build(db, symbols as Values).compile()
    return { query, slots: query.parameters }
  }

  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const known = byAdapter.get(adapter) ?? compile(db, values)
    byAdapter.set(adapter, known)
    const parameters = known.slots.map(place => (typeof place === 'symbol' ? values[place.description ?? ''] : place))
    return (await db.executeQuery<Row>({ ...known.query, parameters })).rows
  }
}

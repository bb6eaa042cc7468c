import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/** A statement's text with what belongs in each of its places: a value that it always has, or the name of one that is given each time. */
type Compiled<Row> = { query: CompiledQuery<Row>; places: readonly unknown[] }

/**
 * A statement whose text is always the same, for the calls that every sign-in makes: Kysely builds and compiles it once for each database,
 * which takes longer than SQLite needs to run it.
 * @param build makes the statement. It may only pass the values on: while it is compiled each is a symbol that stands for the value
 * @returns runs the statement with such values
 */
export const compiledOnce = <Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): ((db: Db, values: Values) => Promise<Row[]>) => {
  // By adapter, because a transaction shares that of its database.
  const byAdapter = new WeakMap<object, Compiled<Row>>()

  const compile = (db: Db, values: Values): Compiled<Row> => {
    const symbols = Object.fromEntries(Object.keys(values).map(name => [name, Symbol(name)]))
    // The one place where a symbol is taken for a value; it goes from here into the parameters and no further.
    const query = build(db, symbols as Values).compile()
    return { query, places: query.parameters }
  }

  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const known = byAdapter.get(adapter) ?? compile(db, values)
    byAdapter.set(adapter, known)
    const parameters = known.places.map(place => (typeof place === 'symbol' ? values[place.description ?? ''] : place))
    return (await db.executeQuery<Row>({ ...known.query, parameters })).rows
  }
}

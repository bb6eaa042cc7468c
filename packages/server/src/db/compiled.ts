import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/** A compiled statement, and the value of each of its parameters: a constant, or a symbol that names an argument. */
type Compiled<Row> = { query: CompiledQuery<Row>; slots: readonly unknown[] }

type Statement<Values, Row> = {
  (db: Db, values: Values): Promise<Row[]>
  /** The statement with its values, for {@link runBoth}. */
  bind: (db: Db, values: Values) => CompiledQuery<Row>
}

/**
 * Compiles a statement once for each database, for statements that every sign-in runs: Kysely takes longer to build and compile one than
 * SQLite takes to run it.
 * @param build builds the statement. It may only pass the values on, because each is a symbol during compilation
 * @returns runs the statement with the given values
 */
export const compiledOnce = <Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): Statement<Values, Row> => {
  // The key is the adapter, which a transaction shares with its database.
  const byAdapter = new WeakMap<object, Compiled<Row>>()

  const compile = (db: Db, values: Values): Compiled<Row> => {
    const symbols = Object.fromEntries(Object.keys(values).map(name => [name, Symbol(name)]))
    // The only cast of symbols to values; they go only into the parameters.
    const query = build(db, symbols as Values).compile()
    return { query, slots: query.parameters }
  }

  const bind = (db: Db, values: Values): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor()
    const known = byAdapter.get(adapter) ?? compile(db, values)
    byAdapter.set(adapter, known)
    const parameters = known.slots.map(place => (typeof place === 'symbol' ? values[place.description ?? ''] : place))
    return { ...known.query, parameters }
  }
  const run = async (db: Db, values: Values) => (await db.executeQuery(bind(db, values))).rows
  return Object.assign(run, { bind })
}

/**
 * Runs two statements in their order, without waiting for the result of the first before it sends the second: one round trip to PostgreSQL
 * instead of two. The second sees what others committed while the first waited for a lock.
 */
export const runBoth = <First, Second>(
  db: Db,
  first: CompiledQuery<First>,
  second: CompiledQuery<Second>,
): Promise<[First[], Second[]]> => {
  const executor = db.getExecutor()
  return executor.provideConnection(async connection => {
    // The provider of a transaction would give its connection to one statement at a time.
    const both = executor.withConnectionProvider({ provideConnection: use => use(connection) })
    const [one, other] = await Promise.all([both.executeQuery(first), both.executeQuery(second)])
    return [one.rows, other.rows]
  })
}

/** How many keys one statement can read. Larger batches use several statements. */
const sizes = [1, 2, 4, 8, 16] as const
export type BatchSize = (typeof sizes)[number]
const largest = 16

type Waiting<Row> = { key: string; resolve: (row: Row | undefined) => void; reject: (fault: unknown) => void }

/**
 * Reads one row for each key. Keys requested at about the same time share a statement, so that parallel requests share one round trip to
 * the database. A row is read after its key was requested, so it includes earlier writes.
 * @param prepare compiles the statement for a number of keys, once for each size; a shorter batch repeats its last key
 */
export const inBatches = <Row>(
  prepare: (size: BatchSize) => (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): ((key: string) => Promise<Row | undefined>) => {
  const readers = new Map(sizes.map(size => [size, prepare(size)]))
  let waiting: Waiting<Row>[] = []

  const read = async (batch: readonly Waiting<Row>[]) => {
    const size = sizes.find(size => size >= batch.length) ?? largest
    const last = batch.at(-1)?.key ?? ''
    const keys = Array.from({ length: size }, (_, i) => batch[i]?.key ?? last)
    try {
      const rows = await readers.get(size)?.(keys)
      const byKey = new Map(rows?.map(row => [keyOf(row), row]))
      for (const { key, resolve } of batch) resolve(byKey.get(key))
    } catch (fault) {
      for (const { reject } of batch) reject(fault)
    }
  }

  /** Reads all keys that were requested in this turn of the event loop. */
  const readAll = () => {
    const all = waiting
    waiting = []
    for (let first = 0; first < all.length; first += largest) void read(all.slice(first, first + largest))
  }

  return key =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(readAll)
    })
}

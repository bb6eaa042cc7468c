/** As many keys as one statement reads; with more of them there are several statements. */
const sizes = [1, 2, 4, 8, 16] as const
export type BatchSize = (typeof sizes)[number]
const largest = 16

type Waiting<Row> = { key: string; resolve: (row: Row | undefined) => void; reject: (fault: unknown) => void }

/**
 * Reads one row for each key, those that are asked for at about the same time by one statement: of requests that arrive together none waits for
 * another's way to the database and back. A row is read after it was asked for, so what was written before is seen.
 * @param prepare makes the statement for so many keys, once each; where there are fewer keys than that, the last is repeated
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

  /** All that has arrived meanwhile. */
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

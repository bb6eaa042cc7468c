import { setImmediate } from 'node:timers/promises'
import type { DeleteResult } from 'kysely'

/** Rows that are deleted at once: on SQLite everybody else waits meanwhile. */
const size = 1000

/** Deletes what may be millions of rows a slice at a time, so that others get their turn between them. */
export const deleteInSlices = async (slice: (size: number) => Promise<DeleteResult>): Promise<void> => {
  while ((await slice(size)).numDeletedRows >= size) await setImmediate()
}

import { setImmediate } from 'node:timers/promises'
import type { DeleteResult } from 'kysely'

/** Rows per deletion: on SQLite all other statements wait for it. */
const size = 1000

/** Deletes rows in slices, so that other statements run between them, even if there are millions. */
export const deleteInSlices = async (slice: (size: number) => Promise<DeleteResult>): Promise<void> => {
  while ((await slice(size)).numDeletedRows >= size) await setImmediate()
}

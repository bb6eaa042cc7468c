import { setImmediate } from 'node:timers/promises'
import type { DeleteResult } from 'kysely'

/** Rows per deletion: on SQLite, all other statements wait while one runs. */
const size = 1000

/** Deletes any number of rows in slices, so that other statements can run between the slices. */
export const deleteInSlices = async (slice: (size: number) => Promise<DeleteResult>): Promise<void> => {
  while ((await slice(size)).numDeletedRows >= size) await setImmediate()
}

import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from './db/schema.ts'
import { writeProbe } from './db/write-probes.store.ts'
import { limits } from './limits.ts'
import { probeUsers } from './users/users.store.ts'

/** Answers whether the server can do its work: read and write its database. */
export const createReadiness = (deps: {
  db: Kysely<Tables>
  /** The file of a SQLite database. */
  file: string | undefined
  now: () => number
}) => {
  const { db, file, now } = deps

  const write = async () => {
    await writeProbe(db, now())
    if (file !== undefined) await refuseFullDisk(dirname(file))
  }

  let written: Promise<void> | undefined
  let at = Number.NEGATIVE_INFINITY
  /** Frequent probes share one write. */
  const writeOccasionally = () => {
    if (written === undefined || performance.now() - at >= limits.readiness.every) {
      at = performance.now()
      written = write()
    }
    return written
  }

  return {
    /** @throws why the server is not ready */
    prove: async (): Promise<void> => {
      await probeUsers(db)
      await writeOccasionally()
    },
  }
}
export type Readiness = ReturnType<typeof createReadiness>

/** SQLite reuses its log: a small write can succeed on a full disk, and the next large one fails. */
const refuseFullDisk = async (folder: string) => {
  const { blocks, bsize, bavail, bfree } = await statfs(folder)
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize
  // Some file systems report no size.
  if (blocks > 0 && free < limits.readiness.freeBytes) throw new Error(`The disk of ${folder} is full: ${free} bytes are free.`)
}

import type { Db } from './schema.ts'

/** A committed write: it fails on a full disk, on a read-only database or file system, and in a file that was deleted. */
export const writeProbe = async (db: Db, now: number): Promise<void> => {
  const probe = { probeId: 1, probeAt: now }
  await db
    .insertInto('write_probes')
    .values(probe)
    .onConflict(c => c.column('probeId').doUpdateSet(probe))
    .execute()
}

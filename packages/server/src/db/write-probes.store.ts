import type { Db } from './schema.ts'

/** Commits a write. It fails on a full disk, on a read-only database or file system, and if the file was deleted. */
export const writeProbe = async (db: Db, now: number): Promise<void> => {
  const probe = { probeId: 1, probeAt: now }
  await db
    .insertInto('write_probes')
    .values(probe)
    .onConflict(c => c.column('probeId').doUpdateSet(probe))
    .execute()
}

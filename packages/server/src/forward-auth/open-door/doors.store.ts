import type { Db } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import type { DoorCourse } from './door-course.ts'

/**
 * Claims the next round if it is due, in one statement, so that only one of several servers makes the requests. The lease ends when the
 * following round would be due.
 * @returns the end of the lease, which identifies the round
 */
export const claimRound = async (db: Db, now: number): Promise<number | undefined> => {
  const next = now + limits.openDoor.every
  const row = await db
    .insertInto('door_rounds')
    .values({ doorRoundId: 1, doorRoundNext: next, doorRoundEnded: null })
    .onConflict(c =>
      c
        .column('doorRoundId')
        .doUpdateSet({ doorRoundNext: next })
        // A due time later than `next` was stored before the clock was set back.
        .where(e => e.or([e('door_rounds.doorRoundNext', '<=', now), e('door_rounds.doorRoundNext', '>', next)])),
    )
    .returning('doorRoundNext')
    .executeTakeFirst()
  return row && next
}

/**
 * Ends a round.
 * @returns false if its lease has ended: another server may have started the next round
 */
export const endRound = async (db: Db, { claimed, next }: { claimed: number; next: number }, now: number): Promise<boolean> =>
  (await db
    .updateTable('door_rounds')
    .set({ doorRoundNext: next, doorRoundEnded: now })
    .where('doorRoundNext', '=', claimed)
    .returning('doorRoundId')
    .executeTakeFirst()) !== undefined

export const lastRound = async (db: Db): Promise<number | undefined> =>
  (await db.selectFrom('door_rounds').select('doorRoundEnded').executeTakeFirst())?.doorRoundEnded ?? undefined

export type KnownDoor = { origin: string; course: DoorCourse }

export const listDoors = async (db: Db): Promise<KnownDoor[]> =>
  (await db.selectFrom('doors').selectAll().orderBy('doorOrigin').execute()).map(({ doorOrigin, doorCourse }) => ({
    origin: doorOrigin,
    course: JSON.parse(doorCourse),
  }))

export const keepDoor = async (db: Db, { origin: doorOrigin, course }: KnownDoor): Promise<void> => {
  const doorCourse = JSON.stringify(course)
  await db
    .insertInto('doors')
    .values({ doorOrigin, doorCourse })
    .onConflict(c => c.column('doorOrigin').doUpdateSet({ doorCourse }))
    .execute()
}

export const deleteDoor = async (db: Db, origin: string): Promise<void> => {
  await db.deleteFrom('doors').where('doorOrigin', '=', origin).execute()
}

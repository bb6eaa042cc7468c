import type { PendingChallenge, PushStatus } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import type { Approver } from '../factors/push/approver.ts'
import { statusOf } from '../factors/push/push.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import { listLive } from '../sessions/sessions.store.ts'

/** Who is to be told of changes: browsers that wait by their cookies, sessions by their selectors, devices by their factors. */
export type Watched = { waits: ReadonlySet<string>; sessions: ReadonlySet<string>; devices: ReadonlyMap<string, string> }

/** How things stand for them. A session or a device that is not there is over. */
export type Standing = {
  waits: ReadonlyMap<string, PushStatus>
  sessions: ReadonlySet<string>
  devices: ReadonlyMap<string, PendingChallenge | null>
}

/** Reads how things stand for everybody who waits, with as few questions to the database however many wait. */
export const createLive = ({ db, approver, now }: { db: Kysely<Tables>; approver: Approver; now: () => number }) => {
  const statuses = async (waits: ReadonlySet<string>) =>
    new Map([...(await pushWaits.readWaits(db, [...waits], now()))].map(([binding, awaited]) => [binding, statusOf(awaited)]))

  const look = async ({ waits, sessions, devices }: Watched): Promise<Standing> => ({
    waits: waits.size > 0 ? await statuses(waits) : new Map(),
    sessions: sessions.size > 0 ? await listLive(db, [...sessions], now()) : new Set(),
    devices: devices.size > 0 ? await approver.lookFor(devices) : new Map(),
  })
  return { look }
}
export type Live = ReturnType<typeof createLive>

import type { PendingChallenge, PushStatus } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import type { Approver } from '../factors/push/approver.ts'
import { statusOf } from '../factors/push/push.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import { listLive } from '../sessions/sessions.store.ts'

/** The rows that browsers watch: phone approvals by cookie, sessions by selector, and phones by factor, each with its client address. */
export type Watched = { waits: ReadonlySet<string>; sessions: ReadonlySet<string>; devices: ReadonlyMap<string, string> }

/** The current state of these rows. A missing session has ended, and a missing phone was removed. */
export type CurrentState = {
  waits: ReadonlyMap<string, PushStatus>
  sessions: ReadonlySet<string>
  devices: ReadonlyMap<string, PendingChallenge | null>
}

/** Reads the state that all open sockets wait for, with a fixed number of statements. */
export const createLive = ({ db, approver, now }: { db: Kysely<Tables>; approver: Approver; now: () => number }) => {
  const statuses = async (waits: ReadonlySet<string>) =>
    new Map([...(await pushWaits.readWaits(db, [...waits], now()))].map(([binding, awaited]) => [binding, statusOf(awaited)]))

  const readState = async ({ waits, sessions, devices }: Watched): Promise<CurrentState> => ({
    waits: waits.size > 0 ? await statuses(waits) : new Map(),
    sessions: sessions.size > 0 ? await listLive(db, [...sessions], now()) : new Set(),
    devices: devices.size > 0 ? await approver.findPending(devices) : new Map(),
  })
  return { readState }
}
export type Live = ReturnType<typeof createLive>

import type { Kysely } from 'kysely'
import type { Db, Tables } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import type { Mail } from '../../mail/mail.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { advance, type DoorCourse, type DoorEvents, isUnsettled } from './door-course.ts'
import { type DoorFinding, rankOf } from './door-finding.ts'
import * as doors from './doors.store.ts'
import { type ProbeDeps, type ProbedOrigins, probeAll, targetsOf } from './probe-round.ts'

/** The confirmed finding of an origin. */
export type Door = DoorFinding & { origin: string; since: number }

type Log = { warn: (of: object, message: string) => void; info: (of: object, message: string) => void }

/**
 * Requests the protected origins periodically, as a visitor does, and notifies administrators of
 * problems, such as a request that is not refused. A single server makes each round and stores its findings in the database,
 * so every server shows them.
 */
export const createOpenDoorAlarm = (
  deps: ProbeDeps & { db: Kysely<Tables>; chosen: ProbedOrigins; rules: { current: () => RuleSet }; mail: Mail; log: Log },
) => {
  const { db, mail, log, now } = deps
  const began = now()
  let isRunning = false
  let warnedOf = 0

  const targets = () => {
    const all = targetsOf(deps.rules.current(), deps.chosen, deps)
    const most = limits.openDoor.addressesMost
    if (all.length > most && warnedOf !== all.length)
      log.warn({ addresses: all.length, requested: most }, 'the open-door alarm has too many addresses; it requests only the first ones')
    warnedOf = all.length
    return all
  }

  const tell = async (tx: Db, { origin, course, events }: Changed) => {
    if (events.mail === undefined) return
    const { finding, since } = course
    const notice = { who: origin, since, ...finding }
    const kind = events.mail === 'began' ? 'door-alarm' : 'door-alarm-ended'
    await mail.notifyAdministrators(tx, { kind, ...notice }, { address: '', userAgent: '' })
  }

  const report = ({ origin, course: { finding }, events }: Changed) => {
    if (!events.named) return
    const { state, path, status, detail } = finding
    if (state === 'Closed') log.info({ origin, state, path, status, detail }, 'the open-door alarm no longer finds a problem')
    else log.warn({ origin, state, path, status, detail }, 'the open-door alarm found a problem')
  }

  const makeRound = async (claimed: number): Promise<void> => {
    const started = now()
    const requested = targets()
    const found = await probeAll(requested, deps)
    const at = now()
    const changed = await db.transaction().execute(async tx => {
      const known = new Map((await doors.listDoors(tx)).map(({ origin, course }) => [origin, course]))
      const changes = [...found].map(([origin, finding]) => ({ origin, ...advance(known.get(origin), finding, at) }))
      const isSoon = changes.some(({ course }) => isUnsettled(course))
      const next = started + (isSoon ? limits.openDoor.again : limits.openDoor.every)
      if (!(await doors.endRound(tx, { claimed, next }, at))) return []
      for (const change of changes) {
        await doors.keepDoor(tx, change)
        await tell(tx, change)
      }
      const origins = new Set(requested.map(({ origin }) => origin))
      for (const origin of known.keys()) if (!origins.has(origin)) await doors.deleteDoor(tx, origin)
      return changes
    })
    changed.forEach(report)
  }

  /** Makes a round if it is due and no other server does. Waits after the start: the proxy may start at the same time. */
  const look = async (): Promise<void> => {
    if (isRunning || Math.abs(now() - began) < limits.openDoor.settle) return
    isRunning = true
    try {
      const claimed = await doors.claimRound(db, now())
      if (claimed !== undefined) await makeRound(claimed)
    } finally {
      isRunning = false
    }
  }

  return {
    look,
    /** Every requested origin, the worst first. */
    list: async (): Promise<Door[]> =>
      (await doors.listDoors(db))
        .map(({ origin, course: { finding, since } }) => ({ origin, since, ...finding }))
        .toSorted((a, b) => rankOf(a.state) - rankOf(b.state)),
    lastRound: () => doors.lastRound(db),
  }
}
export type OpenDoorAlarm = ReturnType<typeof createOpenDoorAlarm>

type Changed = { origin: string; course: DoorCourse; events: DoorEvents }

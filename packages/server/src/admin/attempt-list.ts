import type { AttemptList, AttemptListRequest } from '@gatehouse/wire'
import type { AuditPlace } from '../audit/audit.store.ts'
import { listStepKinds, listSteps } from '../audit/audit-counts.store.ts'
import { signInStep } from '../audit/sign-in-steps.ts'
import { BadInput } from '../bad-input.ts'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'
import { listNames } from '../users/users.store.ts'
import { shownOrigin } from '../visitors/shown-origin.ts'

/** Returns the sign-in steps that one bar of the statistics counts, newest first. `here` is the administrator's client address. */
export const readAttempts = async (db: Db, request: AttemptListRequest, here: string): Promise<AttemptList> => {
  const [from, until] = [Date.parse(request.from), Date.parse(request.until)]
  const after = request.after === undefined ? undefined : placeIn(request.after)
  const wanted = (await listStepKinds(db, from, until)).filter(({ event, result }) => {
    const step = signInStep(event, result)
    return step && request.ways.includes(step.way) && request.outcomes.includes(step.outcome)
  })
  if (wanted.length === 0) return { attempts: [] }
  const most = limits.lists.attempts.most
  // Read one more row than the page shows, to know whether another page follows.
  const rows = await listSteps(db, { from, until, kinds: wanted, after }, most + 1)
  const shown = rows.slice(0, most)
  const names = new Map(
    (
      await listNames(
        db,
        shown.map(row => row.auditTarget ?? ''),
      )
    ).map(user => [user.userId, user]),
  )
  const end = rows.length > most ? shown.at(-1) : undefined
  return {
    attempts: shown.flatMap(row => {
      const step = signInStep(row.auditEvent, row.auditResult)
      const user = names.get(row.auditTarget ?? '')
      const origin = row.auditAddress === null ? undefined : shownOrigin(row.auditAddress, row.auditUserAgent ?? '', here)
      const auditAt = new Date(Number(row.auditAt)).toISOString()
      return step ? [{ auditAt, ...step, ...(user && { user }), ...(origin && { from: origin }) }] : []
    }),
    ...(end && { after: `${end.auditAt} ${end.auditId}` }),
  }
}

const placeIn = (cursor: string): AuditPlace => {
  const [, at = '', auditId] = /^(\d{1,15}) ([\w-]{1,64})$/.exec(cursor) ?? []
  if (auditId === undefined) throw new BadInput('after: is not a place in this list')
  return { auditAt: Number(at), auditId }
}

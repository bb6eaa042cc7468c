import type { DoorState } from '@gatehouse/wire'
import { limits } from '../../limits.ts'
import { type DoorFinding, rankOf } from './door-finding.ts'

/** What the alarm knows about an origin: the confirmed finding, and what the last rounds found if that differs. Stored as JSON. */
export type DoorCourse = {
  finding: DoorFinding
  since: number
  /** Becomes `finding` when enough rounds in a row show it. */
  suspect: { finding: DoorFinding; since: number; inRow: number } | null
  /**
   * The state that the last mail reported. Null after a mail that reported the end of the alarm.
   */
  mailed: DoorState | null
  mailedAt: number | null
}

/** What to report after a round. `named`: whether the log names the new state. */
export type DoorEvents = { named: boolean; mail: 'began' | 'ended' | undefined }

/** `blind`: no answer shows whether the door is open. */
type Kind = 'door' | 'blind' | 'warning' | 'closed'
const kinds: Record<DoorState, Kind> = {
  Open: 'door',
  CheckSkipped: 'door',
  RedirectLoop: 'door',
  RedirectElsewhere: 'door',
  CertificateInvalid: 'blind',
  NameNotFound: 'blind',
  Unreachable: 'blind',
  CertificateEnds: 'warning',
  Closed: 'closed',
}
const kindOf = ({ state }: DoorFinding): Kind => kinds[state]

const nothingYet = (now: number): DoorCourse => ({
  finding: { state: 'Closed', path: '/', status: null, detail: null },
  since: now,
  suspect: null,
  mailed: null,
  mailedAt: null,
})

/** Updates what the alarm knows about an origin with the finding of a round. */
export const advance = (before: DoorCourse | undefined, finding: DoorFinding, now: number): { course: DoorCourse; events: DoorEvents } => {
  const known = before ? { ...before, since: Math.min(before.since, now) } : nothingYet(now)
  const course = take(known, finding, now)
  const mail = mailOf(course, now)
  const named = course.finding.state !== known.finding.state
  if (mail === 'began') return { course: { ...course, mailed: course.finding.state, mailedAt: now }, events: { named, mail } }
  return { course: mail === 'ended' ? { ...course, mailed: null } : course, events: { named, mail } }
}

const take = (known: DoorCourse, finding: DoorFinding, now: number): DoorCourse => {
  const kind = kindOf(finding)
  const { suspect } = known
  // Attack: an application behind an open door refuses some requests with 503, so that no two rounds in a row find the door open.
  const isBlind = kind === 'blind' && (kindOf(known.finding) === 'door' || (suspect !== null && kindOf(suspect.finding) === 'door'))
  if (isBlind) return known
  if (kind === kindOf(known.finding)) return { ...known, finding, suspect: null }
  const goesOn = suspect !== null && kindOf(suspect.finding) === kind
  const inRow = goesOn ? suspect.inRow + 1 : 1
  const since = goesOn ? suspect.since : now
  // One proved refusal shows that the origin is reachable. An open door may refuse one request and serve the next.
  const isBack = kindOf(known.finding) === 'blind' && (kind === 'closed' || kind === 'warning')
  if (!isBack && inRow < limits.openDoor.confirmedFrom) return { ...known, suspect: { finding, since, inRow } }
  return { ...known, finding, since, suspect: null }
}

/**
 * Whether the next round should come soon: to confirm a suspect finding, or to see an origin answer again before administrators get mail.
 */
export const isUnsettled = ({ finding, suspect, mailed }: DoorCourse): boolean =>
  suspect !== null || (kindOf(finding) === 'blind' && mailed === null)

/** Returns the mail to send when an alarm begins, gets worse or ends. */
const mailOf = ({ finding, since, mailed, mailedAt }: DoorCourse, now: number): DoorEvents['mail'] => {
  const kind = kindOf(finding)
  if (mailed !== null && (kind === 'closed' || (kind === 'warning' && kinds[mailed] !== 'warning'))) return 'ended'
  if (kind === 'closed') return undefined
  const { unreachable, mailAgain } = limits.openDoor
  const mayPass = finding.state === 'Unreachable' || finding.state === 'NameNotFound'
  if (mayPass && now - since < unreachable) return undefined
  if (mailed !== null) return kind !== kinds[mailed] && rankOf(finding.state) < rankOf(mailed) ? 'began' : undefined
  // Attack: an application behind an open door makes the alarm begin and end all day, until administrators ignore its mails.
  const isTooSoon = mailedAt !== null && mailedAt <= now && now - mailedAt < mailAgain
  return isTooSoon ? undefined : 'began'
}

import {
  type AuthOutcome,
  type ChallengeRespondedReason,
  type ChallengeStatus,
  type DoorState,
  doorStates,
  type PushOutcome,
} from '@gatehouse/wire'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics for Prometheus. Labels come from closed lists, or are protected origins. They never contain a user, a client or a token. */
export const createMetrics = (ask: {
  version: string
  /** @throws the database's error */
  mailWaiting: () => Promise<number>
  hashing: () => { running: number; waiting: number }
  /** Whether the last change of the rules file took effect. */
  rulesLoaded: () => boolean
  /** Undefined without `GATEHOUSE_OUTAGE_GRACE`. */
  outageGrace?: { isDown: () => boolean; passed: () => number; waiting: () => number } | undefined
  /** Undefined without `GATEHOUSE_OPEN_DOOR_ALARM`. */
  openDoorAlarm?: DoorFigures | undefined
}) => {
  const { outageGrace } = ask
  const registry = new Registry()
  const registers = [registry]
  // Without a prefix: dashboards of Node processes and of Prometheus's other clients expect `nodejs_` and `process_`.
  collectDefaultMetrics({ register: registry })
  // Remove gauges whose names end in `_total`: Prometheus reserves that suffix for counters, and the series without it have the same sum.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)

  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1, with the version of the server as a label',
    labelNames: ['version'],
    registers,
  }).set({ version: ask.version }, 1)
  const signIns = new Counter({
    name: 'gatehouse_sign_ins_total',
    help: 'Answers of the sign-in calls, by call and outcome tag',
    labelNames: ['call', 'outcome'],
    registers,
  })
  const challenges = new Counter({
    name: 'gatehouse_challenges_total',
    help: 'Answers to second-factor challenges, by status and reason',
    labelNames: ['status', 'reason'],
    registers,
  })
  const skips = new Counter({ name: 'gatehouse_factor_skips_total', help: 'Skipped second-factor set-ups', registers })
  const pushNotifications = new Counter({
    name: 'gatehouse_push_notifications_total',
    help: 'Push notification attempts, by channel and result',
    labelNames: ['channel', 'result'],
    registers,
  })
  // Series that alerts read exist from the start: an alert does not see a series that begins with 1.
  for (const channel of ['web-push', 'ntfy', 'gotify'])
    for (const result of ['accepted', 'gone', 'failed']) pushNotifications.inc({ channel, result }, 0)
  challenges.inc({ status: 'Pending', reason: 'InvalidCode' }, 0)
  const lockouts = new Counter({ name: 'gatehouse_lockouts_total', help: 'Wrong passwords that caused a lockout', registers })
  const mailsSent = new Counter({ name: 'gatehouse_mails_sent_total', help: 'Mails that the mail server accepted', registers })
  const mailFailures = new Counter({
    name: 'gatehouse_mail_failures_total',
    help: 'Attempts to send a mail that failed; the mail stays in the outbox',
    registers,
  })
  const mailsRefused = new Counter({
    name: 'gatehouse_mails_refused_total',
    help: 'Mails whose recipient the mail server permanently rejected',
    registers,
  })
  const mailsWaiting = new Gauge({ name: 'gatehouse_mails_waiting', help: 'Mails waiting in the outbox', registers })
  const databaseUp = new Gauge({ name: 'gatehouse_database_up', help: '1 if the database answered this scrape, otherwise 0', registers })
  new Gauge({
    name: 'gatehouse_password_hashes',
    help: 'Callers that have a turn to hash a password (running), and callers that wait for one (waiting)',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = ask.hashing()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'gatehouse_rules_last_reload_successful',
    help: '1 if the last change of the rules file took effect, 0 if the previous rules stayed in effect',
    registers,
    collect() {
      this.set(ask.rulesLoaded() ? 1 : 0)
    },
  })
  new Counter({
    name: 'gatehouse_outage_checks_total',
    help: 'Checks that passed while the database was unreachable',
    registers,
    collect() {
      this.reset()
      this.inc(outageGrace?.passed() ?? 0)
    },
  })
  new Gauge({
    name: 'gatehouse_sign_outs_waiting',
    help: 'Sign-outs that the database does not have yet',
    registers,
    collect() {
      this.set(outageGrace?.waiting() ?? 0)
    },
  })
  const requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  // Cache the resolved labels: resolving costs more than counting. The cache cannot outgrow the registry, which holds the same series.
  const series = new Map<string, ReturnType<typeof requests.labels>>()
  const seriesOf = (method: string, route: string, status: number) => {
    const name = `${method} ${status} ${route}`
    const found = series.get(name) ?? requests.labels(method, route, String(status))
    series.set(name, found)
    return found
  }

  const readDoors = ask.openDoorAlarm && addDoors(registry, ask.openDoorAlarm)
  /** During an outage of the database, the other metrics must stay readable: they report the outage. */
  const askDatabase = async () => {
    const waiting = outageGrace?.isDown() ? undefined : await ask.mailWaiting().catch(() => undefined)
    databaseUp.set(waiting === undefined ? 0 : 1)
    if (waiting === undefined) mailsWaiting.remove()
    else mailsWaiting.set(waiting)
    await readDoors?.(waiting === undefined)
  }

  return {
    signIn: (call: string, outcome: AuthOutcome['tag'] | PushOutcome['tag']) => signIns.inc({ call, outcome }),
    challenge: (status: ChallengeStatus, reason: ChallengeRespondedReason['tag']) => challenges.inc({ status, reason }),
    skipped: () => skips.inc(),
    locked: () => lockouts.inc(),
    mailSent: () => mailsSent.inc(),
    mailFailed: () => mailFailures.inc(),
    mailRefused: () => mailsRefused.inc(),
    notified: (channel: 'web-push' | 'ntfy' | 'gotify', result: 'accepted' | 'gone' | 'failed') =>
      pushNotifications.inc({ channel, result }),
    /** @param duration in milliseconds */
    request: (method: string, route: string, status: number, duration: number) => seriesOf(method, route, status).observe(duration / 1000),
    contentType: registry.contentType,
    /** All metrics in the text format of Prometheus. */
    render: async () => {
      await askDatabase()
      return registry.metrics()
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

/** What the open-door alarm has found, from the database. */
type DoorFigures = { list: () => Promise<{ origin: string; state: DoorState }[]>; lastRound: () => Promise<number | undefined> }

/** @returns a function that reads the figures. They are absent while the database does not answer */
const addDoors = (registry: Registry, { list, lastRound }: DoorFigures) => {
  const doors = new Gauge({
    name: 'gatehouse_open_door',
    help: 'What the open-door alarm found at each origin: 1 for the state that counts, 0 for the others',
    labelNames: ['origin', 'state'],
    registers: [registry],
  })
  const round = new Gauge({
    name: 'gatehouse_open_door_last_round_timestamp_seconds',
    help: 'When the open-door alarm last requested the origins',
    registers: [registry],
  })
  return async (isDown: boolean) => {
    doors.reset()
    round.remove()
    const read = isDown ? undefined : await Promise.all([list(), lastRound()]).catch(() => undefined)
    if (!read) return
    const [found, at] = read
    for (const { origin, state } of found) for (const one of doorStates) doors.set({ origin, state: doorLabel(one) }, one === state ? 1 : 0)
    round.set((at ?? 0) / 1000)
  }
}

/** `check-skipped` for `CheckSkipped`. */
const doorLabel = (state: DoorState) => state.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()

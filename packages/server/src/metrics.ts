import type { AuthOutcome, ChallengeRespondedReason, ChallengeStatus, PushOutcome } from '@gatehouse/wire'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics for Prometheus. Labels come from closed lists and never contain a name, an address or a token. */
export const createMetrics = (ask: {
  mailWaiting: () => Promise<number>
  hashing: () => { running: number; waiting: number }
  /** Undefined without `GATEHOUSE_OUTAGE_GRACE`. */
  outageGrace?: { isDown: () => boolean; passed: () => number; waiting: () => number } | undefined
}) => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' })
  // Prometheus reserves the suffix `_total` for counters. Each of these gauges is the sum of the series without the suffix.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`gatehouse_nodejs_active_${kind}_total`)

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
  const wakes = new Counter({
    name: 'gatehouse_wakes_total',
    help: 'Push notification attempts, by channel and result',
    labelNames: ['way', 'result'],
    registers,
  })
  const locks = new Counter({ name: 'gatehouse_locks_total', help: 'Wrong passwords that caused a lock', registers })
  const mailsRefused = new Counter({
    name: 'gatehouse_mails_refused_total',
    help: 'Mails whose recipient the mail server permanently rejected',
    registers,
  })
  new Gauge({
    name: 'gatehouse_mails_waiting',
    help: 'Mails waiting in the outbox',
    registers,
    async collect() {
      // During an outage with grace, the other metrics must remain readable: they say that there is one.
      this.set(ask.outageGrace?.isDown() ? Number.NaN : await ask.mailWaiting())
    },
  })
  new Gauge({
    name: 'gatehouse_hash_queue',
    help: 'Argon2id hashes running and callers waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = ask.hashing()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  const { outageGrace } = ask
  if (outageGrace) {
    new Gauge({
      name: 'gatehouse_database_outage',
      help: '1 while the database is unreachable and checks of recently used sessions may pass',
      registers,
      collect() {
        this.set(outageGrace.isDown() ? 1 : 0)
      },
    })
    new Counter({
      name: 'gatehouse_outage_checks_total',
      help: 'Checks that passed while the database was unreachable',
      registers,
      collect() {
        this.reset()
        this.inc(outageGrace.passed())
      },
    })
    new Gauge({
      name: 'gatehouse_sign_outs_waiting',
      help: 'Sign-outs that the database does not have yet',
      registers,
      collect() {
        this.set(outageGrace.waiting())
      },
    })
  }
  const requests = new Histogram({
    name: 'gatehouse_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })

  return {
    signIn: (call: string, outcome: AuthOutcome['tag'] | PushOutcome['tag']) => signIns.inc({ call, outcome }),
    challenge: (status: ChallengeStatus, reason: ChallengeRespondedReason['tag']) => challenges.inc({ status, reason }),
    skipped: () => skips.inc(),
    locked: () => locks.inc(),
    mailRefused: () => mailsRefused.inc(),
    woken: (way: 'web-push' | 'ntfy' | 'gotify', result: 'taken' | 'gone' | 'failed') => wakes.inc({ way, result }),
    /** @param duration in milliseconds */
    request: (method: string, route: string, status: number, duration: number) =>
      requests.observe({ method, route, status: String(status) }, duration / 1000),
    contentType: registry.contentType,
    /**
     * All metrics in the text format of Prometheus.
     * @throws the database's error
     */
    render: () => registry.metrics(),
  }
}
export type Metrics = ReturnType<typeof createMetrics>

import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import * as audit from './audit/audit.store.ts'
import { countStretch } from './audit/audit-counts.store.ts'
import { createClockSteps } from './clock-steps.ts'
import type { Tables } from './db/schema.ts'
import * as challenges from './factors/challenges.store.ts'
import * as factors from './factors/factors.store.ts'
import * as usedChallenges from './factors/passkey/used-challenges.store.ts'
import type { PushPause } from './factors/push/pause.ts'
import * as pushFactors from './factors/push/push-devices.store.ts'
import * as pushNonces from './factors/push/push-nonces.store.ts'
import * as signingKeys from './forward-auth/assertions/signing-keys.store.ts'
import type { OpenDoorAlarm } from './forward-auth/open-door/open-door-alarm.ts'
import * as returnAddresses from './forward-auth/return-addresses.store.ts'
import type { RulesSource } from './forward-auth/rules-file/rules-source.ts'
import type { Keyring } from './keys/keyring.ts'
import { limits, seconds } from './limits.ts'
import type { Mail } from './mail/mail.ts'
import * as outbox from './mail/outbox.store.ts'
import * as mailLinks from './mail-links/mail-links.store.ts'
import * as passes from './passes/passes.store.ts'
import * as pushWaits from './sessions/approval-waits.store.ts'
import * as handOvers from './sessions/hand-overs.store.ts'
import * as sessions from './sessions/sessions.store.ts'
import * as tickets from './sessions/tickets.store.ts'
import * as lockout from './sign-in/lockout.store.ts'
import { listLockedSince, lockEnd } from './sign-in/locks.ts'
import * as journeys from './sso/sso-journeys.store.ts'
import * as accounts from './users/users.store.ts'

/** Periodic jobs, such as lockout notices, statistics and the purge of expired rows. */
export const createBackgroundJobs = (deps: {
  db: Kysely<Tables>
  mail: Mail
  pause: PushPause
  keyring: Keyring
  rules: RulesSource
  /** Undefined without `GATEHOUSE_OPEN_DOOR_ALARM`. */
  openDoorAlarm: OpenDoorAlarm | undefined
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, mail, pause, keyring, rules, now, log } = deps

  /**
   * Notifies users of lockouts. The request that causes a lockout sends no mail, because its response time must be the same for known and
   * unknown accounts.
   */
  const notifyOfLocks = async (): Promise<void> => {
    for (const lock of await listLockedSince(db, now() - limits.lockout.longestWait)) {
      await db.transaction().execute(async tx => {
        const from = await audit.lastOrigin(tx, ['wrong-password', 'locked'], lock.userId)
        const until = lockEnd(lock)
        // A user who got a notice of a lockout today still gets one when the password is disabled.
        await mail.notifyDaily(tx, lock, { kind: 'locked', until }, from, until === null ? 'disabled' : 'locked')
      })
    }
  }

  /** Notifies the owners of passes that end soon, once for each pass. For a service's pass, notifies the administrators. */
  const notifyOfPasses = async (): Promise<void> => {
    await db.transaction().execute(async tx => {
      const nowhere = { address: '', userAgent: '' }
      for (const { owner, name, expires } of await passes.takeEnding(tx, now())) {
        if (owner.is === 'Service') {
          await mail.notifyAdministrators(tx, { kind: 'service-pass-ends', who: owner.service, name, ends: expires }, nowhere)
        } else {
          const account = await accounts.findById(tx, owner.userId)
          if (account) await mail.notify(tx, account, { kind: 'pass-ends', name, ends: expires }, nowhere)
        }
      }
    })
  }

  const purge = async (): Promise<void> => {
    for (const store of [
      accounts,
      handOvers,
      sessions,
      tickets,
      mailLinks,
      outbox,
      challenges,
      factors,
      pushFactors,
      pushNonces,
      usedChallenges,
      pushWaits,
      lockout,
      journeys,
      returnAddresses,
      signingKeys,
      passes,
    ])
      await store.purge(db, now())
  }

  /** Counts the steps of sign-ins for the administration page, one stretch of time at a time, so that other work can run in between. */
  const countSteps = async (): Promise<void> => {
    while (await db.transaction().execute(tx => countStretch(tx, now()))) await setImmediate()
  }

  const clockSteps = createClockSteps({ db, now, log })
  const { rebase } = clockSteps

  const timers: NodeJS.Timeout[] = []
  const every = (ms: number, name: string, work: () => Promise<void>) => {
    const run = () => work().catch((err: unknown) => log.warn({ err }, `${name} failed; retrying`))
    timers.push(setInterval(run, ms).unref())
  }

  return {
    clockSteps,
    notifyOfLocks,
    notifyOfPasses,
    pauseUnansweredApprovals: pause.sweep,
    purge,
    countSteps,
    start: () => {
      // The clock may have been set back while no server ran.
      rebase().catch((err: unknown) => log.warn({ err }, 'adjusting locks and mail to the new clock failed; retrying'))
      every(limits.clockSkew.look, 'checking for clock changes', clockSteps.look)
      every(limits.clockSkew.rebase, 'adjusting locks and mail to the new clock', rebase)
      every(seconds(15), 'sending lockout notices', notifyOfLocks)
      every(seconds(15), 'pausing unanswered phone approvals', pause.sweep)
      every(limits.board.every, 'counting sign-ins', countSteps)
      every(limits.purge.every, 'purging old rows', purge)
      every(limits.purge.every, 'sending notices about passes that expire soon', notifyOfPasses)
      const { openDoorAlarm } = deps
      if (openDoorAlarm) every(limits.openDoor.look, 'requesting the protected origins', openDoorAlarm.look)
      every(limits.rules.look, 'reading the rules', rules.look)
      // A key rotation waits until every server has reloaded its keys.
      every(limits.masterKey.reload, 'reading the master keys', async () => keyring.reload())
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
export type BackgroundJobs = ReturnType<typeof createBackgroundJobs>

import type { Kysely } from 'kysely'
import type { ChangeEvents } from '../../change-events.ts'
import type { Tables } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import { createDeliveries } from '../../mail/deliveries.ts'
import type { Metrics } from '../../metrics.ts'
import type { WakeWays, Woken } from './channels.ts'
import * as pushKeys from './push-keys.store.ts'
import * as pushWakes from './push-wakes.store.ts'

/**
 * Wakes the devices that are asked something, after it was committed and away from whoever asked. A challenge does not depend on
 * it: who opens the approver sees what is pending.
 */
export const createWaker = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  ways: WakeWays
  changes: ChangeEvents
  metrics: Metrics
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, keyring, ways, changes, metrics, now, log } = deps

  type Way = 'web-push' | 'ntfy' | 'gotify'
  const tried = async (way: Way, signal: AbortSignal, send: () => Promise<Woken>): Promise<Woken> => {
    try {
      const came = await send()
      metrics.woken(way, came)
      return came
    } catch (error) {
      if (signal.aborted) throw error
      // The address of a device's push service is nobody's business, so only the kind of trouble is logged.
      log.warn({ way, reason: error instanceof Error ? error.name : 'unknown' }, 'push notification failed; retrying')
      metrics.woken(way, 'failed')
      return 'failed'
    }
  }

  const wake = async (device: pushWakes.Wake, signal: AbortSignal): Promise<void> => {
    const { factorUUID, subscription, topic } = device
    tellGotify(device, signal)
    const keys = subscription ? await pushKeys.readPushKeys(db, keyring) : undefined
    const { publicKey, privateKey } = keys ?? {}
    const came = await Promise.all([
      ...(subscription && publicKey !== undefined && privateKey !== undefined
        ? [tried('web-push', signal, () => ways.byWebPush(subscription, { publicKey, privateKey }, signal))]
        : []),
      ...(ways.servers.ntfy === undefined ? [] : [tried('ntfy', signal, () => ways.byNtfy(topic, signal))]),
    ])
    if (subscription && came[0] === 'gone') await pushWakes.unsubscribe(db, factorUUID)
    if (came.includes('failed') && !came.includes('taken')) await pushWakes.postpone(db, device, now())
    else await pushWakes.remove(db, device)
  }

  /** Challenges that Gotify was told of, and messages to it under way: no device waits for Gotify. */
  const told = new Set<string>()
  const telling = new Set<Promise<unknown>>()

  /** Tells Gotify once for each challenge: every user of the application gets its messages. */
  const tellGotify = ({ attempts, challengeUUID }: pushWakes.Wake, signal: AbortSignal) => {
    const { gotify } = ways.servers
    if (!gotify || attempts > 1 || told.has(challengeUUID)) return
    told.add(challengeUUID)
    setTimeout(() => told.delete(challengeUUID), limits.push.lifetime).unref()
    const message = tried('gotify', signal, () => ways.byGotify(gotify, signal))
      .catch(() => {})
      .finally(() => telling.delete(message))
    telling.add(message)
  }

  const deliveries = createDeliveries<pushWakes.Wake>({
    limits: limits.wake,
    claim: most => pushWakes.claim(db, now(), most),
    hold: wakes => pushWakes.hold(db, wakes),
    renew: device => pushWakes.renew(db, device, now()),
    release: wakes => pushWakes.release(db, wakes, now()),
    destinationOf: ({ factorUUID, subscription }) =>
      subscription && { destination: new URL(subscription.endpoint).host, recipient: factorUUID },
    deliver: wake,
    failed: error => log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'reading pending push notifications failed'),
  })

  const unsubscribe = { end: () => {} }

  return {
    /** Wakes every device that is due. */
    round: async () => {
      await deliveries.round()
      await Promise.all(telling)
    },
    start: () => {
      unsubscribe.end = changes.subscribe(deliveries.look)
      deliveries.start()
    },
    /** Aborts what is under way; another server, or the next start, wakes those devices. */
    stop: async () => {
      unsubscribe.end()
      await deliveries.stop()
    },
  }
}
export type Waker = ReturnType<typeof createWaker>

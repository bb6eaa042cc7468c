import type { Kysely } from 'kysely'
import type { ChangeEvents } from '../../change-events.ts'
import type { Tables } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import { createDeliveries } from '../../mail/deliveries.ts'
import type { Metrics } from '../../metrics.ts'
import type { PushChannels, PushResult } from './channels.ts'
import * as pushKeys from './push-keys.store.ts'
import * as pushWakes from './push-wakes.store.ts'

/**
 * Notifies phones of a challenge in the background, after the challenge is committed. If a notification fails, the approver page still
 * shows the pending challenge.
 */
export const createPushNotifier = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  channels: PushChannels
  changes: ChangeEvents
  metrics: Metrics
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, keyring, channels, changes, metrics, now, log } = deps

  type Channel = 'web-push' | 'ntfy' | 'gotify'
  const attempt = async (channel: Channel, signal: AbortSignal, send: () => Promise<PushResult>): Promise<PushResult> => {
    try {
      const result = await send()
      metrics.notified(channel, result === 'taken' ? 'accepted' : result)
      return result
    } catch (error) {
      if (signal.aborted) throw error
      // The address of the push service identifies the user's device, so log only the kind of error.
      log.warn({ channel, reason: error instanceof Error ? error.name : 'unknown' }, 'push notification failed; retrying')
      metrics.notified(channel, 'failed')
      return 'failed'
    }
  }

  const wake = async (device: pushWakes.Wake, signal: AbortSignal): Promise<void> => {
    const { factorUUID, subscription, topic, reader } = device
    notifyGotify(device, signal)
    const keys = subscription ? await pushKeys.readPushKeys(db, keyring) : undefined
    const { publicKey, privateKey } = keys ?? {}
    const results = await Promise.all([
      ...(subscription && publicKey !== undefined && privateKey !== undefined
        ? [attempt('web-push', signal, () => channels.byWebPush(subscription, { publicKey, privateKey }, signal))]
        : []),
      ...(channels.servers.ntfy === undefined ? [] : [attempt('ntfy', signal, () => channels.byNtfy(topic, reader, signal))]),
    ])
    if (subscription && results[0] === 'gone') await pushWakes.unsubscribe(db, factorUUID)
    if (results.includes('failed') && !results.includes('taken')) await pushWakes.postpone(db, device, now())
    else await pushWakes.remove(db, device)
  }

  /** Challenges that Gotify was notified of, and messages to Gotify in progress. Messages to phones do not wait for these. */
  const notifiedGotify = new Set<string>()
  const pendingGotify = new Set<Promise<unknown>>()

  /** Notifies Gotify once for each challenge, and not for each phone: every client of the Gotify account gets each message. */
  const notifyGotify = ({ attempts, challengeUUID, reader }: pushWakes.Wake, signal: AbortSignal) => {
    const { gotify } = channels.servers
    if (!gotify || attempts > 1 || notifiedGotify.has(challengeUUID)) return
    notifiedGotify.add(challengeUUID)
    setTimeout(() => notifiedGotify.delete(challengeUUID), limits.push.lifetime).unref()
    const message = attempt('gotify', signal, () => channels.byGotify(gotify, reader, signal))
      .catch(() => {})
      .finally(() => pendingGotify.delete(message))
    pendingGotify.add(message)
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
    /** Sends every notification that is due. */
    round: async () => {
      await deliveries.round()
      await Promise.all(pendingGotify)
    },
    start: () => {
      unsubscribe.end = changes.subscribe(deliveries.look)
      deliveries.start()
    },
    /** Aborts deliveries. Another server, or the next start, notifies those phones. */
    stop: async () => {
      unsubscribe.end()
      await deliveries.stop()
    },
  }
}
export type PushNotifier = ReturnType<typeof createPushNotifier>

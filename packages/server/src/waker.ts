import type { Kysely } from 'kysely'
import type { Tables } from './db/schema.ts'
import type { Keyring } from './keyring.ts'
import { limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import type { News } from './news.ts'
import * as pushKeys from './push-keys.ts'
import * as pushWakes from './push-wakes.ts'
import type { WakeWays, Woken } from './wake-ways.ts'

/**
 * Wakes the devices that are asked something, after it was committed and away from whoever asked. A challenge does not depend on
 * it: who opens the approver sees what is pending.
 */
export const createWaker = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  ways: WakeWays
  news: News
  metrics: Metrics
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, keyring, ways, news, metrics, now, log } = deps

  const tried = async (way: 'web-push' | 'ntfy' | 'gotify', send: () => Promise<Woken>): Promise<Woken> => {
    try {
      const came = await send()
      metrics.woken(way, came)
      return came
    } catch (error) {
      // The address of a device's push service is nobody's business, so only the kind of trouble is logged.
      log.warn({ way, reason: error instanceof Error ? error.name : 'unknown' }, 'a device could not be woken; it is tried again')
      metrics.woken(way, 'failed')
      return 'failed'
    }
  }

  const wake = async (device: pushWakes.Wake): Promise<void> => {
    const { factorUUID, subscription, topic } = device
    const keys = subscription ? await pushKeys.readPushKeys(db, keyring) : undefined
    const { publicKey, privateKey } = keys ?? {}
    const came = await Promise.all([
      ...(subscription && publicKey !== undefined && privateKey !== undefined
        ? [tried('web-push', () => ways.byWebPush(subscription, { publicKey, privateKey }))]
        : []),
      ...(ways.servers.ntfy === undefined ? [] : [tried('ntfy', () => ways.byNtfy(topic))]),
    ])
    if (subscription && came[0] === 'gone') await pushWakes.unsubscribe(db, factorUUID)
    if (came.includes('failed') && !came.includes('taken')) await pushWakes.postpone(db, device, now())
    else await pushWakes.remove(db, device)
  }

  /** Everything that is due. Gotify is told once for each challenge: its messages are for all who have the application. */
  const round = async (): Promise<void> => {
    for (;;) {
      const due = await pushWakes.claim(db, now())
      if (due.length === 0) return
      const { gotify } = ways.servers
      const asked = new Set(due.filter(device => device.attempts === 1).map(device => device.challengeUUID))
      await Promise.all([...due.map(wake), ...(gotify ? [...asked].map(() => tried('gotify', () => ways.byGotify(gotify))) : [])])
    }
  }

  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let walking: Promise<void> | undefined
  let again = false

  /** One walk at a time; what comes during one is looked for by another after it. */
  const walk = () => {
    if (stopped) return
    if (walking) {
      again = true
      return
    }
    clearTimeout(timer)
    walking = round()
      .catch(error => log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'devices to be woken could not be looked at'))
      .finally(() => {
        walking = undefined
        if (again) {
          again = false
          walk()
        } else if (!stopped) timer = setTimeout(walk, limits.wake.every).unref()
      })
  }

  const stopListening = { end: () => {} }

  return {
    round,
    start: () => {
      stopListening.end = news.listen(walk)
      walk()
    },
    /** Resolves when nothing is under way any more. */
    stop: async () => {
      stopped = true
      stopListening.end()
      clearTimeout(timer)
      await walking
    },
  }
}
export type Waker = ReturnType<typeof createWaker>

import { createDeliverySlots, type Destination, type SlotLimits } from './delivery-slots.ts'

/** The most rows that this server holds until their destination has a free slot. Other rows become due again when their lease ends. */
const mostHeld = 1000
/**
 * The most rows in one claim. While every claimed row has to wait for its destination, each claim is larger than the last, up to this
 * number.
 */
const mostClaimed = 200

/**
 * Delivers the rows of a queue, each in its own slot: a slow delivery delays neither other recipients nor other destinations. A claim
 * leases its rows, so that another server takes them if this one dies.
 */
export const createDeliveries = <Row>(deps: {
  limits: SlotLimits & { every: number }
  /** Leases at most `most` due rows and counts an attempt for each. `taken` also counts rows that cannot be delivered. */
  claim: (most: number) => Promise<{ taken: number; rows: Row[] }>
  /** Takes back the attempt that `claim` counted, and keeps the lease. */
  hold: (rows: readonly Row[]) => Promise<void>
  /** Leases a held row again and counts an attempt. @returns undefined if this server may no longer deliver the row */
  renew: (row: Row) => Promise<Row | undefined>
  /** Ends leases: the rows are due at once. */
  release: (rows: readonly Row[]) => Promise<void>
  /** The server or domain whose own limit the delivery counts against. Undefined if only the overall limit applies. */
  destinationOf: (row: Row) => Destination | undefined
  /** @throws when the signal aborts the delivery. `deliver` records other failures itself */
  deliver: (row: Row, signal: AbortSignal) => Promise<void>
  /** Runs before each look at the queue. */
  prepare?: () => Promise<void>
  /** Called when the queue or the result of a delivery cannot be read or written. */
  failed: (error: unknown) => void
}) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<Promise<void>>()
  const held = new Set<Row>()
  const cut: Row[] = []

  let changes = 0
  const waiting = new Set<() => void>()
  const changed = () => {
    changes++
    for (const resume of waiting) resume()
    waiting.clear()
  }
  /** Resolves at the next change after `since`, or when the time is up. */
  const change = async (since: number, within?: number) => {
    if (changes !== since) return
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const timer = within === undefined ? undefined : setTimeout(resolve, within).unref()
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
  }
  const slots = createDeliverySlots(deps.limits, changed)

  /** Runs a delivery in a slot. */
  const run = (row: Row, free: () => void) => {
    const delivery = deps
      .deliver(row, signal)
      .catch(error => (signal.aborted ? void cut.push(row) : deps.failed(error)))
      .finally(() => {
        running.delete(delivery)
        free()
      })
    running.add(delivery)
  }

  const resumeHeld = async () => {
    for (const row of held) {
      if (signal.aborted || slots.room() === 0) return
      const free = slots.take(deps.destinationOf(row))
      if (!free) continue
      held.delete(row)
      const renewed = await deps.renew(row).catch(error => {
        free()
        throw error
      })
      if (renewed) run(renewed, free)
      else free()
    }
  }

  const fillSlots = async () => {
    await deps.prepare?.()
    await resumeHeld()
    let most = slots.room()
    while (!signal.aborted && slots.room() > 0) {
      const { taken, rows } = await deps.claim(most)
      if (taken === 0) return
      const blocked = rows.filter(row => {
        const free = slots.take(deps.destinationOf(row))
        if (free) run(row, free)
        return !free
      })
      for (const row of blocked.slice(0, mostHeld - held.size)) held.add(row)
      if (blocked.length > 0) await deps.hold(blocked)
      most = blocked.length === taken ? Math.min(most * 2, mostClaimed) : slots.room()
    }
  }

  let filling: Promise<void> | undefined
  const fill = () => {
    filling ??= fillSlots().finally(() => {
      filling = undefined
    })
    return filling
  }

  /** Delivers until no row is due and no delivery runs. */
  const round = async (): Promise<void> => {
    // A claim that has already started may have missed the newest row.
    await filling?.catch(() => {})
    while (!signal.aborted) {
      const since = changes
      await fill()
      // A delivery that has just ended may have freed the slot for a held row.
      if (running.size === 0 && changes === since) return
      await change(since)
    }
  }

  const watch = async () => {
    while (!signal.aborted) {
      const since = changes
      await fill().catch(deps.failed)
      await change(since, deps.limits.every)
    }
  }

  return {
    round,
    start: () => void watch(),
    /** Looks at the queue now. */
    look: changed,
    /** Aborts every delivery and ends its lease, so that the next server continues at once. */
    stop: async () => {
      stopping.abort()
      changed()
      await filling?.catch(() => {})
      await Promise.all(running)
      if (cut.length > 0) await deps.hold(cut)
      if (cut.length + held.size > 0) await deps.release([...cut, ...held])
    },
  }
}

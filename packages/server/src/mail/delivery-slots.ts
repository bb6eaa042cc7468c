/** How many deliveries may run at once: `quick` counts those that have run for less than `slowAfter`, `all` counts every one. */
export type SlotLimits = {
  slots: { quick: number; all: number }
  /** The most for one destination, so a slow destination leaves slots to the others. */
  destinationSlots: { quick: number; all: number }
  /** Milliseconds. */
  slowAfter: number
}

/** The recipient of a delivery, and the server or domain that decides how long the delivery takes. */
export type Destination = { destination: string; recipient: string }

type Slot = { to: Destination | undefined; slow: boolean }

/**
 * Decides which deliveries may start. A slow delivery keeps its own slot and stops counting as quick, so the next one can start.
 * One recipient has one slot at a time.
 * @param changed is called when a slot becomes free or its delivery becomes slow
 */
export const createDeliverySlots = ({ slots, destinationSlots, slowAfter }: SlotLimits, changed: () => void) => {
  const taken = new Set<Slot>()

  const roomIn = (group: readonly Slot[], most: { quick: number; all: number }) =>
    Math.max(0, Math.min(most.quick - group.filter(slot => !slot.slow).length, most.all - group.length))

  /** How many deliveries to different destinations could start now. */
  const room = () => roomIn([...taken], slots)

  /** @returns a function that frees the slot. Undefined if no slot is free, or if the recipient has one already */
  const take = (to: Destination | undefined): (() => void) | undefined => {
    const same = to === undefined ? [] : [...taken].filter(slot => slot.to?.destination === to.destination)
    if (room() === 0 || roomIn(same, destinationSlots) === 0) return undefined
    if (same.some(slot => slot.to?.recipient === to?.recipient)) return undefined
    const slot: Slot = { to, slow: false }
    taken.add(slot)
    const timer = setTimeout(() => {
      slot.slow = true
      changed()
    }, slowAfter)
    return () => {
      clearTimeout(timer)
      taken.delete(slot)
      changed()
    }
  }

  return { room, take }
}

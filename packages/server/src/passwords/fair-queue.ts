/** A waiting request. A flow is a network or, for known browsers, an account; its requests share the flow's turns. */
export type Waiting = { flow: string; known: boolean }

type Limits = {
  /** The most waiting requests, separately for known browsers and for strangers. */
  places: number
  /**
   * While known browsers and strangers wait, one in this many served requests comes from a known
   * browser.
   */
  knownEvery: number
  /** How long past requests count against a flow, and how many flows are remembered for each half of that time. */
  memory: { within: number; flows: number }
}

/**
 * Serves the flow that had the fewest requests served recently ("least attained service"), and within a flow the oldest request. When the
 * queue is full, it drops the newest request of the flow with the most served and waiting requests, so a flood drops its own requests.
 */
export const createFairQueue = <T extends Waiting>({ places, knownEvery, memory }: Limits, now: () => number) => {
  /** Served requests by flow, for the newer and the older half of the remembered time. Forgetting the older half keeps the newer one. */
  let recent = new Map<string, number>()
  let earlier = new Map<string, number>()
  let since = now()
  const rotateHalves = () => {
    const passed = now() - since
    if (passed < memory.within / 2 && recent.size < memory.flows) return
    earlier = passed < memory.within ? recent : new Map()
    recent = new Map()
    since = now()
  }
  const keyOf = ({ flow, known }: Waiting) => `${known ? 'account' : 'network'} ${flow}`
  const servedOf = (key: string) => (recent.get(key) ?? 0) + (earlier.get(key) ?? 0)

  /** Waiting requests by flow, in the order in which the flows began to wait. */
  const createLane = () => {
    const flows = new Map<string, T[]>()
    let size = 0
    const remove = (one: T): boolean => {
      const key = keyOf(one)
      const flow = flows.get(key) ?? []
      const at = flow.indexOf(one)
      if (at < 0) return false
      size--
      flow.splice(at, 1)
      if (flow.length === 0) flows.delete(key)
      return true
    }
    /** The flow with the fewest served requests. Among equals, the flow that has waited longest. */
    const leastServed = (): T[] => {
      let [found, least]: [T[], number] = [[], Infinity]
      for (const [key, flow] of flows) {
        const served = servedOf(key)
        if (served < least) [found, least] = [flow, served]
      }
      return found
    }
    /**
     * The flow with the most served and waiting requests. Among equals, the flow that came last.
     */
    const greediest = (): T[] => {
      let [found, most]: [T[], number] = [[], 0]
      for (const [key, flow] of flows) {
        const wanted = servedOf(key) + flow.length
        if (wanted >= most) [found, most] = [flow, wanted]
      }
      return found
    }
    return {
      size: () => size,
      add: (one: T) => {
        const key = keyOf(one)
        const flow = flows.get(key)
        if (flow) flow.push(one)
        else flows.set(key, [one])
        size++
      },
      remove,
      /** The first request of the flow that was served least. */
      first: () => leastServed()[0],
      /** The newest request of the greediest flow. */
      last: () => greediest().at(-1),
    }
  }
  const lanes = { known: createLane(), strangers: createLane() }
  const laneOf = ({ known }: Waiting) => (known ? lanes.known : lanes.strangers)
  let strangersInARow = 0

  return {
    /** @returns the dropped request, which may be this one */
    add: (one: T): T | undefined => {
      rotateHalves()
      const lane = laneOf(one)
      lane.add(one)
      const dropped = lane.size() > places ? lane.last() : undefined
      if (dropped) lane.remove(dropped)
      return dropped
    },
    /** Removes a request that gave up waiting. */
    remove: (one: T): void => {
      laneOf(one).remove(one)
    },
    /** Removes and returns the request to serve next. */
    next: (): T | undefined => {
      rotateHalves()
      const knownFirst = strangersInARow >= knownEvery - 1
      const one = knownFirst ? (lanes.known.first() ?? lanes.strangers.first()) : (lanes.strangers.first() ?? lanes.known.first())
      if (!one) return undefined
      laneOf(one).remove(one)
      strangersInARow = one.known ? 0 : strangersInARow + 1
      return one
    },
    /** Counts a served request against its flow. */
    served: (one: Waiting): void => {
      rotateHalves()
      const key = keyOf(one)
      recent.set(key, (recent.get(key) ?? 0) + 1)
    },
    size: () => lanes.known.size() + lanes.strangers.size(),
  }
}

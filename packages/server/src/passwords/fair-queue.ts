/** A request that waits. Requests of one flow share what the queue gives: a flow is a network or, of known browsers, an account. */
export type Waiting = { flow: string; known: boolean }

type Limits = {
  /** Most requests that wait, of known browsers and of strangers each. */
  places: number
  /** While both wait, each so many-th request that is served is one of a known browser. */
  knownEvery: number
  /** How long a flow's past requests count against it, and how many flows are remembered for each half of that time. */
  memory: { within: number; flows: number }
}

/**
 * Serves first the flow that was served least in the last while ("least attained service"), and of one flow the first to come. When there is
 * no place left, the newest request of the flow that has been served and waits most is dropped, so a flood drops its own requests.
 */
export const createFairQueue = <T extends Waiting>({ places, knownEvery, memory }: Limits, now: () => number) => {
  /** Requests served, by flow, in two halves of the time: dropping the older half never forgets all flows at once. */
  let recent = new Map<string, number>()
  let earlier = new Map<string, number>()
  let since = now()
  const turnHalf = () => {
    const passed = now() - since
    if (passed < memory.within / 2 && recent.size < memory.flows) return
    earlier = passed < memory.within ? recent : new Map()
    recent = new Map()
    since = now()
  }
  const keyOf = ({ flow, known }: Waiting) => `${known ? 'account' : 'network'} ${flow}`
  const servedOf = (key: string) => (recent.get(key) ?? 0) + (earlier.get(key) ?? 0)

  /** By flow, in the order in which the flows began to wait. */
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
    /** Of equals the flow that has waited longest. */
    const leastServed = (): T[] => {
      let [found, least]: [T[], number] = [[], Infinity]
      for (const [key, flow] of flows) {
        const served = servedOf(key)
        if (served < least) [found, least] = [flow, served]
      }
      return found
    }
    /** Of equals the flow that came last. */
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
    /** @returns the request that has no place now, which may be this one */
    add: (one: T): T | undefined => {
      turnHalf()
      const lane = laneOf(one)
      lane.add(one)
      const dropped = lane.size() > places ? lane.last() : undefined
      if (dropped) lane.remove(dropped)
      return dropped
    },
    /** A request that waits no longer. */
    remove: (one: T): void => {
      laneOf(one).remove(one)
    },
    /** The request to serve now, which waits no longer. */
    next: (): T | undefined => {
      turnHalf()
      const knownFirst = strangersInARow >= knownEvery - 1
      const one = knownFirst ? (lanes.known.first() ?? lanes.strangers.first()) : (lanes.strangers.first() ?? lanes.known.first())
      if (!one) return undefined
      laneOf(one).remove(one)
      strangersInARow = one.known ? 0 : strangersInARow + 1
      return one
    },
    /** Counts a request that is served, whether it waited or not. */
    served: (one: Waiting): void => {
      turnHalf()
      const key = keyOf(one)
      recent.set(key, (recent.get(key) ?? 0) + 1)
    },
    size: () => lanes.known.size() + lanes.strangers.size(),
  }
}

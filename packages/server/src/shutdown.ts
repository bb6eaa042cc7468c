import { once } from 'node:events'
import type { Server } from 'node:http'
import net from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { limits } from './limits.ts'

/** The parts of the server that the shutdown ends. */
type Parts = {
  /** The main listener. */
  server: Server
  webSockets: ReadonlySet<{ close: (code: number, reason: string) => void; terminate: () => void }>
  /** Ends the other parts, all at the same time. Called once no new request can arrive. */
  end: () => (Promise<unknown> | undefined)[]
  /** Runs when no request runs and `end` has completed. */
  release: () => Promise<unknown>
}

/** RFC 6455 §7.4.1 */
const goingAway = 1001

/**
 * Stops the server in two steps. During the drain time it still answers every request, but tells each client to close the connection, and
 * `/readyz` returns 503, so a proxy with kept-alive connections loses no request. Then it closes the port and ends within
 * `limits.stop.deadline`, even if the mail server, push services, providers or the database hang.
 */
export const createShutdown = (log: { info: (of: object, message: string) => void }) => {
  let begun: number | undefined
  const hurry = new AbortController()

  const end = async ({ server, webSockets, end, release }: Parts) => {
    await rehearse()
    await quietMoment()
    const closed = closePort(server)
    server.closeIdleConnections()
    for (const socket of webSockets) socket.close(goingAway, 'the server stops')
    // A connection that was busy when the port closed becomes idle later and would stay open.
    setInterval(() => server.closeIdleConnections(), 20)
    const cut = () => {
      server.closeAllConnections()
      for (const socket of webSockets) socket.terminate()
    }
    void setTimeout(limits.stop.patience, undefined, { signal: hurry.signal }).then(cut, cut)
    await Promise.allSettled([closed, ...end()])
    await release()
  }

  return {
    isStopping: () => begun !== undefined,
    /**
     * @param why for the log
     * @param drain milliseconds
     * @param exit ends the process
     */
    stop: async (why: string, drain: number, parts: Parts, exit: () => void) => {
      if (begun !== undefined) {
        // npm start forwards a signal that the whole process group has already received.
        if (performance.now() - begun > limits.stop.repeated) hurry.abort()
        return
      }
      begun = performance.now()
      log.info({ why, drain }, 'stopping: requests are still answered until the drain time ends')
      await setTimeout(drain, undefined, { signal: hurry.signal }).catch(() => {})
      const inTime = setTimeout(limits.stop.deadline, undefined, { signal: hurry.signal }).catch(() => setTimeout(limits.stop.hurried))
      await Promise.race([end(parts).catch(() => {}), inTime])
      exit()
    },
  }
}

/**
 * Resolves after a turn of the event loop without events. When the port closes, the kernel resets connections that it has accepted and
 * this process has not; after such a turn there are none. The limit is CPU time and not elapsed time: on a busy machine the process may get
 * no core for a while, and connections that arrived meanwhile still wait to be accepted.
 */
const quietMoment = async () => {
  const before = process.cpuUsage()
  const used = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  let events = -1
  while (used() < limits.stop.quiet && events !== performance.nodeTiming.uvMetricsInfo.events) {
    events = performance.nodeTiming.uvMetricsInfo.events
    await setImmediate()
  }
}

/** Skips what `http.Server.close` does first: each microsecond counts, see `quietMoment`. */
const closePort = (server: net.Server) => new Promise(resolve => net.Server.prototype.close.call(server, resolve))

/**
 * Warms up the code by closing another port that has no clients. Node compiles a function when it first runs. That takes longer than
 * closing the port, and connections that arrive in that time are reset.
 */
const rehearse = async () => {
  const other = net.createServer().listen(0, '127.0.0.1')
  try {
    await once(other, 'listening')
  } catch {
    return
  }
  await quietMoment()
  await closePort(other)
}

import { createServer } from 'node:net'

/** Above 10080, the highest port that fetch and browsers block (WHATWG Fetch, bad ports). */
const lowest = 10_100
const lanes = 32
const portsOfLane = 684

const given = new Set<number>()

/**
 * A port that is free now. No other test takes it before the server listens: each worker of Vitest and Playwright gets ports from its own
 * range, each port only once, and all ranges are below the ports for outgoing connections (from 32768).
 */
export const freePort = async (): Promise<number> => {
  const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0)
  const port = lowest + (worker % lanes) * portsOfLane + Math.floor(Math.random() * portsOfLane)
  if (given.has(port) || !(await isFree(port))) return freePort()
  given.add(port)
  return port
}

const isFree = async (port: number) => {
  const server = createServer()
  const listens = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise(resolve => server.close(resolve))
  return listens
}

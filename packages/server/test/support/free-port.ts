import { createServer } from 'node:net'

/**
 * A port that is free now. It lies below the range for outgoing connections, so the thousands of connections of other tests cannot take
 * it before the server listens. It lies above 10080, the highest port that fetch and browsers block (WHATWG Fetch, bad ports).
 */
export const freePort = async (): Promise<number> => {
  const port = 10_100 + Math.floor(Math.random() * 21_900)
  const server = createServer()
  const isFree = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise(resolve => server.close(resolve))
  return port
}

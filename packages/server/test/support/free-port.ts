import { createServer } from 'node:net'

/**
 * A port nobody listens on at this moment. It is below those that systems give to outgoing connections, of which other tests
 * make thousands: one of them could have it before the server that is to listen there. And it is above 10080, the highest that fetch and
 * browsers refuse to ask (WHATWG Fetch, bad port).
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

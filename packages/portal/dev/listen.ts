import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

export const listen = async (server: Server, at: { host: string; port: number }) => {
  server.listen(at)
  await once(server, 'listening')
}

/** A port for the server behind the front. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await listen(server, { host: '127.0.0.1', port: 0 })
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : freePort()
}

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient } from './client.ts'

/** How much earlier strangers are answered by the leak that is planted, in milliseconds. */
export const plantedLeak = 2

/**
 * Stands between the bench and the server and plants a leak that the bench must find: it keeps back the answers about names
 * that somebody has.
 */
export const startInBetween = async (serverPort: number, isSomebodys: (body: string) => boolean) => {
  const client = createClient(serverPort)
  const between = createServer(async (request, response) => {
    const body = await text(request)
    const answer = await client.post(request.url ?? '', body, String(request.headers['x-forwarded-for']))
    if (isSomebodys(body)) await wait(plantedLeak)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
  const address = between.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = () => {
    client.close()
    between.close()
    between.closeAllConnections()
  }
  return { port: address.port, close }
}

/** To a fraction of a millisecond; a timer is coarser, and would plant more than it says. */
const wait = async (ms: number) => {
  await Atomics.waitAsync(nobodyWakes, 0, 0, ms).value
}
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient } from './client.ts'

/** The delay that the proxy adds, in milliseconds. */
export const addedDelay = 2

/**
 * A proxy between client and server that delays responses about existing users. The benchmark must detect this leak; otherwise it
 * would not detect a real one either.
 */
export const startDelayingProxy = async (serverPort: number, hasAccount: (body: string) => boolean) => {
  const client = createClient(serverPort)
  const proxy = createServer(async (request, response) => {
    const body = await text(request)
    const answer = await client.post(request.url ?? '', body, String(request.headers['x-forwarded-for']))
    if (hasAccount(body)) await wait(addedDelay)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = () => {
    client.close()
    proxy.close()
    proxy.closeAllConnections()
  }
  return { port: address.port, close }
}

/** More precise than a timer, which would add a millisecond. */
const wait = async (ms: number) => {
  await Atomics.waitAsync(neverNotified, 0, 0, ms).value
}
const neverNotified = new Int32Array(new SharedArrayBuffer(4))

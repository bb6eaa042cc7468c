// Sends sign-ins with wrong passwords at a steady rate from many networks until it is killed. It is a separate process, so that its load
// does not delay the measured clients.
//   node flood-client.ts <url> <per second> <networks>
import { Agent, request } from 'node:http'
import { routes } from '@gatehouse/wire'

const [url = '', perSecond = '', networks = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
const counts: Record<string, number> = {}
const started = performance.now()
let sent = 0

const send = (n: number) => {
  const network = n % Number(networks)
  const body = JSON.stringify({ username: `nobody${network}@example.com`, password: `wrong password ${n}`, useragent: '' })
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-forwarded-for': `198.18.${network >> 8}.${network & 255}`,
  }
  const call = request(`${url}${routes.getAuthTokenWithError.path}`, { method: 'POST', agent, headers }, response => {
    counts[response.statusCode ?? 0] = (counts[response.statusCode ?? 0] ?? 0) + 1
    response.resume()
  })
  call.on('error', () => (counts.failed = (counts.failed ?? 0) + 1))
  call.end(body)
}

setInterval(() => {
  const due = ((performance.now() - started) / 1000) * Number(perSecond)
  while (sent < due) send(sent++)
}, 5)

process.on('SIGTERM', () => {
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`${JSON.stringify({ seconds, sent, counts })}\n`, () => process.exit(0))
})

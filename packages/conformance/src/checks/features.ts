import { decode, routes, SocketMessage, socketsPath } from '@gatehouse/wire'
import { WebSocket } from 'ws'
import { brief, type Check, isSuccess, type Run, read } from '../run.ts'
import { broken, must, notChecked } from '../verdict.ts'

/** The result of a WebSocket handshake, with the first message if one arrives in time. */
type Opened = { is: 'open'; first: string | undefined } | { is: 'refused'; status: number } | { is: 'failed' }

/** How long to wait for the first message, in milliseconds. */
const firstMessage = 1500

const open = ({ target }: Run, origin: string): Promise<Opened> =>
  new Promise(resolve => {
    const address = new URL(target.url.pathname.replace(/\/$/, '') + socketsPath, target.url)
    address.protocol = address.protocol.replace('http', 'ws')
    const socket = new WebSocket(address, { headers: { origin }, handshakeTimeout: 10_000 })
    const end = (opened: Opened) => {
      resolve(opened)
      socket.terminate()
    }
    socket.on('unexpected-response', (_, { statusCode = 0 }) => end({ is: 'refused', status: statusCode }))
    socket.on('error', () => end({ is: 'failed' }))
    socket.on('open', () => setTimeout(() => end({ is: 'open', first: undefined }), firstMessage))
    socket.on('message', data => end({ is: 'open', first: String(data) }))
  })

const own = (run: Run) => run.once('socket', () => open(run, run.target.origin))

/** Checks of feature flags and live updates. */
export const featureChecks: Check[] = [
  {
    id: 'features/all',
    section: '§7 features/check',
    rule: 'The feature flags are JSON',
    check: async run => {
      const answer = await run.client.openBrowser().get(routes.featuresCheck.path)
      must(isSuccess(answer), `expected a success, got ${brief(answer)}`)
      read(routes.featuresCheck.response, answer)
    },
  },
  {
    id: 'features/one',
    section: 'wire.md: Calls of the sign-in area',
    rule: 'One flag by name is a boolean, also one that does not exist',
    check: async run => {
      const value = read(routes.featuresCheck.response, await run.client.openBrowser().get(`${routes.featuresCheck.path}?name=nothing`))
      must(typeof value === 'boolean', 'the response is not a boolean')
    },
  },
  {
    id: 'sockets/open',
    section: '§7 sockets',
    rule: 'A page of the server can open a WebSocket at /sockets',
    check: async run => {
      const opened = await own(run)
      if (opened.is === 'refused' && opened.status === 404) notChecked('the server has no /sockets; pages poll without it')
      must(opened.is === 'open', opened.is === 'refused' ? `the handshake got ${opened.status}` : 'the handshake failed')
    },
  },
  {
    id: 'sockets/message',
    section: 'wire.md: Live updates',
    rule: 'The first message, if there is one, is a SocketMessage',
    check: async run => {
      const opened = await own(run)
      if (opened.is !== 'open' || opened.first === undefined) return notChecked('no message came')
      let message: unknown
      try {
        message = JSON.parse(opened.first)
      } catch {
        broken('the message is not JSON')
      }
      const decoded = decode(SocketMessage, message)
      must(decoded.ok, decoded.ok ? '' : decoded.error)
    },
  },
  {
    id: 'sockets/foreign-origin',
    section: 'wire.md: Live updates',
    rule: 'A page of another site cannot open a WebSocket, because the browser would send cookies with it',
    check: async run => {
      if ((await own(run)).is !== 'open') notChecked('the server has no /sockets')
      must((await open(run, 'https://evil.example')).is !== 'open', 'the handshake succeeded with a foreign Origin')
    },
  },
]

import type { WebSocket } from '@fastify/websocket'
import { decode, encode, SocketMessage, SocketRequest, socketsPath } from '@gatehouse/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChangeEvents } from '../change-events.ts'
import type { DeviceProof } from '../factors/push/device-proof.ts'
import { limits } from '../limits.ts'
import type { CurrentState, Live } from '../live-updates/live-updates.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { networksOf } from '../visitors/network.ts'
import { refuseOtherMethods } from './bind.ts'
import type { Caller } from './caller.ts'
import { parseJsonBody } from './json-body.ts'

/** Close codes of RFC 6455 §7.4.1. */
const normalClosure = 1000
const policyViolation = 1008
const tryAgainLater = 1013

type Watcher = {
  socket: WebSocket
  network: string
  /** The IPv6 /48 around the network. */
  site: string | undefined
  /**
   * The client address. If a phone opened the socket, the phone shows where the requesting browser
   * is, relative to this address.
   */
  address: string
  wait: string | undefined
  session: string | undefined
  device: string | undefined
  /** The last message of each kind, so that only changes are sent. */
  sent: Map<SocketMessage['tag'], string>
  answered: boolean
}

/** Whether a request's URL is that of live updates, with or without the path of the public URL. */
export const isSocketsPath = (url: string | undefined, publicPath: string): boolean => {
  const [path] = (url ?? '').split('?')
  return path === socketsPath || path === publicPath + socketsPath
}

/** Live updates: browsers receive changes by this server at once, and changes by other servers within about a second. */
export const createSockets = (deps: {
  caller: Caller
  sessions: Sessions
  proof: DeviceProof
  live: Live
  changes: ChangeEvents
  log: { warn: (of: object, message: string) => void }
}) => {
  const { caller, sessions, proof, live, changes, log } = deps
  const watchers = new Set<Watcher>()

  const send = (watcher: Watcher, message: SocketMessage) => {
    const text = JSON.stringify(encode(SocketMessage, message))
    if (watcher.sent.get(message.tag) === text) return
    watcher.sent.set(message.tag, text)
    watcher.socket.send(text)
  }

  const sendState = (watcher: Watcher, state: CurrentState) => {
    const { wait, session, device } = watcher
    const status = wait === undefined ? undefined : state.waits.get(wait)
    if (status) send(watcher, { tag: 'Challenge', contents: status })
    if (session !== undefined && !state.sessions.has(session)) {
      watcher.session = undefined
      send(watcher, { tag: 'SessionEnded' })
      // A page that still waits for something else reconnects.
      return watcher.socket.close(normalClosure, 'the session has ended')
    }
    if (device === undefined) return
    const pending = state.devices.get(device)
    if (pending !== undefined) return send(watcher, { tag: 'Pending', contents: pending })
    watcher.device = undefined
    send(watcher, { tag: 'Revoked' })
  }

  const lookOnce = async () => {
    // A socket that opens during the read gets the result of the next one.
    const current = [...watchers].map(watcher => ({ watcher, device: watcher.device, session: watcher.session, wait: watcher.wait }))
    const state = await live.readState({
      waits: new Set(current.flatMap(({ wait }) => wait ?? [])),
      sessions: new Set(current.flatMap(({ session }) => session ?? [])),
      devices: new Map(current.flatMap(({ watcher, device }) => (device === undefined ? [] : [[device, watcher.address] as const]))),
    })
    for (const { watcher, device, session, wait } of current) {
      const isSame = watcher.device === device && watcher.session === session && watcher.wait === wait
      if (isSame && watchers.has(watcher)) sendState(watcher, state)
    }
  }

  let looking: Promise<void> | undefined
  let again = false
  /** Runs one read at a time. A change during a read causes another read after it. */
  const look = () => {
    if (looking) again = true
    else if (watchers.size > 0) {
      looking = lookOnce()
        .catch(err => log.warn({ err }, 'reading live updates failed; retrying'))
        .finally(() => {
          looking = undefined
          if (again) {
            again = false
            look()
          }
        })
    }
  }

  const ping = () => {
    for (const watcher of watchers) {
      if (!watcher.answered) watcher.socket.terminate()
      watcher.answered = false
      watcher.socket.ping()
    }
  }

  let timers: NodeJS.Timeout[] = []
  /** The timers run only while sockets are open. */
  const startTimers = () => {
    if (timers.length === 0) timers = [setInterval(look, limits.sockets.look).unref(), setInterval(ping, limits.sockets.ping).unref()]
  }
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  const unsubscribe = changes.subscribe(look)

  const leave = (watcher: Watcher) => {
    watchers.delete(watcher)
    if (watchers.size === 0) stopTimers()
  }

  const readFrame = async (watcher: Watcher, request: FastifyRequest, frame: Buffer) => {
    const decoded = decode(SocketRequest, parseJsonBody(frame))
    if (!decoded.ok) return watcher.socket.close(policyViolation, 'frame: cannot be read')
    const device = await proof.prove(decoded.value.contents, { call: socketsPath }, caller.visitor(request))
    if (device === 'unproven') return watcher.socket.close(policyViolation, 'signature: is not this device’s')
    if (device === 'gone') return send(watcher, { tag: 'Revoked' })
    watcher.device = device.factorUUID
    return look()
  }

  const open = async (socket: WebSocket, request: FastifyRequest) => {
    socket.on('error', () => socket.terminate())
    const { network, site } = networksOf(request.ip)
    const open = [...watchers]
    const ofNetwork = open.filter(watcher => watcher.network === network).length
    const ofSite = site === undefined ? 0 : open.filter(watcher => watcher.site === site).length
    const isOver = ofNetwork >= limits.sockets.perAddress || ofSite >= limits.sockets.perAddress * limits.rates.siteTimes
    if (isOver || watchers.size >= limits.sockets.most) return socket.close(tryAgainLater, 'too many')
    const wait = caller.cookie(request, 'push')
    const watcher: Watcher = {
      socket,
      network,
      site,
      address: request.ip,
      wait,
      session: undefined,
      device: undefined,
      sent: new Map(),
      answered: true,
    }
    watchers.add(watcher)
    startTimers()
    socket.on('close', () => leave(watcher))
    socket.on('pong', () => {
      watcher.answered = true
    })
    let frames = 0
    socket.on('message', (data, isBinary) => {
      frames++
      if (isBinary || frames > limits.sockets.frames) return socket.close(policyViolation, 'frames: too many, or not text')
      readFrame(watcher, request, Buffer.from(data as Buffer)).catch(() => socket.close(policyViolation, 'frame: cannot be read'))
    })
    send(watcher, { tag: 'Nonce', contents: proof.nonce() })
    watcher.session = await sessions.selectorOf(caller.cookie(request, 'session'))
    look()
  }

  /**
   * Adds the route of live updates, for pages of this server and of the origins in GATEHOUSE_ORIGINS only. Attack (CSWSH): another site
   * opens a WebSocket, and the browser sends cookies along.
   */
  const add = (app: FastifyInstance) => {
    app.route({
      method: 'GET',
      url: socketsPath,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        if (!caller.isOwnOrigin(request)) return reply.code(403).send({ error: 'origin: this request comes from another site' })
      },
      handler: (_, reply) => reply.code(426).header('upgrade', 'websocket').send({ error: 'upgrade: expected websocket' }),
      wsHandler: (socket, request) => {
        open(socket, request).catch(() => socket.close(tryAgainLater, 'later'))
      },
    })
    refuseOtherMethods(app, socketsPath, ['GET'])
  }

  return {
    add,
    stop: () => {
      unsubscribe()
      stopTimers()
    },
  }
}

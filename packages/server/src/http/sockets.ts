import type { WebSocket } from '@fastify/websocket'
import { decode, encode, SocketMessage, SocketRequest, socketsPath } from '@gatehouse/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { News } from '../change-events.ts'
import type { DeviceProof } from '../factors/push/device-proof.ts'
import { limits } from '../limits.ts'
import type { Live, Standing } from '../live-updates/live-updates.ts'
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
  /** The device's address, from which the place of a browser that asks is seen. */
  address: string
  wait: string | undefined
  session: string | undefined
  device: string | undefined
  /** What was told last of each, so that only changes are told. */
  told: Map<SocketMessage['tag'], string>
  answered: boolean
}

/** Whether an address, as it was asked for, is that of live updates: with the path of the public URL before it, or without. */
export const isSocketsPath = (url: string | undefined, publicPath: string): boolean => {
  const [path] = (url ?? '').split('?')
  return path === socketsPath || path === publicPath + socketsPath
}

/** Live updates of all who wait: told at once of what this server changes, and within a second of what another does. */
export const createSockets = (deps: {
  caller: Caller
  sessions: Sessions
  proof: DeviceProof
  live: Live
  news: News
  log: { warn: (of: object, message: string) => void }
}) => {
  const { caller, sessions, proof, live, news, log } = deps
  const watchers = new Set<Watcher>()

  const send = (watcher: Watcher, message: SocketMessage) => {
    const text = JSON.stringify(encode(SocketMessage, message))
    if (watcher.told.get(message.tag) === text) return
    watcher.told.set(message.tag, text)
    watcher.socket.send(text)
  }

  const tell = (watcher: Watcher, standing: Standing) => {
    const { wait, session, device } = watcher
    const status = wait === undefined ? undefined : standing.waits.get(wait)
    if (status) send(watcher, { tag: 'Challenge', contents: status })
    if (session !== undefined && !standing.sessions.has(session)) {
      watcher.session = undefined
      send(watcher, { tag: 'SessionEnded' })
      // A device or a sign-in that also waits here opens another.
      return watcher.socket.close(normalClosure, 'the session has ended')
    }
    if (device === undefined) return
    const pending = standing.devices.get(device)
    if (pending !== undefined) return send(watcher, { tag: 'Pending', contents: pending })
    watcher.device = undefined
    send(watcher, { tag: 'Revoked' })
  }

  const lookOnce = async () => {
    // Who comes while it is being looked is told by the next look.
    const there = [...watchers].map(watcher => ({ watcher, device: watcher.device, session: watcher.session, wait: watcher.wait }))
    const standing = await live.look({
      waits: new Set(there.flatMap(({ wait }) => wait ?? [])),
      sessions: new Set(there.flatMap(({ session }) => session ?? [])),
      devices: new Map(there.flatMap(({ watcher, device }) => (device === undefined ? [] : [[device, watcher.address] as const]))),
    })
    for (const { watcher, device, session, wait } of there) {
      const isSame = watcher.device === device && watcher.session === session && watcher.wait === wait
      if (isSame && watchers.has(watcher)) tell(watcher, standing)
    }
  }

  let looking: Promise<void> | undefined
  let again = false
  /** One look at a time; what is changed during one is seen by another after it. */
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
  /** Nobody is looked for while nobody waits. */
  const wake = () => {
    if (timers.length === 0) timers = [setInterval(look, limits.sockets.look).unref(), setInterval(ping, limits.sockets.ping).unref()]
  }
  const rest = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  const stopListening = news.listen(look)

  const leave = (watcher: Watcher) => {
    watchers.delete(watcher)
    if (watchers.size === 0) rest()
  }

  const hear = async (watcher: Watcher, request: FastifyRequest, frame: Buffer) => {
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
      told: new Map(),
      answered: true,
    }
    watchers.add(watcher)
    wake()
    socket.on('close', () => leave(watcher))
    socket.on('pong', () => {
      watcher.answered = true
    })
    let frames = 0
    socket.on('message', (data, isBinary) => {
      frames++
      if (isBinary || frames > limits.sockets.frames) return socket.close(policyViolation, 'frames: too many, or not text')
      hear(watcher, request, Buffer.from(data as Buffer)).catch(() => socket.close(policyViolation, 'frame: cannot be read'))
    })
    send(watcher, { tag: 'Nonce', contents: proof.nonce() })
    watcher.session = await sessions.selectorOf(caller.cookie(request, 'session'))
    look()
  }

  /** Adds the one address of live updates, for requests from our own pages only: a WebSocket of another site would bring cookies (CSWSH). */
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
      stopListening()
      rest()
    },
  }
}

import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import { refuseOtherMethods } from './bind.ts'
import { type Seen, seenHeader, seenPath, seenPurpose } from './seen-address.ts'

/** The other end of the connection: a proxy, or the client itself. */
const peerOf = (request: FastifyRequest): string => (request.socket.remoteAddress ?? 'an unknown address').replace(/^::ffff:(?=\d+\.)/i, '')

/** Whether a request says for whom it was passed on, and nobody believes it. */
const isForwardingIgnored = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2

/**
 * Warns once for each peer that sends X-Forwarded-For and is not a trusted proxy. Otherwise the only sign of a proxy that nobody has listed
 * is that its users are refused together, with 429.
 */
export const warnOfUntrustedPeers = (app: FastifyInstance, log: Pick<FastifyBaseLogger, 'warn'>) => {
  const named = new Set<string>()
  app.addHook('onRequest', async request => {
    // Clients can send the header as well: they must not be able to fill the log.
    if (named.size >= limits.untrustedPeers.most || !isForwardingIgnored(request)) return
    const peer = peerOf(request)
    if (named.has(peer)) return
    named.add(peer)
    log.warn(
      { peer },
      `X-Forwarded-For from ${peer} is ignored, because GATEHOUSE_TRUSTED_PROXIES does not list it. If it is your proxy, list it: until then, all users behind it share one address and its rate limits`,
    )
  })
}

/** Tells the doctor how its request arrived. Without a proof made with the master key there is nothing here. */
export const addSeenAddress = (app: FastifyInstance, { keyring, now }: { keyring: Keyring; now: () => number }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: seenPath,
    handler: async (request, reply) => {
      const header = request.headers[seenHeader]
      const made = typeof header === 'string' ? Number(keyring.tryOpen('doctor', header, seenPurpose) ?? Number.NaN) : Number.NaN
      if (!(Math.abs(now() - made) < limits.doctorProof)) return reply.callNotFound()
      const forwardedFor = request.headers['x-forwarded-for']
      const seen: Seen = {
        address: request.ip,
        peer: peerOf(request),
        port: request.socket.remotePort ?? 0,
        forwardedFor: forwardedFor === undefined ? null : String(forwardedFor),
        isTrusted: !isForwardingIgnored(request),
      }
      return reply.send(seen)
    },
  })
  refuseOtherMethods(app, seenPath, ['GET', 'HEAD'])
}

import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import { refuseOtherMethods } from './bind.ts'
import { type Seen, seenHeader, seenPath, seenPurpose } from './seen-address.ts'

/** The other end of the connection: a proxy, or the client itself. */
const peerOf = (request: FastifyRequest): string => (request.socket.remoteAddress ?? 'an unknown address').replace(/^::ffff:(?=\d+\.)/i, '')

/** Whether a request has X-Forwarded-For from a peer that is not trusted. */
const isForwardingIgnored = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2

/**
 * Warns once for each untrusted peer that sends X-Forwarded-For. Otherwise the only sign of an unlisted proxy is that all its users get
 * 429 together.
 */
export const warnOfUntrustedPeers = (app: FastifyInstance, log: Pick<FastifyBaseLogger, 'warn'>) => {
  const named = new Set<string>()
  const warn = (request: FastifyRequest) => {
    // Clients can send the header too, and must not fill the log.
    if (named.size >= limits.untrustedPeers.most || !isForwardingIgnored(request)) return
    const peer = peerOf(request)
    if (named.has(peer)) return
    named.add(peer)
    log.warn(
      { peer },
      `X-Forwarded-For from ${peer} is ignored, because GATEHOUSE_TRUSTED_PROXIES does not list it. If it is your proxy, list it: until then, all users behind it share one address and its rate limits`,
    )
  }
  app.addHook('onRequest', (request, _, done) => {
    warn(request)
    done()
  })
}

/** Reports to the doctor how its request arrived. Answers 404 unless the request proves possession of the master key. */
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

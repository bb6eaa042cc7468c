import * as v from 'valibot'
import { pendingChallenge, proof } from '../push/approver.ts'
import { pushStatus } from '../push/push.ts'
import { bare, carrying, type Infer, maybe, otherTag, shape, unknownTag } from './decode.ts'

/** Path of live updates, a WebSocket below the base address. */
export const socketsPath = '/sockets'

/**
 * A server message on /sockets, as JSON. `Nonce`, sent first to every client: what a phone must sign. `Challenge`, to a waiting browser:
 * the state of its challenge. `SessionEnded`, to a signed-in page. `Pending`, to a phone: the challenge to answer. `Revoked`, to a phone:
 * its factor was removed.
 */
export const SocketMessage = shape(
  'SocketMessage',
  v.variant(
    'tag',
    [
      carrying('Nonce', v.string()),
      carrying('Challenge', pushStatus),
      bare('SessionEnded'),
      carrying('Pending', maybe(pendingChallenge)),
      bare('Revoked'),
    ],
    otherTag(unknownTag),
  ),
)
export type SocketMessage = Infer<typeof SocketMessage>

/** A phone's message on /sockets: its factor and the signed nonce. The signature covers `pushCall` with this path. */
export const SocketRequest = shape('SocketRequest', v.strictObject({ tag: v.literal('Device'), contents: proof }))
export type SocketRequest = Infer<typeof SocketRequest>

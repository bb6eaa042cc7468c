import * as v from 'valibot'
import { pendingChallenge, proof } from '../push/approver.ts'
import { pushStatus } from '../push/push.ts'
import { bare, carrying, type Infer, maybe, otherTag, shape, unknownTag } from './decode.ts'

/** Where live updates come from; a WebSocket below the base address. */
export const socketsPath = '/sockets'

/**
 * What the server tells over /sockets, a JSON text each: to everybody first what a device would have to sign; to a browser that
 * waits, how far its challenge has come; to a signed-in page that its session is over; to a device what it is asked, or that
 * its factor is gone.
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

/** What a device says over /sockets: which factor's it is, with the nonce it was told; `pushCall` of this path. */
export const SocketRequest = shape('SocketRequest', v.strictObject({ tag: v.literal('Device'), contents: proof }))
export type SocketRequest = Infer<typeof SocketRequest>

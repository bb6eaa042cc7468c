/** The doctor's call that reports how its request arrived, and the header and purpose that prove possession of the master key. */
export const seenPath = '/healthz/seen'
export const seenHeader = 'gatehouse-doctor'
export const seenPurpose = 'seen address'

/** How a request arrived at the server. */
export type Seen = {
  /** The client address, as the server sees it. */
  address: string
  /** The other end of the connection, and its port. */
  peer: string
  port: number
  /** X-Forwarded-For as it arrived. */
  forwardedFor: string | null
  /** Whether the peer is a trusted proxy; true without the header. */
  isTrusted: boolean
}

export const isSeen = (value: unknown): value is Seen => {
  const { address, peer, port, forwardedFor, isTrusted } = Object(value)
  return (
    [address, peer].every(text => typeof text === 'string') &&
    typeof port === 'number' &&
    (forwardedFor === null || typeof forwardedFor === 'string') &&
    typeof isTrusted === 'boolean'
  )
}

/** Where the doctor asks how its request arrived, and the header and purpose of the proof that it has the master key. */
export const seenPath = '/healthz/seen'
export const seenHeader = 'gatehouse-doctor'
export const seenPurpose = 'seen address'

/** How a request arrived at the server. */
export type Seen = {
  /** What the server takes for the user's address. */
  address: string
  /** The other end of the connection, and its port. */
  peer: string
  port: number
  /** X-Forwarded-For as it arrived. */
  forwardedFor: string | null
  /** Whether the server believes it; true where there is none. */
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

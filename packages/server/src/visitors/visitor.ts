/** Where a request came from; absent for the command line. */
export type Origin = {
  address: string
  userAgent: string
  requestId: string
  /** Identifies the sign-in that the request is a step of. */
  signIn?: string | undefined
}

/** A request's origin, and the cookies that identify its browser. */
export type Visitor = Origin & {
  /** The cookie of a known browser. */
  browser: string | undefined
  /** The ticket: the cookie that stands in for the password. */
  ticket: string | undefined
  /** The cookie of a browser that waits for a phone approval. */
  push: string | undefined
  /** The cookie of a browser that waits for a one-time link. */
  mailWait: string | undefined
  /** The cookie that binds a passkey's challenge to the browser. */
  passkey: string | undefined
  /** Whether the page handles passkeys. The server does not mention passkeys to other pages. */
  knowsPasskeys: boolean
  /** In steps of a sign-in: the language of the page that the visitor sees. */
  language?: string | undefined
}

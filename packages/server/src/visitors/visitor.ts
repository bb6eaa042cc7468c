/** Where an act came from; absent for the command line. */
export type Origin = { address: string; userAgent: string; requestId: string }

/** Who asks: where from, and what the browser showed of itself. */
export type Visitor = Origin & {
  /** The cookie of a browser that signed in before. */
  browser: string | undefined
  /** The cookie that stands in for the password after a one-time link. */
  ticket: string | undefined
  /** The cookie of a browser that waits for a device's answer. */
  push: string | undefined
}

/** The tables of phone approvals, a part of `Tables`. */
export type PushTables = {
  push_bindings: {
    factorPushBindingFactorUUID: string
    /** SPKI in DER, as base64url. */
    factorPushBindingPublicKey: string
    factorPushBindingAlg: 'ES256'
    /** The phone's ntfy topic; it cannot be guessed. */
    factorPushBindingTopic: string
  }
  /** Links that enroll a phone. */
  push_enrolments: {
    pushEnrolmentSelector: string
    pushEnrolmentHash: string
    pushEnrolmentFactor: string
    pushEnrolmentExpires: number
  }
  /** Nonces that phones have used. */
  push_nonces: {
    /** SHA-256 of the nonce. */
    pushNonceHash: string
    /** When the nonce itself expires. */
    pushNonceExpires: number
  }
  /** Browsers that wait for a phone's answer. */
  push_waits: {
    /** SHA-256 of the browser's cookie. */
    pushWaitBinding: string
    pushWaitUser: string
    /** SHA-256 of the ticket that replaced the password; empty if the user typed it. */
    pushWaitTicket: string
    /** If the browser sent too many requests, no such challenge exists, and the response does not reveal that. */
    pushWaitChallenge: string
    /** When the challenge ends; an approval can be redeemed a little later. */
    pushWaitExpires: number
  }
  push_counts: {
    pushCountUser: string
    /** The times of the last three requests, which the limit needs. */
    pushCountLast: number | null
    pushCountSecondLast: number | null
    pushCountThirdLast: number | null
    pushCountSinceSuccess: number
    /** Denials in a row, and unanswered requests in a row. */
    pushCountDenied: number
    pushCountUnanswered: number
    pushCountPausedUntil: number | null
    /** Whether the newest request was sent. */
    pushCountAllowed: 0 | 1
  }
  /** Where a phone's browser receives messages (RFC 8030). */
  push_subscriptions: {
    pushSubscriptionFactor: string
    pushSubscriptionEndpoint: string
    pushSubscriptionP256dh: string
    pushSubscriptionAuth: string
  }
  /** The queue of push notifications: one row per phone, for the newest challenge. Keep the name: the previous version uses it. */
  push_wakes: {
    pushWakeFactor: string
    pushWakeChallenge: string
    pushWakeExpires: number
    pushWakeAttempts: number
    /** The time of the next attempt. A server that claims the row moves it first. */
    pushWakeNext: number
  }
  /** The key pair that identifies the server to push services (VAPID, RFC 8292); the private key is encrypted. */
  push_keys: { pushKeyName: string; pushKeyPublic: string; pushKeyPrivate: string }
}

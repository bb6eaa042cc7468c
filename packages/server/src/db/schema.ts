import type { Kysely, Selectable, Transaction } from 'kysely'

/**
 * The tables. Columns bear the wire's names where the wire knows the thing, so that one search finds every use.
 * Instants are epoch milliseconds, truths are 0 and 1 (both engines have those alike).
 */
export type Tables = {
  users: {
    userId: string
    /** The canonical username: an e-mail address, see `canonicalUsername`. */
    userIdent: string
    /** Argon2id in PHC form; null for an account that signs in by a provider only. */
    userPassword: string | null
    userForcedReset: 0 | 1
    userTZLabel: string
    userAzureId: string | null
    userGoogleId: string | null
    userPakId: string | null
    userCreated: number
  }
  emails: { emailEmail: string; emailUser: string | null; emailVerkey: string | null }
  failed_logins: {
    failedLoginUserIdent: string
    /** Empty for browsers nobody knows; they share one count. */
    failedLoginBrowser: string
    failedLoginAttempts: number
    failedLoginLockCreated: number | null
    failedLoginLockExpires: number | null
    /** Tries turned away while locked. */
    failedLoginRefused: number
    /** Whether the newest try was let through to the check. */
    failedLoginAllowed: 0 | 1
  }
  known_browsers: { browserHash: string; browserUser: string; browserSignedIn: number }
  hand_overs: {
    authTokenSelector: string
    authTokenHash: string
    authTokenUser: string
    authTokenExpires: number
    /** SHA-256 of the cookie of the browser that signed in. */
    handOverBinding: string
    handOverExchanged: number | null
    handOverArrived: number | null
  }
  sessions: {
    sessionSelector: string
    sessionHash: string
    sessionUser: string
    sessionCreated: number
    sessionSeen: number
    sessionExpires: number
    sessionUserAgent: string
    sessionAddress: string
  }
  audit: {
    auditId: string
    auditAt: number
    auditEvent: string
    /** Who did it: a user id, `cli`, or nobody known. */
    auditActor: string | null
    /** Whom it was done to: a user id, or the keyed hash of a name nobody has. */
    auditTarget: string | null
    auditResult: string
    auditAddress: string | null
    auditUserAgent: string | null
    auditRequestId: string | null
  }
}

export type Db = Kysely<Tables> | Transaction<Tables>
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

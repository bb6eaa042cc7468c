import type {
  ChallengeRespondedReason,
  ChallengeStatus,
  FactorStatus,
  FactorType,
  MailLinkLookRequest,
  SecondFactorType,
  SSOProvider,
} from '@gatehouse/wire'
import type { Generated, Kysely, Selectable, Transaction } from 'kysely'

/** What passed as the second factor of a sign-in. */
export type UsedFactor = SecondFactorType | 'RecoveryCode' | 'Provider'
export type MailLinkKind = MailLinkLookRequest['kind']

/**
 * The tables. Columns bear the wire's names where the wire knows the thing, so that one search finds every use.
 * Instants are epoch milliseconds, truths are 0 and 1 (both engines have those alike).
 */
export type Tables = {
  users: {
    userId: string
    /** The canonical username: an email address, see `canonicalUsername`. */
    userIdent: string
    /** Argon2id in PHC form; null for an account that signs in by a provider only. */
    userPassword: string | null
    userForcedReset: 0 | 1
    /** Whether the password was set by email, or after a provider's word alone, and was not yet typed in a sign-in that passed our factor. */
    userPasswordByMail: 0 | 1
    userTZLabel: string
    userAzureId: string | null
    userGoogleId: string | null
    userPakId: string | null
    /**
     * The identity at each provider that the user's own second factor vouched for. A vouch counts only while it equals the linked identity,
     * because servers of older versions change links without knowing of it.
     */
    userAzureVouched: string | null
    userGoogleVouched: string | null
    userPakVouched: string | null
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
    /** When the newest try came; null in rows that older versions left. */
    failedLoginCounted: number | null
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
    /** What passed as second factor; null when nothing did. */
    handOverFactor: UsedFactor | null
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
    sessionFactor: UsedFactor | null
    /** When its owner's password, or sign-in, was last proven; null in rows of older versions, where it was at its beginning. */
    sessionConfirmed: number | null
    /** Of the cookie that checks of protected hosts take; null in rows of older versions until that cookie is asked for. */
    sessionCheckSelector: string | null
    sessionCheckHash: string | null
  }
  factors: {
    factorUUID: string
    factorIdentity: string
    factorFriendlyName: string
    factorStatus: FactorStatus
    factorFactorType: SecondFactorType
    factorDateCreated: number
    factorDateVerified: number | null
    factorDateLastUsed: number | null
    /** When an unverified factor dies; null once it is verified. */
    factorExpires: number | null
    /** Whether its verification takes the place of the user's other factors: it comes from a reset. */
    factorReplaces: 0 | 1
    /** Wrong first codes so far. */
    factorWrongCodes: number
  }
  totp_bindings: {
    factorTOTPBindingFactorUUID: string
    /** Encrypted, see `createKeyring`. */
    factorTOTPBindingSecret: string
    factorTOTPBindingAlg: 'SHA1'
    /** Number of the last time step of which a code was taken; it only rises. */
    factorTOTPBindingLastStep: number
  }
  challenges: {
    challengeUUID: string
    challengeIdentity: string
    challengeFactorUUID: string
    challengeDateCreated: number
    challengeDateUpdated: number
    challengeDateResponded: number | null
    challengeExpires: number
    challengeStatus: ChallengeStatus
    challengeRespondedReason: ChallengeRespondedReason['tag']
    challengeFactorType: FactorType
    /** What is to be typed on the device; null where a code is asked for. */
    challengeNumber: string | null
    /** Whether it is to verify the factor, and lets nobody in. */
    challengeEnrols: Generated<0 | 1>
    /** The browser that asks; null where a code is asked for. */
    challengeAddress: string | null
    challengeUserAgent: string | null
  }
  push_bindings: {
    factorPushBindingFactorUUID: string
    /** SPKI in DER, as base64url. */
    factorPushBindingPublicKey: string
    factorPushBindingAlg: 'ES256'
    /** Under which ntfy wakes the device; nobody else can guess it. */
    factorPushBindingTopic: string
  }
  /** Links that enrol a device. */
  push_enrolments: {
    pushEnrolmentSelector: string
    pushEnrolmentHash: string
    pushEnrolmentFactor: string
    pushEnrolmentExpires: number
  }
  /** Nonces that devices have used. */
  push_nonces: {
    /** SHA-256 of the nonce. */
    pushNonceHash: string
    /** When the nonce is too old anyway. */
    pushNonceExpires: number
  }
  /** Browsers that wait for a device's answer. */
  push_waits: {
    /** SHA-256 of the browser's cookie. */
    pushWaitBinding: string
    pushWaitUser: string
    /** SHA-256 of the ticket that stood in for the password; empty where that was typed. */
    pushWaitTicket: string
    /** Of a browser that asked too often there is no such challenge, and nothing tells it so. */
    pushWaitChallenge: string
    /** When the challenge ends; an approval may be used for a little longer. */
    pushWaitExpires: number
  }
  push_counts: {
    pushCountUser: string
    /** When the devices were last asked, as often as they may be within a while. */
    pushCountLast: number | null
    pushCountSecondLast: number | null
    pushCountThirdLast: number | null
    pushCountSinceSuccess: number
    /** How often in a row it was not the owner who asked, and how often nobody answered. */
    pushCountDenied: number
    pushCountUnanswered: number
    pushCountPausedUntil: number | null
    /** Whether the newest wish was granted. */
    pushCountAllowed: 0 | 1
  }
  /** Where a device's browser takes messages (RFC 8030). */
  push_subscriptions: {
    pushSubscriptionFactor: string
    pushSubscriptionEndpoint: string
    pushSubscriptionP256dh: string
    pushSubscriptionAuth: string
  }
  /** Devices that are to be woken; the newest challenge is what for. */
  push_wakes: {
    pushWakeFactor: string
    pushWakeChallenge: string
    pushWakeExpires: number
    pushWakeAttempts: number
    /** Not before this is it tried (again). Whoever tries it moves this on first. */
    pushWakeNext: number
  }
  /** The key pair by which push services know us (VAPID, RFC 8292); the private half is encrypted. */
  push_keys: { pushKeyName: string; pushKeyPublic: string; pushKeyPrivate: string }
  /** One row, which `/readyz` writes. */
  write_probes: { probeId: number; probeAt: number }
  failed_codes: {
    failedCodeUser: string
    failedCodeAttempts: number
    failedCodePausedUntil: number | null
    /** Whether the newest try was let through to the check. */
    failedCodeAllowed: 0 | 1
  }
  recovery_codes: { recoveryCodeUser: string; recoveryCodeHash: string; recoveryCodeCreated: number }
  skips: { skipUser: string; skipCount: number; skipFirst: number }
  tickets: {
    ticketSelector: string
    ticketHash: string
    ticketUser: string
    ticketExpires: number
    /** Whether it was given for a password that was typed. */
    ticketByPassword: number
    /** The factor that its own sign-in began, which its pages may show. */
    ticketFactor: string | null
    /** The identity that the user signed in with at a provider; null after a password or a mailed link. */
    ticketProvider: SSOProvider | null
    ticketIdentity: string | null
  }
  mail_links: {
    mailLinkSelector: string
    mailLinkHash: string
    mailLinkKind: MailLinkKind
    mailLinkUser: string
    /** Of a factor reset: the new factor. */
    mailLinkFactor: string | null
    /** Of a change of address: the new one. */
    mailLinkEmail: string | null
    mailLinkCreated: number
    mailLinkExpires: number
    mailLinkUsed: number | null
    /** The network and the IPv6 /48 that asked for it, blinded. */
    mailLinkNetwork: string | null
    mailLinkSite: string | null
    /** 1 if it was asked for in a browser that the user had signed in with. */
    mailLinkKnown: 0 | 1
  }
  outbox: {
    mailId: string
    /** Encrypted: a link in it is as good as the mail itself. */
    mailContent: string
    mailCreated: number
    mailExpires: number
    mailAttempts: number
    /** Not before this is it tried (again). Whoever tries it moves this on first, so that nobody else does meanwhile. */
    mailNext: number
    /** The SMTP status with which the mail server refused the recipient for good; such a mail is kept to be shown, without its links. */
    mailRefused: number | null
  }
  sso_journeys: {
    /** SHA-256 of the state. */
    journeyState: string
    journeyProvider: SSOProvider
    /** SHA-256 of the cookie of the browser that set out. */
    journeyBinding: string
    journeyNonce: string
    journeyVerifier: string
    /** Who wants to link the identity; null where it is to sign in with. */
    journeyUser: string | null
    journeyExpires: number
  }
  return_addresses: {
    returnId: string
    /** An address of a protected origin, with path and query. */
    returnTarget: string
    /** With its '#'; no server sees it until the sign-in page tells it. */
    returnFragment: string | null
    /** Whether the refused request had a session's cookie, of whatever value. */
    returnHadCookie: 0 | 1
    returnCreated: number
    returnExpires: number
  }
  /** When a user was last told something that is told once in a while only. */
  notices: { noticeUser: string; noticeKind: string; noticeAt: number }
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
  /** How many rows of the audit tell of a step of a sign-in, by what came of it, within a quarter of an hour. */
  audit_counts: {
    /** Its beginning. */
    auditCountFrom: number
    auditCountEvent: string
    auditCountResult: string
    auditCountRows: number
  }
  /** Up to when they have been counted. */
  audit_counted: { auditCountedName: string; auditCountedUntil: number }
}

export type Db = Kysely<Tables> | Transaction<Tables>
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** All columns of an account, for statements that must name them. */
export const userColumns = [
  'userId',
  'userIdent',
  'userPassword',
  'userForcedReset',
  'userPasswordByMail',
  'userTZLabel',
  'userAzureId',
  'userGoogleId',
  'userPakId',
  'userAzureVouched',
  'userGoogleVouched',
  'userPakVouched',
  'userCreated',
] as const satisfies (keyof Tables['users'])[]

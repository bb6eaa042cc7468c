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
import type { GateTables } from './gate-tables.ts'
import type { PushTables } from './push-tables.ts'
import type { UsedFactor } from './used-factor.ts'

export type { UsedFactor }

export type MailLinkKind = MailLinkLookRequest['kind']

/** The tables that other files describe. */
type TablesElsewhere = PushTables & GateTables

/**
 * The tables. Columns have the names of the wire format, so that one search finds every use. Instants are epoch milliseconds; booleans are
 * 0 and 1 on both engines.
 */
export type Tables = TablesElsewhere & {
  users: {
    userId: string
    /** The canonical username: an email address, see `canonicalUsername`. */
    userIdent: string
    /** Argon2id in PHC form; null for users without a password. */
    userPassword: string | null
    /**
     * For a password that came from another program: the kind of its hash there, and the salt that the program used, followed by the salt
     * of `userPassword`. They count only while the second salt is that of `userPassword`: servers of older versions change the password
     * but not these columns.
     */
    userPasswordKind: Generated<string | null>
    userPasswordSalt: Generated<string | null>
    userForcedReset: 0 | 1
    /**
     * 1 if the password proves no more than access to the mailbox: it was set by mailed link or after a provider's sign-in, or the second
     * factor that vouched for it is gone. 0 again once the user types it in a sign-in that passes the account's own second factor.
     */
    userPasswordByMail: 0 | 1
    userTZLabel: string
    /** The language that the user chose, and that of their last sign-in, as tags. A language without a translation file counts as null. */
    userLanguage: Generated<string | null>
    userLastLanguage: Generated<string | null>
    userAzureId: string | null
    userGoogleId: string | null
    userPakId: string | null
    /**
     * The identity at each provider that the user's own second factor vouched for. A vouch counts only while it equals the linked identity,
     * because servers of older versions change links but not vouches.
     */
    userAzureVouched: string | null
    userGoogleVouched: string | null
    userPakVouched: string | null
    /** The groups that administrators gave the user, separated by spaces. */
    userGroups: Generated<string>
    /** The groups that follow from the claims of the user's last sign-in at a provider, separated by spaces. */
    userProviderGroups: Generated<string>
    userCreated: number
  }
  emails: { emailEmail: string; emailUser: string | null; emailVerkey: string | null }
  failed_logins: {
    failedLoginUserIdent: string
    /** Empty for unknown browsers, which share one count. */
    failedLoginBrowser: string
    failedLoginAttempts: number
    failedLoginLockCreated: number | null
    failedLoginLockExpires: number | null
    /** Attempts refused during a lock. */
    failedLoginRefused: number
    /** Whether the password of the newest attempt was checked. */
    failedLoginAllowed: 0 | 1
    /** When the newest attempt was counted; null in rows of older versions. */
    failedLoginCounted: number | null
  }
  known_browsers: {
    browserHash: string
    browserUser: string
    /** When the user last signed in. */
    browserSignedIn: number
    /** When the user first signed in. This and the next two are null in rows of older versions. */
    browserFirstSeen: number | null
    /** The User-Agent header of the last sign-in. The next column is its client address. */
    browserUserAgent: string | null
    browserAddress: string | null
  }
  hand_overs: {
    authTokenSelector: string
    authTokenHash: string
    authTokenUser: string
    authTokenExpires: number
    /** SHA-256 of the cookie of the browser that signed in. */
    handOverBinding: string
    handOverExchanged: number | null
    handOverArrived: number | null
    /** The second factor that passed; null without one. */
    handOverFactor: UsedFactor | null
    /** The `auditSignIn` of the sign-in. */
    handOverSignIn: Generated<string | null>
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
    /** When the user last signed in or reauthenticated; null in rows of older versions, where `sessionCreated` counts. */
    sessionConfirmed: number | null
    /** When the second factor was last used; null without one, and in rows of older versions. */
    sessionFactorAt: number | null
    /** The check cookie; null in rows of older versions until the server first sets that cookie. */
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
    /** When an unverified factor expires; null once it is verified. */
    factorExpires: number | null
    /** 1 if it replaces the user's other factors when it is verified: it comes from a reset. */
    factorReplaces: 0 | 1
    /** Wrong first codes so far. */
    factorWrongCodes: number
    /** 1 if a sign-in with the password does not require it: a password manager created this passkey without asking the user. */
    factorOptional: Generated<0 | 1>
  }
  passkeys: {
    passkeyFactor: string
    passkeyUser: string
    /** As base64url, like the key that follows. */
    passkeyCredentialId: string
    /** The COSE key. */
    passkeyPublicKey: string
    /** The signature counter of the authenticator; 0 where it has none. */
    passkeyCounter: number
    /** How the browser reaches the authenticator, separated by commas. */
    passkeyTransports: string
    /** The authenticator's model, as a UUID. */
    passkeyAaguid: string
    /** Whether the authenticator may copy the key to other devices (flag BE). */
    passkeySynced: 0 | 1
    passkeyRpId: string
    /** 1 if it was registered with another program, under a user handle that is not known here. */
    passkeyImported: Generated<0 | 1>
  }
  /** The random id under which password managers know a user. */
  passkey_handles: { passkeyHandleUser: string; passkeyHandle: string }
  used_passkey_challenges: {
    /** SHA-256 of the challenge. */
    usedPasskeyChallengeHash: string
    /** When the challenge itself expires. */
    usedPasskeyChallengeExpires: number
  }
  totp_bindings: {
    factorTOTPBindingFactorUUID: string
    /** Encrypted, see `createKeyring`. */
    factorTOTPBindingSecret: string
    factorTOTPBindingAlg: 'SHA1'
    /** The last time step whose code was accepted; it only rises. */
    factorTOTPBindingLastStep: number
    /** If the newest wrong code was right at another time: by how many steps it missed, and its step. Otherwise both are null. */
    factorTOTPBindingWrongOffset: Generated<number | null>
    factorTOTPBindingWrongStep: Generated<number | null>
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
    /** The number to type on the phone; null for codes. */
    challengeNumber: string | null
    /** 1 if it verifies the factor during enrollment and does not sign the user in. */
    challengeEnrols: Generated<0 | 1>
    /** The browser that asks for the sign-in; null for codes. */
    challengeAddress: string | null
    challengeUserAgent: string | null
    /** The `auditSignIn` of the sign-in that asks. */
    challengeSignIn: Generated<string | null>
  }
  /** One row, which `/readyz` writes. */
  write_probes: { probeId: number; probeAt: number }
  failed_codes: {
    failedCodeUser: string
    failedCodeAttempts: number
    failedCodePausedUntil: number | null
    /** Whether the newest code was checked. */
    failedCodeAllowed: 0 | 1
  }
  recovery_codes: { recoveryCodeUser: string; recoveryCodeHash: string; recoveryCodeCreated: number }
  skips: { skipUser: string; skipCount: number; skipFirst: number }
  tickets: {
    ticketSelector: string
    ticketHash: string
    ticketUser: string
    ticketExpires: number
    /** 1 if it was issued for a typed password. */
    ticketByPassword: number
    /** The factor that this sign-in started, whose secret its pages may show. */
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
    /** For a factor reset: the new factor. */
    mailLinkFactor: string | null
    /** For an address change: the new address. */
    mailLinkEmail: string | null
    mailLinkCreated: number
    mailLinkExpires: number
    mailLinkUsed: number | null
    /** Pseudonyms of the network and the IPv6 /48 that requested it. */
    mailLinkNetwork: string | null
    mailLinkSite: string | null
    /** 1 if the user has signed in with the browser that requested it. */
    mailLinkKnown: 0 | 1
    /** SHA-256 of the cookie of the browser whose tab waits for a one-time link, and the number that the tab shows. */
    mailLinkBinding: Generated<string | null>
    mailLinkNumber: Generated<string | null>
    /** HMAC of the code in the mail, for that browser only. */
    mailLinkCode: Generated<string | null>
    mailLinkCodeAttempts: Generated<number>
    mailLinkNumberAttempts: Generated<number>
  }
  outbox: {
    mailId: string
    /** Encrypted, because its link is a credential. */
    mailContent: string
    mailCreated: number
    mailExpires: number
    mailAttempts: number
    /** The time of the next attempt. A server that claims the row moves it first, so that no other server claims it. */
    mailNext: number
    /** The SMTP status of a permanent refusal. Administrators see such mail for a while, without its links. */
    mailRefused: number | null
  }
  sso_journeys: {
    /** SHA-256 of the state. */
    journeyState: string
    journeyProvider: SSOProvider
    /** SHA-256 of the cookie of the browser that began the journey. */
    journeyBinding: string
    journeyNonce: string
    journeyVerifier: string
    /** The user who links the identity; null for a sign-in. */
    journeyUser: string | null
    journeyExpires: number
  }
  /** When a user last got a notice that is limited to one per period. */
  notices: { noticeUser: string; noticeKind: string; noticeAt: number }
  audit: {
    auditId: string
    auditAt: number
    auditEvent: string
    /** The actor: a user id, `cli`, or null if unknown. */
    auditActor: string | null
    /** The target: a user id, a service, the pseudonym of an unknown username, or null. */
    auditTarget: string | null
    auditResult: string
    auditAddress: string | null
    auditUserAgent: string | null
    auditRequestId: string | null
    /** The same in all steps of one sign-in: SHA-256 of the browser's cookie, shortened. Null outside of sign-ins. */
    auditSignIn: Generated<string | null>
  }
  /** Counted audit rows of sign-in steps, by event, result and quarter of an hour. */
  audit_counts: {
    /** The start of the quarter of an hour. */
    auditCountFrom: number
    auditCountEvent: string
    auditCountResult: string
    auditCountRows: number
  }
  /** Until when the audit has been counted. */
  audit_counted: { auditCountedName: string; auditCountedUntil: number }
}

export type Db = Kysely<Tables> | Transaction<Tables>
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** All columns of an account, for statements that must name them. */
export const userColumns = [
  'userId',
  'userIdent',
  'userPassword',
  'userPasswordKind',
  'userPasswordSalt',
  'userForcedReset',
  'userPasswordByMail',
  'userTZLabel',
  'userLanguage',
  'userLastLanguage',
  'userAzureId',
  'userGoogleId',
  'userPakId',
  'userAzureVouched',
  'userGoogleVouched',
  'userPakVouched',
  'userGroups',
  'userProviderGroups',
  'userCreated',
] as const satisfies (keyof Tables['users'])[]

import type { SSOProvider } from '@gatehouse/wire'
import type { Db } from '../db/schema.ts'

/** A user's identity at a provider. */
export type Identity = { provider: SSOProvider; id: string }

/** The proofs in a request. Anything that is not listed here proves nothing. */
export type Proof = {
  /** A password, a one-time link or a provider identified the user in this sign-in. */
  firstFactor?: true
  /** The right password was typed: in this request, or in an earlier step of this sign-in. */
  password?: 'this-request' | 'this-sign-in'
  /** In this request: a passkey whose authenticator verified the user. */
  passkey?: true
  /** In this request: a code, a phone approval, the first code of the new factor, or a recovery code. */
  secondFactor?: true
  /** The identity that the user signed in with at a provider, in this sign-in. */
  identity?: Identity
  /** A second factor at that provider, which the operator trusts. */
  trustedProvider?: true
  /** A link that the server mailed to the user. */
  mailedLink?: true
  /** `usedFactorRecently`: the session used the account's own second factor in the last 15 minutes. */
  session?: { isFresh: boolean; usedOwnFactor: boolean; usedFactorRecently: boolean }
  /** The link that a signed-in user made for a phone, or that phone's signature. */
  phone?: true
  /** An administrator who authenticated within the last 15 minutes, or the command line. */
  administrator?: true
}

/** The credentials of the account. */
export type Facts = {
  hasPassword: boolean
  isPasswordByMail: boolean
  hasFactor: boolean
  /** The linked identities that the account's own second factor vouched for. */
  vouched: Readonly<Record<SSOProvider, string | null>>
}

/** Each condition that an act can depend on. The name of the first unmet condition is the reason for the refusal. */
const conditions = {
  'first-factor': ({ firstFactor }) => firstFactor === true,
  'typed-password': ({ password }) => password === 'this-request',
  'typed-password-or-passkey': ({ password, passkey }) => password === 'this-request' || passkey === true,
  'typed-password-or-passkey-if-any': ({ password, passkey }, { hasPassword }) =>
    password === 'this-request' || passkey === true || !hasPassword,
  passkey: ({ passkey }) => passkey === true,
  'password-of-this-sign-in': ({ password }) => password !== undefined,
  // A mailbox reader can set such a password, so it proves no more than access to the mailbox.
  'password-not-by-mail': (_, { isPasswordByMail }) => !isPasswordByMail,
  'password-not-by-mail-if-factor': (_, { isPasswordByMail, hasFactor }) => !hasFactor || !isPasswordByMail,
  'no-password': (_, { hasPassword }) => !hasPassword,
  'has-factor': (_, { hasFactor }) => hasFactor,
  'no-factor': (_, { hasFactor }) => !hasFactor,
  'second-factor': ({ secondFactor }) => secondFactor === true,
  // Attack: a mailbox reader links an identity of their own before the owner sets up the first second factor. So the identity must be
  // vouched for.
  'second-factor-if-any': ({ secondFactor, trustedProvider, identity }, { hasFactor, vouched }) =>
    !hasFactor ||
    secondFactor === true ||
    (trustedProvider === true && identity !== undefined && vouched[identity.provider] === identity.id),
  identity: ({ identity }) => identity !== undefined,
  'mailed-link': ({ mailedLink }) => mailedLink === true,
  session: ({ session }) => session !== undefined,
  'fresh-session': ({ session }) => session?.isFresh === true,
  'session-by-factor': ({ session }) => session?.usedOwnFactor === true,
  'session-by-factor-if-any': ({ session }, { hasFactor }) => !hasFactor || session?.usedOwnFactor === true,
  'recent-factor-if-any': ({ session }, { hasFactor }) => !hasFactor || session?.usedFactorRecently === true,
  phone: ({ phone }) => phone === true,
  administrator: ({ administrator }) => administrator === true,
} as const satisfies Record<string, (proof: Proof, facts: Facts) => boolean>
export type Condition = keyof typeof conditions

/**
 * The proofs that using, replacing, adding or removing a credential requires. The table in docs/security.md follows from these rules, and
 * tests try every cell of that table against a real server.
 */
export const rules = {
  'sign-in': ['first-factor', 'second-factor-if-any'],
  'vouch-for-password': ['password-of-this-sign-in', 'second-factor', 'has-factor'],
  'vouch-for-identity': ['identity', 'second-factor', 'has-factor'],
  'offer-first-factor': ['first-factor', 'no-factor'],
  'set-up-first-factor': ['first-factor', 'no-factor'],
  'skip-first-factor': ['first-factor', 'no-factor'],
  'start-replacement': ['typed-password', 'has-factor', 'password-not-by-mail'],
  'open-replacement': ['mailed-link', 'has-factor', 'password-not-by-mail'],
  'complete-replacement': ['typed-password', 'has-factor', 'password-not-by-mail'],
  'confirm-session': ['session', 'typed-password', 'password-not-by-mail-if-factor'],
  'confirm-session-by-passkey': ['session', 'passkey'],
  'add-factor': ['fresh-session', 'session-by-factor-if-any'],
  'add-automatic-passkey': ['session', 'password-of-this-sign-in', 'password-not-by-mail', 'session-by-factor-if-any'],
  'enroll-phone': ['phone'],
  'remove-factor': ['fresh-session', 'has-factor', 'session-by-factor'],
  'remove-optional-passkey': ['fresh-session', 'session-by-factor-if-any'],
  'remove-own-phone': ['phone'],
  'make-recovery-codes': ['fresh-session', 'has-factor', 'session-by-factor'],
  'reset-password': ['mailed-link'],
  'change-password': ['session', 'typed-password'],
  'create-password': ['fresh-session', 'no-password'],
  'ask-for-address': ['fresh-session', 'typed-password-or-passkey', 'session-by-factor-if-any'],
  'confirm-address': ['mailed-link'],
  'link-provider': ['fresh-session', 'typed-password-or-passkey-if-any', 'session-by-factor-if-any'],
  'finish-provider-link': ['session', 'session-by-factor-if-any'],
  'vouch-for-link': ['session', 'has-factor', 'session-by-factor'],
  'unlink-provider': ['fresh-session', 'typed-password-or-passkey-if-any', 'session-by-factor-if-any'],
  // Attack: someone with a stolen session and the password reauthenticates, and creates a pass that outlives both.
  'create-pass': ['fresh-session', 'recent-factor-if-any'],
  // Like a user's pass, a service's pass outlives the session. The account here is that of the administrator who creates the pass.
  'create-service-pass': ['administrator', 'recent-factor-if-any'],
  'administer-credentials': ['administrator'],
  'import-factors': ['administrator', 'no-factor'],
} as const satisfies Record<string, readonly Condition[]>
export type Act = keyof typeof rules

/** Returns the first unmet condition of an act. */
export const unmet = (act: Act, proof: Proof, facts: Facts): Condition | undefined =>
  rules[act].find(condition => !conditions[condition](proof, facts))

const granted = Symbol('granted')

/**
 * Required by every statement that changes a credential. Only `permit` makes one, in the transaction of the change, so no code path can
 * skip the table, and no check is older than the change.
 */
export type Permit<A extends Act = Act> = { readonly tx: Db; readonly userId: string; readonly act: A; readonly [granted]: true }
export type Refused = { refused: Condition }

/** @param tx the transaction in which the facts were read and the account is locked */
export const permit = <A extends Act>(tx: Db, userId: string, act: A, proof: Proof, facts: Facts): Permit<A> | Refused => {
  const refused = unmet(act, proof, facts)
  return refused === undefined ? { tx, userId, act, [granted]: true } : { refused }
}

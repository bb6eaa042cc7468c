import type { CryptoKey, JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { Tables, UsedFactor } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import type { Session } from '../../sessions/session.ts'
import * as signingKeys from './signing-keys.store.ts'

/**
 * The facts that an application learns about the user or program that makes a request. The same facts give the same assertion for
 * `limits.assertion.reuse`.
 */
export type Subject = {
  /** The session or pass. */
  key: string
  sub: string
  email: string
  groups: readonly string[]
  context: { acr: string; amr: readonly string[] }
  /** Epoch milliseconds. */
  authTime: number
  origin: string
}

type Signer = { id: string; key: CryptoKey | Uint8Array }
type Keys = { read: number; signer: Signer; published: JWK[] }

/**
 * Signs the identity of users for protected applications, as a JWT (RFC 7519). An application that verifies it need not trust other
 * headers: a request that bypasses the proxy has no valid JWT.
 */
export const createAssertions = (deps: { db: Kysely<Tables>; keyring: Keyring; publicUrl: string; now: () => number }) => {
  const { db, keyring, publicUrl, now } = deps
  let keys: Keys | undefined
  let reading: Promise<Keys> | undefined
  /** The assertions in memory, in the order in which they were signed. */
  const signed = new Map<string, { subject: Subject; until: number; token: Promise<string> }>()

  const readKeys = async (): Promise<Keys> => {
    const { importJWK } = await import('jose')
    const instant = now()
    for (let attempt = 0; attempt < 3; attempt++) {
      const all = await signingKeys.listKeys(db, keyring)
      const usable = all.filter(({ privateJwk }) => privateJwk !== undefined)
      // A new key is published before it signs. If no other is left, it signs at once.
      const chosen = usable.find(({ active }) => active <= instant) ?? usable.at(-1)
      if (chosen?.privateJwk) {
        const signer = { id: chosen.id, key: await importJWK(chosen.privateJwk, 'ES256') }
        const published = all.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' }))
        return { read: instant, signer, published }
      }
      await signingKeys.addKey(db, keyring, { seen: all[0], now: instant, active: instant })
    }
    throw new Error('no key to sign assertions with')
  }

  /** Returns the keys, and reads them again after `limits.assertion.keysFor`. While the database is down, returns those read before. */
  const currentKeys = async (): Promise<Keys> => {
    if (keys && now() < keys.read + limits.assertion.keysFor && now() >= keys.read) return keys
    reading ??= readKeys().finally(() => (reading = undefined))
    try {
      keys = await reading
    } catch (error) {
      if (!keys) throw error
    }
    return keys
  }

  const sign = async ({ sub, email, origin, groups, context, authTime }: Subject, instant: number): Promise<string> => {
    const { SignJWT } = await import('jose')
    const { signer } = await currentKeys()
    const issued = Math.floor(instant / 1000)
    return new SignJWT({
      email,
      groups: [...groups],
      acr: context.acr,
      ...(context.amr.length > 0 && { amr: [...context.amr] }),
      auth_time: Math.floor(authTime / 1000),
    })
      .setProtectedHeader({ alg: 'ES256', kid: signer.id, typ: 'JWT' })
      .setIssuer(publicUrl)
      .setAudience(origin)
      .setSubject(sub)
      .setIssuedAt(issued)
      .setExpirationTime(issued + limits.assertion.lifetime / 1000)
      .sign(signer.key)
  }

  const forget = (instant: number) => {
    for (const [name, { until }] of signed) {
      if (until > instant && signed.size <= limits.assertion.kept) return
      signed.delete(name)
    }
  }

  /**
   * Returns the assertion for a request that a rule allows. Signs once per session, origin and period. All other code here runs on every
   * check, so keep it cheap.
   */
  const assertionFor = (subject: Subject): Promise<string> => {
    const instant = now()
    const name = `${subject.key} ${subject.origin}`
    const kept = signed.get(name)
    // If the clock was set back, `until` may be too far in the future.
    if (kept && hasSameFacts(kept.subject, subject) && kept.until > instant && kept.until <= instant + limits.assertion.reuse)
      return kept.token
    const token = sign(subject, instant)
    signed.delete(name)
    signed.set(name, { subject, until: instant + limits.assertion.reuse, token })
    token.catch(() => signed.delete(name))
    forget(instant)
    return token
  }

  return {
    /** Reads or creates the key, so that no check waits for it. */
    prepare: async () => void (await currentKeys()),
    assertionFor,
    /** The public keys (RFC 7517 §5). */
    keySet: async () => ({ keys: (await currentKeys()).published }),
    /** How many assertions are in memory. */
    size: () => signed.size,
  }
}
export type Assertions = ReturnType<typeof createAssertions>

/** Compares two subjects that have the same key and origin. */
const hasSameFacts = (one: Subject, other: Subject): boolean =>
  one.sub === other.sub &&
  one.email === other.email &&
  one.authTime === other.authTime &&
  one.context.acr === other.context.acr &&
  areEqual(one.context.amr, other.context.amr) &&
  areEqual(one.groups, other.groups)

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, i) => text === other[i])

/** The facts that a session contains about its user. */
export const factsOfSession = (session: Session): Omit<Subject, 'origin' | 'groups'> => ({
  key: session.sessionSelector,
  sub: session.userId,
  email: session.userIdent,
  context: contextOf(session.sessionFactor),
  authTime: session.sessionConfirmed ?? session.sessionCreated,
})

/**
 * How the user signed in. `acr`: `phr` means phishing-resistant (OpenID Connect EAP ACR Values), `mfa` two factors, `sfa` one. `amr`: the
 * methods of RFC 8176 §2, which defines none for a provider.
 */
const contextOf = (factor: UsedFactor | null): { acr: string; amr: string[] } => {
  switch (factor) {
    case null:
      return { acr: 'sfa', amr: [] }
    case 'Passkey':
      return { acr: 'phr', amr: ['pop', 'user', 'mfa'] }
    case 'TOTP':
    case 'RecoveryCode':
      return { acr: 'mfa', amr: ['otp', 'mfa'] }
    case 'Push':
      return { acr: 'mfa', amr: ['swk', 'user', 'mfa'] }
    case 'Provider':
      return { acr: 'mfa', amr: ['mfa'] }
  }
}

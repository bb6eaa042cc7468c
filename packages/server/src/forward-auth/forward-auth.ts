import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { isSelector } from '../keys/secrets.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import type { Session } from '../sessions/session.ts'
import type { People, ProtectedOrigin } from './protected-origin.ts'
import * as returnAddresses from './return-addresses.store.ts'

/** What a signed-in user lacks to get access. */
export type Lack = 'people' | 'second-factor' | 'passkey'

/** What the proxy does with a request. */
export type Verdict =
  | { is: 'Unprotected' }
  | { is: 'SignedOut' }
  | { is: 'Lacking'; lack: Lack; userIdent: string }
  | { is: 'Allowed'; userIdent: string; administrator: boolean }

/** Where a browser continues after a sign-in. */
export type Return =
  | { is: 'Allowed'; location: string; cameBack: CameBack | undefined }
  | { is: 'Lacking'; lack: Lack; userIdent: string; origin: string }

/** Set if a check redirected to sign-in although a session existed. Repeated, this is a redirect loop. */
export type CameBack = { hadCookie: boolean; origin: string }

/** Decides who may open a protected application, and stores the addresses to return to after the sign-in. */
export const createForwardAuth = (deps: {
  db: Kysely<Tables>
  protectedOrigins: readonly ProtectedOrigin[]
  isAdministrator: (userIdent: string) => boolean
  passkeyDue: PasskeyDueOf
  now: () => number
}) => {
  const { db, isAdministrator, now } = deps
  const byOrigin = new Map(deps.protectedOrigins.map(one => [one.origin, one]))

  const isOneOf = (userIdent: string, people: People): boolean => {
    switch (people.is) {
      case 'Administrators':
        return isAdministrator(userIdent)
      case 'Address':
        return people.userIdent === userIdent
      case 'Domain':
        return userIdent.endsWith(`@${people.domain}`)
    }
  }

  const judge = (origin: string, session: Session | undefined): Verdict => {
    const rule = byOrigin.get(origin)
    if (!rule) return { is: 'Unprotected' }
    if (!session) return { is: 'SignedOut' }
    const { userIdent } = session
    const isAllowed = rule.people.length === 0 || rule.people.some(people => isOneOf(userIdent, people))
    if (!isAllowed) return { is: 'Lacking', lack: 'people', userIdent }
    if (rule.secondFactor && session.sessionFactor === null) return { is: 'Lacking', lack: 'second-factor', userIdent }
    const needsPasskey = (rule.phishingResistant && session.sessionFactor !== 'Passkey') || deps.passkeyDue(session)?.is === 'Now'
    if (needsPasskey) return { is: 'Lacking', lack: 'passkey', userIdent }
    return { is: 'Allowed', userIdent, administrator: isAdministrator(userIdent) }
  }

  /**
   * Stores an address to return to, if its origin is protected.
   * @returns its id
   */
  const keepReturn = async (target: string, hadCookie: boolean): Promise<string | undefined> => {
    if (!byOrigin.has(URL.parse(target)?.origin ?? '')) return undefined
    return returnAddresses.keepReturn(db, target, hadCookie, now())
  }

  /** Finds a stored address if its origin is still protected: the configuration may have changed. */
  const findReturn = async (returnId: string | undefined) => {
    if (!isSelector(returnId)) return undefined
    const kept = await returnAddresses.findReturn(db, returnId, now())
    const origin = kept && URL.parse(kept.returnTarget)?.origin
    return kept && origin && byOrigin.has(origin)
      ? {
          location: kept.returnTarget + (kept.returnFragment ?? ''),
          origin,
          hadCookie: kept.returnHadCookie === 1,
          created: kept.returnCreated,
        }
      : undefined
  }

  /** Where a signed-in user continues. `undefined` means the dashboard. */
  const goOn = async (returnId: string | undefined, session: Session): Promise<Return | undefined> => {
    const kept = await findReturn(returnId)
    if (!kept) return undefined
    const { origin, location } = kept
    const verdict = judge(origin, session)
    switch (verdict.is) {
      case 'Allowed': {
        // Tabs that were open before the sign-in return once each. A loop stores its addresses after the sign-in.
        const cameBack = kept.created > session.sessionCreated ? { hadCookie: kept.hadCookie, origin } : undefined
        return { is: 'Allowed', location, cameBack }
      }
      case 'Lacking':
        return { ...verdict, origin }
      case 'Unprotected':
      case 'SignedOut':
        return undefined
    }
  }

  /** Where a user continues after signing in. If they lack access, that page tells them. */
  const locationOf = async (returnId: string | undefined): Promise<string | undefined> => (await findReturn(returnId))?.location

  const keepFragment = (fragment: { returnId: string; returnFragment: string }) => returnAddresses.keepFragment(db, fragment, now())

  return { judge, keepReturn, goOn, locationOf, keepFragment, isProtected: (origin: string) => byOrigin.has(origin), now }
}
export type ForwardAuth = ReturnType<typeof createForwardAuth>

/** Replaces the id in the address when no address could be stored. It shows that a check redirected the browser. */
export const nothingKept = 'none'

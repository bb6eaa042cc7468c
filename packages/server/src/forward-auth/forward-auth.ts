import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { isSelector } from '../keys/secrets.ts'
import type { Session } from '../sessions/session.ts'
import type { People, ProtectedOrigin } from './protected-origin.ts'
import * as returnAddresses from './return-addresses.store.ts'

/** What somebody who is signed in lacks to enter. */
export type Lack = 'people' | 'second-factor'

/** What a proxy is to do with a request. */
export type Verdict =
  | { is: 'Unprotected' }
  | { is: 'SignedOut' }
  | { is: 'Lacking'; lack: Lack; userIdent: string }
  | { is: 'Allowed'; userIdent: string; administrator: boolean }

/** Where a browser goes on to after a sign-in. */
export type Return =
  | { is: 'Allowed'; location: string; cameBack: CameBack | undefined }
  | { is: 'Lacking'; lack: Lack; userIdent: string; origin: string }

/** Sent to sign in by a check although a session was there already: one turn of a loop, if it happens again and again. */
export type CameBack = { hadCookie: boolean; origin: string }

/** Decides who may enter what stands behind a proxy, and keeps where people wanted to go. */
export const createForwardAuth = (deps: {
  db: Kysely<Tables>
  protectedOrigins: readonly ProtectedOrigin[]
  isAdministrator: (userIdent: string) => boolean
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
    const isMeant = rule.people.length === 0 || rule.people.some(people => isOneOf(userIdent, people))
    if (!isMeant) return { is: 'Lacking', lack: 'people', userIdent }
    if (rule.secondFactor && session.sessionFactor === null) return { is: 'Lacking', lack: 'second-factor', userIdent }
    return { is: 'Allowed', userIdent, administrator: isAdministrator(userIdent) }
  }

  /**
   * Keeps an address to go back to. No other than one of a protected origin ever is.
   * @returns its id
   */
  const keepReturn = async (target: string, hadCookie: boolean): Promise<string | undefined> => {
    if (!byOrigin.has(URL.parse(target)?.origin ?? '')) return undefined
    return returnAddresses.keepReturn(db, target, hadCookie, now())
  }

  /** An address that was kept, if it may still be gone to: the list of origins may be another by now. */
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

  /** Where somebody who is signed in goes on to; nothing where that is the dashboard. */
  const goOn = async (returnId: string | undefined, session: Session): Promise<Return | undefined> => {
    const kept = await findReturn(returnId)
    if (!kept) return undefined
    const { origin, location } = kept
    const verdict = judge(origin, session)
    switch (verdict.is) {
      case 'Allowed': {
        // Of several tabs that were open before the sign-in each comes by once; a loop makes its addresses after it.
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

  /** Where the one goes on to who has just signed in; who may not enter there is told there. */
  const locationOf = async (returnId: string | undefined): Promise<string | undefined> => (await findReturn(returnId))?.location

  const keepFragment = (fragment: { returnId: string; returnFragment: string }) => returnAddresses.keepFragment(db, fragment, now())

  return { judge, keepReturn, goOn, locationOf, keepFragment, isProtected: (origin: string) => byOrigin.has(origin), now }
}
export type ForwardAuth = ReturnType<typeof createForwardAuth>

/** Stands in an address where an id would, when nothing could be kept: whoever comes by it was led here by a check. */
export const nothingKept = 'none'

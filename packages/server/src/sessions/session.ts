import type { UsedFactor } from '../db/schema.ts'
import { limits } from '../limits.ts'

export type Session = {
  sessionSelector: string
  sessionCreated: number
  sessionSeen: number
  sessionExpires: number
  sessionFactor: UsedFactor | null
  sessionConfirmed: number | null
  sessionFactorAt: number | null
  sessionCheckSelector: string | null
  userId: string
  userIdent: string
  /** The language that the user chose. */
  userLanguage: string | null
  userGroups: string
  userProviderGroups: string
}

/** Whether the user proved their identity recently. Changes that a stolen session must not allow require this. */
export const isFresh = ({ sessionCreated, sessionConfirmed }: Session, now: number): boolean =>
  (sessionConfirmed ?? sessionCreated) + limits.session.fresh > now

/**
 * Whether the session used a second factor of the account. A session with only a provider's factor must not change the account's factors.
 */
export const usedOwnFactor = ({ sessionFactor }: Session): boolean => sessionFactor !== null && sessionFactor !== 'Provider'

/** The facts that a session contributes to a credential rule. */
export const provenBy = (session: Session, now: number) => ({
  isFresh: isFresh(session, now),
  usedOwnFactor: usedOwnFactor(session),
  usedFactorRecently: usedOwnFactor(session) && (session.sessionFactorAt ?? session.sessionCreated) + limits.session.fresh > now,
})

import type { Session } from './model.ts'
import type { Turn } from './turn.ts'

/** The server's answers when it refuses a session. */
const stale = '403 Sign in again first; the last time was more than 15 minutes ago'
export const lower = '403 factor: sign in with your second factor first'
const out = '401 Sign in first'

/** The session the visitor presents, or the expected refusal. */
export const shown = ({ scenario: { model }, visitor }: Turn, wants?: 'fresh'): Session | string => {
  const session = model.session(visitor)
  if (!session) return out
  return wants && !model.isFresh(session) ? stale : session
}

/** Ends everything except the session that acted. */
export const endOthers = ({ scenario: { model } }: Turn, session: Session) => {
  model.endEverything(session)
  model.endPending()
  model.voidLinks()
}

import type { UsedFactor } from '../db/schema.ts'

/** The users who must sign in with a passkey, and from when. Until then the server only reminds them. */
export type PhishingResistance = { of: 'administrators' | 'everyone'; from: number }

/** `Now`: the session opens the account page only, where the user can add a passkey. `Soon`: it opens everything until `from`. */
export type PasskeyDue = { is: 'Now' } | { is: 'Soon'; from: number }

/** Decides from when the user of a session must use a passkey, because a fake sign-in page can relay every other factor. */
export const createPhishingResistance = (deps: {
  phishingResistance: PhishingResistance | undefined
  isAdministrator: (userIdent: string) => boolean
  now: () => number
}) => {
  const { phishingResistance: rule, isAdministrator, now } = deps

  const passkeyDue = (session: { userIdent: string; sessionFactor: UsedFactor | null }): PasskeyDue | undefined => {
    if (!rule || session.sessionFactor === 'Passkey') return undefined
    if (rule.of === 'administrators' && !isAdministrator(session.userIdent)) return undefined
    return rule.from <= now() ? { is: 'Now' } : { is: 'Soon', from: rule.from }
  }

  return { passkeyDue }
}
export type PasskeyDueOf = ReturnType<typeof createPhishingResistance>['passkeyDue']

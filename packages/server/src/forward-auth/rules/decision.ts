import type { UsedFactor } from '../../db/schema.ts'
import type { Effect, Requirement, Who } from './rule.ts'

/** Who makes a request. */
export type Subject = { is: 'SignedOut' } | SignedIn

/** The facts that rules match users by, and that applications learn. */
export type Named = { userIdent: string; administrator: boolean; groups: readonly string[] }

export type SignedIn = Named & {
  is: 'SignedIn'
  factor: UsedFactor | null
  /** Whether the policy for all applications asks this user for a passkey, whatever the rule says. */
  passkeyDue: boolean
  /** When the user last signed in or reauthenticated. */
  provenAt: number
  /**
   * When the user last signed in or reauthenticated with a second factor. Undefined without one.
   */
  factorProvenAt: number | undefined
}

/** A step that a signed-in user has to take first. `maxAge` is in milliseconds. */
export type StepUp = { is: 'SecondFactor' } | { is: 'Passkey' } | { is: 'Fresh'; maxAge: number }

/** `denied`: the rule refuses every user. `not-named`: the rule does not name this user. */
export type Refusal = 'denied' | 'not-named'

export type Decision =
  /** Needs no sign-in. If the user is signed in, the application still gets their identity. */
  | { is: 'AllowedToEveryone' }
  | { is: 'Allowed' }
  | { is: 'NeedsSignIn' }
  | { is: 'NeedsStepUp'; stepUp: StepUp }
  | { is: 'Refused'; why: Refusal }

/** Applies a matching rule to the user who makes the request. */
export const decide = (effect: Effect, subject: Subject, now: number): Decision => {
  switch (effect.is) {
    case 'Deny':
      return { is: 'Refused', why: 'denied' }
    case 'Everyone':
      return { is: 'AllowedToEveryone' }
    case 'Allow': {
      if (subject.is === 'SignedOut') return { is: 'NeedsSignIn' }
      if (!effect.who.some(who => isOne(subject, who))) return { is: 'Refused', why: 'not-named' }
      const stepUp = stepUpOf(effect.require, subject, now)
      return stepUp ? { is: 'NeedsStepUp', stepUp } : { is: 'Allowed' }
    }
  }
}

/** A program that shows a pass. A service is not a user, so no rule names it. */
export type PassSubject = Named & { is: 'Pass'; isService: boolean }

/**
 * `no-passes`: the rule does not name `pass`. `not-named`: the rule names `pass`, but not the owner. `needs-user`: the rule requires a step
 * that only a user can take.
 */
export type PassRefusal = 'denied' | 'no-passes' | 'not-named' | 'needs-user'

export type PassDecision = { is: 'Allowed' } | { is: 'Refused'; why: PassRefusal }

/** Applies a rule to a pass. The rule must admit everyone or name `pass`, and a user's pass opens at most what the user may open. */
export const decideForPass = (effect: Effect, subject: PassSubject): PassDecision => {
  switch (effect.is) {
    case 'Deny':
      return { is: 'Refused', why: 'denied' }
    case 'Everyone':
      return { is: 'Allowed' }
    case 'Allow': {
      const { who, require } = effect
      if (!who.some(one => one.is === 'Pass')) return { is: 'Refused', why: 'no-passes' }
      if (!subject.isService && !who.some(one => isOne(subject, one))) return { is: 'Refused', why: 'not-named' }
      const needsUser = require.secondFactor || require.phishingResistant || require.fresh !== undefined
      return needsUser ? { is: 'Refused', why: 'needs-user' } : { is: 'Allowed' }
    }
  }
}

const isOne = ({ userIdent, administrator, groups }: Named, who: Who): boolean => {
  switch (who.is) {
    case 'Users':
      return true
    case 'Administrators':
      return administrator
    case 'Address':
      return who.userIdent === userIdent
    case 'Domain':
      return userIdent.endsWith(`@${who.domain}`)
    case 'Group':
      return groups.includes(who.group)
    // `pass` names programs, not users.
    case 'Pass':
      return false
  }
}

/** Returns the first missing step. Freshness comes last, because a passkey also makes the session fresh. */
const stepUpOf = (
  require: Requirement,
  { factor, passkeyDue, provenAt, factorProvenAt = 0 }: SignedIn,
  now: number,
): StepUp | undefined => {
  if (require.secondFactor && factor === null) return { is: 'SecondFactor' }
  if (passkeyDue || (require.phishingResistant && factor !== 'Passkey')) return { is: 'Passkey' }
  // Attack: an attacker with the password reauthenticates a stolen session that its owner opened
  // with a second factor.
  const provedAt = require.secondFactor || require.phishingResistant ? factorProvenAt : provenAt
  // A time in the future was stored before the clock was set back, so its age is unknown.
  const age = now - provedAt
  if (require.fresh !== undefined && (age < 0 || age >= require.fresh)) return { is: 'Fresh', maxAge: require.fresh }
  return undefined
}

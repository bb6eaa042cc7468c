import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { isSelector } from '../keys/secrets.ts'
import type { Pass } from '../passes/pass.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import type { Session } from '../sessions/session.ts'
import * as returnAddresses from './return-addresses.store.ts'
import { type Decision, decide, type PassSubject, type Refusal, type SignedIn, type StepUp, type Subject } from './rules/decision.ts'
import { groupsIn } from './rules/group-names.ts'
import type { Rule } from './rules/rule.ts'
import type { AskedRequest } from './rules/rule-set.ts'
import type { RulesSource } from './rules-file/rules-source.ts'

/** Why a signed-in user gets no access, or what they have to do first. */
export type Obstacle = { is: 'Refused'; why: Refusal | 'no-rule' } | { is: 'NeedsStepUp'; stepUp: StepUp }

/** Where a browser continues after a sign-in. */
export type Return =
  | { is: 'Allowed'; location: string; cameBack: CameBack | undefined }
  | { is: 'Stopped'; obstacle: Obstacle; userIdent: string; origin: string }

/** Set if a check redirected to sign-in although a session existed. If this repeats, it is a redirect loop. */
export type CameBack = { hadCookie: boolean; origin: string }

/** Decides who may open a protected application, and stores the addresses to return to after the sign-in. */
export const createForwardAuth = (deps: {
  db: Kysely<Tables>
  rules: RulesSource
  isAdministrator: (userIdent: string) => boolean
  passkeyDue: PasskeyDueOf
  now: () => number
}) => {
  const { db, rules, isAdministrator, now } = deps
  const isProtected = (origin: string) => rules.current().isProtected(origin)
  const protectsAny = () => rules.current().origins.length > 0

  /** The user's groups: from the rules file, from administrators and from a provider. */
  const groupsOf = ({
    userIdent,
    userGroups,
    userProviderGroups,
  }: Pick<Session, 'userIdent' | 'userGroups' | 'userProviderGroups'>): string[] => {
    const fromFile = rules.groupsOf(userIdent)
    if (userGroups === '' && userProviderGroups === '') return [...fromFile]
    return [...new Set([...fromFile, ...groupsIn(userGroups), ...groupsIn(userProviderGroups)])]
  }

  const signedIn = (session: Session): SignedIn => ({
    is: 'SignedIn',
    userIdent: session.userIdent,
    administrator: isAdministrator(session.userIdent),
    groups: groupsOf(session),
    factor: session.sessionFactor,
    passkeyDue: deps.passkeyDue(session)?.is === 'Now',
    provenAt: session.sessionConfirmed ?? session.sessionCreated,
    factorProvenAt: session.sessionFactor === null ? undefined : (session.sessionFactorAt ?? session.sessionCreated),
  })
  const subjectOf = (session: Session | undefined): Subject => (session ? signedIn(session) : { is: 'SignedOut' })

  /** While the database is unreachable, administrators count as ordinary users in rules, and applications do not learn of the role. */
  const bridgedSubjectOf = (session: Session): SignedIn => ({ ...signedIn(session), administrator: false })

  const subjectOfPass = ({ owner }: Pass): PassSubject => {
    // No user can have an address of the domain `invalid` (RFC 2606 §2).
    if (owner.is === 'Service')
      return { is: 'Pass', isService: true, userIdent: `${owner.service}@service.invalid`, administrator: false, groups: [] }
    const { userIdent } = owner
    return { is: 'Pass', isService: false, userIdent, administrator: isAdministrator(userIdent), groups: groupsOf(owner) }
  }

  /** The rule of a request. It does not depend on the user. */
  const findRule = (asked: AskedRequest) => rules.current().find(asked)

  const judge = ({ effect }: Rule, subject: Subject): Decision => decide(effect, subject, now())

  /** Whether a rule still admits a session while the database is unreachable. */
  const mayBridge = (rule: Rule, session: Session, subject: Subject): boolean => {
    const { effect } = rule
    if (deps.passkeyDue({ ...session, sessionFactor: null })?.is === 'Now') return false
    const requires =
      effect.is === 'Allow' && (effect.require.secondFactor || effect.require.phishingResistant || effect.require.fresh !== undefined)
    return !requires && ['Allowed', 'AllowedToEveryone'].includes(judge(rule, subject).is)
  }

  /** The obstacle that keeps a signed-in user from opening an address in the browser. */
  const obstacleAt = (target: string, session: Session, address: string): Obstacle | undefined => {
    const { origin } = new URL(target)
    const found = findRule({ origin, uri: target.slice(origin.length), method: 'GET', address })
    if (found.is !== 'Rule') return { is: 'Refused', why: 'no-rule' }
    const decision = judge(found.rule, signedIn(session))
    switch (decision.is) {
      case 'AllowedToEveryone':
      case 'Allowed':
      case 'NeedsSignIn':
        return undefined
      case 'NeedsStepUp':
      case 'Refused':
        return decision
    }
  }

  /**
   * Stores an address to return to, if its origin is protected.
   * @returns its id
   */
  const keepReturn = async (target: string, hadCookie: boolean): Promise<string | undefined> => {
    if (!isProtected(URL.parse(target)?.origin ?? '')) return undefined
    return returnAddresses.keepReturn(db, target, hadCookie, now())
  }

  /** Finds a stored address if its origin is still protected: the rules may have changed. */
  const findReturn = async (returnId: string | undefined) => {
    if (!isSelector(returnId)) return undefined
    const kept = await returnAddresses.findReturn(db, returnId, now())
    const origin = kept && URL.parse(kept.returnTarget)?.origin
    return kept && origin && isProtected(origin)
      ? {
          target: kept.returnTarget,
          location: kept.returnTarget + (kept.returnFragment ?? ''),
          origin,
          hadCookie: kept.returnHadCookie === 1,
          created: kept.returnCreated,
        }
      : undefined
  }

  /** Where a signed-in user continues. `undefined` means the dashboard. */
  const goOn = async (returnId: string | undefined, session: Session, address: string): Promise<Return | undefined> => {
    const kept = await findReturn(returnId)
    if (!kept) return undefined
    const { origin, location } = kept
    const obstacle = obstacleAt(kept.target, session, address)
    if (obstacle) return { is: 'Stopped', obstacle, userIdent: session.userIdent, origin }
    // Tabs that were open before the sign-in return once each. A redirect loop stores its addresses after the sign-in.
    const cameBack = kept.created > session.sessionCreated ? { hadCookie: kept.hadCookie, origin } : undefined
    return { is: 'Allowed', location, cameBack }
  }

  /** The address where a user continues after signing in. This does not check access: the page that opens there explains a refusal. */
  const locationOf = async (returnId: string | undefined): Promise<string | undefined> => (await findReturn(returnId))?.location

  const keepFragment = (fragment: { returnId: string; returnFragment: string }) => returnAddresses.keepFragment(db, fragment, now())

  return {
    findRule,
    judge,
    subjectOf,
    bridgedSubjectOf,
    mayBridge,
    subjectOfPass,
    obstacleAt,
    keepReturn,
    goOn,
    locationOf,
    keepFragment,
    isProtected,
    protectsAny,
    origins: () => rules.current().origins,
    now,
  }
}
export type ForwardAuth = ReturnType<typeof createForwardAuth>

/** Stands in for the return id when the server stored no return address. It still shows that a check redirected the browser. */
export const nothingKept = 'none'

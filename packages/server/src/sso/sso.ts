import type { SSOProvider } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { ProviderResult } from '../audit/audit-events.ts'
import type { Permit, Proof } from '../credentials/credential-rules.ts'
import { isTaken } from '../database-fault.ts'
import type { Db, Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import * as factors from '../factors/factors.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import type { Mail } from '../mail/mail.ts'
import { revokeOthers } from '../sessions/access-revocation.ts'
import { isFresh, provenBy, type Session } from '../sessions/session.ts'
import { sessionExists } from '../sessions/sessions.store.ts'
import type { Confirmed } from '../sign-in/authenticate.ts'
import type { Again, AuthenticateAgain } from '../sign-in/authenticate-again.ts'
import type { SignedIn, SignIn } from '../sign-in/sign-in.ts'
import { providerIdOf } from '../users/linked-identities.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { type Identity, type IdentityRefusal, isDownCode, type OpenId } from './openid.ts'
import type { ProviderConfig } from './provider-config.ts'
import { errorCode, failureOf, ProviderDown } from './provider-failure.ts'
import { createProviderOutages } from './provider-outages.ts'
import * as journeys from './sso-journeys.store.ts'

/** The result of a journey to a provider. */
export type Arrival =
  | { is: 'SignedIn'; signedIn: SignedIn }
  | { is: 'Linked' }
  /** `over`: the journey is unknown, used or expired, or another browser began it. `taken`: the identity belongs to another user. */
  | { is: 'Refused'; why: 'over' | 'cancelled' | 'failed' | 'unavailable' | 'unknown-identity' | 'name-taken' | 'taken' | 'forced-reset' }

/** A signed-in user who has reauthenticated, before the transaction of the change. */
type Owner = Disposable & {
  proof: Proof
  /** Locks the account's row. Returns undefined if, since the check, the password was changed or the account deleted. */
  confirm: (tx: Db) => Promise<{ account: accounts.Account } | undefined>
  refuse: (tx: Db) => Promise<'wrong-password' | 'stale'>
}

/** Single sign-on: the redirect to a provider, and the sign-in or link after the return (OpenID Connect Core, RFC 9700). */
export const createSso = (deps: {
  db: Kysely<Tables>
  authenticateAgain: AuthenticateAgain
  signIn: SignIn
  mail: Mail
  providers: readonly ProviderConfig[]
  /** Whether users of a provider who have no account get one. */
  provision: boolean
  openId: OpenId
  /** `undefined` while passkeys are off. */
  ceremonies: Pick<PasskeyCeremonies, 'rpId'> | undefined
  isAdministrator: (userIdent: string) => boolean
  now: () => number
  log: { warn: (of: object, message: string) => void }
}) => {
  const { db, signIn, mail, openId, now, log } = deps

  const outages = createProviderOutages(now)

  const find = (provider: SSOProvider) => deps.providers.find(one => one.provider === provider)

  /**
   * Returns the provider's address, and the cookie value that binds the journey to this browser. `undefined` if the provider does not
   * respond.
   */
  const depart = async (
    provider: ProviderConfig,
    userId: string | null,
    bound: string | undefined,
    again = userId !== null,
  ): Promise<{ location: string; binding: string } | undefined> => {
    let locationOf: (departure: journeys.Departure, again: boolean) => Promise<URL>
    try {
      locationOf = await openId.prepareRedirect(provider)
    } catch (error) {
      log.warn({ provider: provider.name, ...failureOf(error) }, 'provider could not be reached')
      outages.note(provider.name)
      return undefined
    }
    const departure = await journeys.beginJourney(db, provider.provider, userId, bound, now())
    const location = await locationOf(departure, again)
    return { location: location.href, binding: departure.binding }
  }

  /**
   * Handles a browser's return from a provider.
   * @param query the parameters that the provider added
   */
  const arrive = async (
    provider: ProviderConfig,
    query: URLSearchParams,
    binding: string,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<Arrival> => {
    const note = (result: ProviderResult, userId: string | null = null) =>
      audit.record(db, { event: 'sso', result: `${provider.name}: ${result}`, actor: userId, target: userId, now: now() }, visitor)
    const refuse = async (why: Extract<Arrival, { is: 'Refused' }>['why'], userId: string | null = null): Promise<Arrival> => {
      await note(why, userId)
      return { is: 'Refused', why }
    }
    /** Refuses a journey that was started to link an identity. The audit log does not count it as a sign-in. */
    const refuseLinking = async (why: Extract<Arrival, { is: 'Refused' }>['why'], userId: string | null = null): Promise<Arrival> => {
      await note(`not linked: ${why}`, userId)
      return { is: 'Refused', why }
    }
    const state = query.get('state')
    if (!state || query.getAll('state').length > 1) return refuse('over')
    const journey = await journeys.endJourney(db, { provider: provider.provider, state, binding }, now())
    if (!journey) return refuse('over')
    const linkingUser = journey.journeyUser
    const refuseJourney = linkingUser === null ? refuse : refuseLinking
    const error = query.get('error')
    if (error === 'access_denied') return refuseJourney('cancelled')
    if (error !== null) {
      log.warn({ provider: provider.name, error: errorCode(error) }, 'provider returned an error')
      return refuseJourney(isDownCode(error) ? 'unavailable' : 'failed')
    }
    let identity: Identity | { refused: IdentityRefusal }
    try {
      identity = await openId.identify(provider, query, state, journey)
    } catch (error) {
      log.warn({ provider: provider.name, ...failureOf(error) }, 'provider reply rejected')
      const isDown = error instanceof ProviderDown
      if (isDown) outages.note(provider.name)
      else outages.end(provider.name)
      return refuseJourney(isDown ? 'unavailable' : 'failed')
    }
    outages.end(provider.name)
    if ('refused' in identity) {
      log.warn({ provider: provider.name, reason: identity.refused }, 'identity from the provider refused')
      return refuseJourney('failed')
    }
    return linkingUser === null
      ? enter(provider, identity, visitor, refuse)
      : link(provider, identity, linkingUser, caller, visitor, refuseLinking)
  }

  const enter = async (
    provider: ProviderConfig,
    identity: Identity,
    visitor: Visitor,
    refuse: (why: 'unknown-identity' | 'name-taken') => Promise<Arrival>,
  ): Promise<Arrival> => {
    const attempt = () => enterOnce(provider, identity, visitor)
    // Another tab of the same user added the account after this one had looked for it. The second attempt finds it.
    const arrival = await attempt().catch((error: unknown) => {
      if (isTaken(error)) return attempt()
      throw error
    })
    return arrival.is === 'Unknown' ? refuse(arrival.why) : arrival
  }

  const enterOnce = (
    provider: ProviderConfig,
    identity: Identity,
    visitor: Visitor,
  ): Promise<Arrival | { is: 'Unknown'; why: 'unknown-identity' | 'name-taken' }> =>
    db.transaction().execute(async tx => {
      const find = () => accounts.findByProvider(tx, provider.provider, identity.id)
      const known = await find()
      const claimedName = deps.provision && !known && identity.email ? canonicalUsername(identity.email) : undefined
      // Attack: a provider claims an administrator's address. That address alone would make the new account an administrator's.
      const email = claimedName !== undefined && deps.isAdministrator(claimedName) ? undefined : claimedName
      // If the name exists, another tab of the same user may have just added it.
      const userId =
        email === undefined ? known?.userId : ((await provisioned(tx, provider, identity, email, visitor)) ?? (await find())?.userId)
      const account = userId === undefined ? undefined : await accounts.lockAccount(tx, userId)
      const isNameTaken = claimedName !== undefined && (await accounts.findByIdent(tx, claimedName)) !== undefined
      // An account with the same address may belong to another user, or an attacker may have created it in advance (A10). Never take it
      // over.
      if (!account || providerIdOf(account, provider.provider) !== identity.id)
        return { is: 'Unknown', why: isNameTaken ? 'name-taken' : 'unknown-identity' }
      if (identity.groups) await accounts.setProviderGroups(tx, account, identity.groups)
      const proof: Proof = { firstFactor: true, identity: { provider: provider.provider, id: identity.id } }
      const confirmed: Confirmed = { tx, account, proof, event: 'sso', by: provider.name }
      const signedIn = (await isEnough(confirmed, identity))
        ? await signIn.issue(confirmed, visitor, { factor: 'Provider', hasFactor: await factors.hasVerified(tx, account.userId) })
        : await signIn.proceed(confirmed, visitor)
      if (signedIn.outcome.tag === 'AuthFailureForcedReset') return { is: 'Refused', why: 'forced-reset' }
      return { is: 'SignedIn', signedIn: await signIn.addTicket(confirmed, signedIn) }
    })

  /** Whether the provider's second factor completes the sign-in. If not, the sign-in continues as if the provider had reported none. */
  const isEnough = async ({ tx, account, proof }: Confirmed, { usedSecondFactor }: Identity): Promise<boolean> => {
    if (!usedSecondFactor || account.userForcedReset) return false
    return !('refused' in (await ask(tx, account, 'sign-in', { ...proof, trustedProvider: true })))
  }

  const provisioned = async (tx: Db, provider: ProviderConfig, identity: Identity, userIdent: string, visitor: Visitor) => {
    const userId = await accounts.addAccount(tx, {
      userIdent,
      userPassword: null,
      userTZLabel: 'UTC',
      identity: { provider: provider.provider, id: identity.id },
      now: now(),
    })
    if (userId === undefined) return undefined
    await audit.record(tx, { event: 'user-added', result: `by ${provider.name}`, actor: null, target: userId, now: now() }, visitor)
    return userId
  }

  /** Links the identity if the user who began the journey is still signed in, in the same browser. */
  const link = async (
    provider: ProviderConfig,
    identity: Identity,
    userId: string,
    caller: Session | undefined,
    visitor: Visitor,
    refuse: (why: 'over' | 'taken', userId: string) => Promise<Arrival>,
  ): Promise<Arrival> => {
    if (caller?.userId !== userId) return refuse('over', userId)
    const linking = db.transaction().execute(async (tx): Promise<'linked' | 'over' | 'taken'> => {
      const account = await accounts.lockAccount(tx, userId)
      // The session may have been ended during the request to the provider, because an attacker had it.
      if (!account || account.userForcedReset || !(await sessionExists(tx, caller.sessionSelector))) return 'over'
      if (await accounts.findByProvider(tx, provider.provider, identity.id)) return 'taken'
      // Each user has one identity at each provider. A second one would silently replace the first.
      if (providerIdOf(account, provider.provider) !== null) return 'taken'
      const linkable = await ask(tx, account, 'finish-provider-link', { session: provenBy(caller, now()) })
      if ('refused' in linkable) return 'over'
      await accounts.setProvider(linkable, provider.provider, identity.id)
      const vouched = await ask(tx, account, 'vouch-for-link', { session: provenBy(caller, now()) })
      if (!('refused' in vouched)) await accounts.vouchForIdentity(vouched, { provider: provider.provider, id: identity.id })
      await mail.notify(tx, account, { kind: 'provider-linked', provider: provider.provider }, visitor)
      const said = { event: 'sso', result: `${provider.name}: linked`, actor: userId, target: userId, now: now() } as const
      await audit.record(tx, said, visitor)
      return 'linked'
    })
    // Two users may link the same identity at the same time.
    const linked = await linking.catch((error: unknown) => {
      if (isTaken(error)) return 'taken' as const
      throw error
    })
    return linked === 'linked' ? { is: 'Linked' } : refuse(linked, userId)
  }

  /**
   * Verifies the password or a passkey. If the account has no password and the request no passkey, the session alone is the proof. Returns
   * undefined if the password or passkey is wrong.
   */
  const proveOwner = async (session: Session, again: Again, visitor: Visitor): Promise<Owner | undefined> => {
    const { userId } = session
    const account = await accounts.findById(db, userId)
    if (account?.userPassword !== null || again.credential) {
      const first = await deps.authenticateAgain(again, session, visitor, { event: 'sso', field: 'password' })
      return first && { ...first, refuse: tx => first.refuse(tx, 'wrong-password') }
    }
    return {
      proof: {},
      confirm: async tx => {
        const locked = await accounts.lockAccount(tx, userId)
        return locked && { account: locked }
      },
      refuse: async () => 'stale',
      [Symbol.dispose]: () => {},
    }
  }

  /** Requires a fresh session and the owner's proof and, if the account has a second factor, a session that used one. */
  const permitChange = async <A extends 'link-provider' | 'unlink-provider'>(
    tx: Db,
    act: A,
    owner: Owner,
    session: Session,
  ): Promise<{ account: accounts.Account; permit: Permit<A> } | { refused: 'wrong-password' | 'stale' | 'lower' }> => {
    const { account } = (await owner.confirm(tx)) ?? {}
    if (!account || account.userForcedReset || !(await sessionExists(tx, session.sessionSelector)))
      return { refused: await owner.refuse(tx) }
    const permit = await ask(tx, account, act, { ...owner.proof, session: provenBy(session, now()) })
    if ('refused' in permit) return { refused: permit.refused === 'session-by-factor-if-any' ? 'lower' : 'stale' }
    return { account, permit }
  }

  /** Starts the journey that links an identity to the account of the signed-in user. */
  const startLink = async (
    provider: SSOProvider,
    again: Again,
    bound: string | undefined,
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<{ location: string; binding: string } | 'not-signed-in' | 'wrong-password' | 'stale' | 'lower' | 'unavailable'> => {
    if (!session) return 'not-signed-in'
    const found = find(provider)
    if (!found) return 'unavailable'
    const refused = await refuseLink(session, again, visitor)
    return refused ?? (await depart(found, session.userId, bound)) ?? 'unavailable'
  }

  /** This is a separate function, so that the turn to hash ends before the server calls the provider. */
  const refuseLink = async (session: Session, again: Again, visitor: Visitor) => {
    if (!isFresh(session, now())) return 'stale'
    using owner = await proveOwner(session, again, visitor)
    if (!owner) return 'wrong-password'
    return await db.transaction().execute(async tx => {
      const permitted = await permitChange(tx, 'link-provider', owner, session)
      return 'refused' in permitted ? permitted.refused : undefined
    })
  }

  /** Whether an account is linked to a provider other than `except`. Providers that are no longer configured do not count. */
  const isLinked = (account: accounts.Account, except?: SSOProvider): boolean =>
    (['Google', 'Azure', 'Pak'] as const).some(one => one !== except && find(one) && providerIdOf(account, one) !== null)

  /** Unlinks an identity, unless it is the user's last way to sign in. */
  const unlink = async (
    provider: SSOProvider,
    again: Again,
    session: Session | undefined,
    visitor: Visitor,
  ): Promise<'done' | 'not-signed-in' | 'wrong-password' | 'stale' | 'lower' | 'last-way'> => {
    if (!session) return 'not-signed-in'
    if (!isFresh(session, now())) return 'stale'
    using owner = await proveOwner(session, again, visitor)
    if (!owner) return 'wrong-password'
    return await db.transaction().execute(async tx => {
      const permitted = await permitChange(tx, 'unlink-provider', owner, session)
      if ('refused' in permitted) return permitted.refused
      const { account, permit } = permitted
      const { userId } = account
      if (providerIdOf(account, provider) === null) return 'done'
      const own = await passkeys.listPasskeys(tx, userId)
      const hasPasskey = own.some(one => passkeys.signsInAlone(one, deps.ceremonies?.rpId))
      const stays = account.userPassword !== null || isLinked(account, provider) || hasPasskey
      if (!stays) return 'last-way'
      await accounts.setProvider(permit, provider, null)
      // End the other sessions: someone else may have signed in with this identity.
      await revokeOthers(tx, userId, session.sessionSelector)
      await accounts.setProviderGroups(tx, account, [])
      await mail.notify(tx, account, { kind: 'provider-unlinked', provider }, visitor)
      await audit.record(tx, { event: 'sso', result: `${provider}: unlinked`, actor: userId, target: userId, now: now() }, visitor)
      return 'done'
    })
  }

  /** The providers that the account page lists: those that this user can link or has linked. */
  const listFor = async (userId: string): Promise<{ hasPassword: boolean; providers: { provider: SSOProvider; linked: boolean }[] }> => {
    const account = await accounts.findById(db, userId)
    const linked = (provider: SSOProvider) => account !== undefined && providerIdOf(account, provider) !== null
    const shown = (['Google', 'Azure', 'Pak'] as const).filter(provider => find(provider) || linked(provider))
    return { hasPassword: account?.userPassword != null, providers: shown.map(provider => ({ provider, linked: linked(provider) })) }
  }

  return { find, depart, arrive, startLink, unlink, isLinked, listFor, outages: outages.list }
}
export type Sso = ReturnType<typeof createSso>

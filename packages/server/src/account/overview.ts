import type { Activity, OwnAccount } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import { providerOfAaguid } from '../factors/passkey/passkey-providers.ts'
import * as passkeys from '../factors/passkey/passkeys.store.ts'
import * as recoveryCodes from '../factors/recovery-codes.store.ts'
import { originsForPasses } from '../forward-auth/pass-request.ts'
import type { RulesSource } from '../forward-auth/rules-file/rules-source.ts'
import { hashSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import { countPasses } from '../passes/passes.store.ts'
import { type Session, usedOwnFactor } from '../sessions/session.ts'
import { listSessions } from '../sessions/sessions.store.ts'
import { findSkips } from '../sign-in/deferrals.store.ts'
import * as lockout from '../sign-in/lockout.store.ts'
import type { Sso } from '../sso/sso.ts'
import * as accounts from '../users/users.store.ts'
import { shownOrigin } from '../visitors/shown-origin.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { activityKind } from './activity.ts'
import type { OwnFactors } from './factors.ts'

/** Reads the data of the account page. */
export const createOwnOverview = (deps: {
  db: Kysely<Tables>
  ceremonies: PasskeyCeremonies | undefined
  sso: Sso
  ownFactors: OwnFactors
  isAdministrator: (userIdent: string) => boolean
  minPasswordLength: number
  rules: RulesSource
  now: () => number
}) => {
  const { db, ceremonies, sso, ownFactors, isAdministrator, minPasswordLength, rules, now } = deps

  const show = async (caller: Session, { address: here, browser }: Visitor): Promise<OwnAccount | undefined> => {
    const { userId } = caller
    const ownBrowser = browser === undefined ? undefined : hashSecret(browser)
    const account = await accounts.findById(db, userId)
    if (!account) return undefined
    const [ways, sessions, browsers, named, own, hasPasses, left, skips, activity] = await Promise.all([
      sso.listFor(userId),
      listSessions(db, userId, now()),
      lockout.listBrowsers(db, userId, now()),
      factors.listNamed(db, userId),
      passkeys.listPasskeys(db, userId),
      countPasses(db, now(), { userId }).then(count => count > 0),
      recoveryCodes.countRecoveryCodes(db, userId),
      findSkips(db, userId),
      page(userId, undefined, here),
    ])
    return {
      userIdent: account.userIdent,
      userTZLabel: account.userTZLabel,
      ...(account.userLanguage !== null && { userLanguage: account.userLanguage }),
      administrator: isAdministrator(account.userIdent),
      minPasswordLength,
      ...ways,
      sessions: sessions.map(session => ({
        sessionId: session.sessionId,
        own: session.sessionSelector === caller.sessionSelector,
        sessionCreated: iso(session.sessionCreated),
        sessionSeen: iso(session.sessionSeen),
        from: shownOrigin(session.sessionAddress, session.sessionUserAgent, here),
      })),
      browsers: browsers.map(known => ({
        browserId: known.browserId,
        own: known.browserHash === ownBrowser,
        ...(known.browserFirstSeen !== null && { browserFirstSeen: iso(known.browserFirstSeen) }),
        browserSignedIn: iso(known.browserSignedIn),
        ...(known.browserAddress !== null && { from: shownOrigin(known.browserAddress, known.browserUserAgent ?? '', here) }),
      })),
      factors: named.map(factor => ({
        factorUUID: factor.factorUUID,
        factorFriendlyName: factor.factorFriendlyName,
        factorFactorType: factor.factorFactorType,
        factorDateCreated: iso(factor.factorDateCreated),
        ...(factor.factorDateLastUsed !== null && { factorDateLastUsed: iso(factor.factorDateLastUsed) }),
        ...passkeyOf(factor, own, ceremonies?.rpId),
      })),
      // If the user has no required factor, any session may set up the first one.
      mayChangeFactors: named.every(factor => factor.factorOptional === 1) || usedOwnFactor(caller),
      mayBeWithout: ownFactors.mayBeWithout(account.userIdent),
      mostFactors: limits.factor.perUser,
      ...(ceremonies && { mostPasskeys: limits.passkey.perUser }),
      passes: hasPasses || originsForPasses(rules.current()).length > 0,
      recoveryCodesLeft: left,
      skipsUsed: skips?.skipCount ?? 0,
      activity,
    }
  }

  const page = async (userId: string, after: audit.AuditPlace | undefined, here: string): Promise<Activity> => {
    const { perPage } = limits.activity
    // Read one row more than the page shows, to see whether another page exists.
    const rows = await audit.listActivity(db, userId, after, perPage + 1)
    const shown = rows.slice(0, perPage)
    const last = rows.length > perPage ? shown.at(-1) : undefined
    return {
      rows: shown.map(row => {
        // Users must not see an administrator's client address.
        const isOwn = row.auditActor === null || row.auditActor === userId
        return {
          kind: row.auditTarget === userId ? activityKind({ event: row.auditEvent, result: row.auditResult }) : 'Administered',
          at: iso(row.auditAt),
          ...(isOwn && row.auditAddress !== null && { from: shownOrigin(row.auditAddress, row.auditUserAgent ?? '', here) }),
        }
      }),
      ...(last && { more: `${last.auditAt}.${last.auditId}` }),
    }
  }

  /** Returns the next page of the list. `more` is the position where the previous page ended. */
  const earlier = async (more: string, caller: Session | undefined, here: string): Promise<Activity | undefined> => {
    if (!caller) return undefined
    const [, at = '', auditId = ''] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(more) ?? []
    if (!auditId) throw new BadInput('more: is not a place in this list')
    return page(caller.userId, { auditAt: Number(at), auditId }, here)
  }

  return { show, earlier }
}
export type OwnOverview = ReturnType<typeof createOwnOverview>

const passkeyOf = ({ factorUUID, factorOptional }: factors.NamedFactor, own: readonly passkeys.Passkey[], rpId: string | undefined) => {
  const passkey = own.find(one => one.passkeyFactor === factorUUID)
  const provider = passkey && providerOfAaguid(passkey.passkeyAaguid)
  return (
    passkey && {
      passkey: {
        credentialId: passkey.passkeyCredentialId,
        ...(provider !== undefined && { provider }),
        synced: passkey.passkeySynced === 1,
        optional: factorOptional === 1,
        use: passkeys.useOf(passkey, rpId),
      },
    }
  )
}

const iso = (instant: number) => new Date(Number(instant)).toISOString()

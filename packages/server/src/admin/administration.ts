import type {
  AdministrationOverview,
  AttemptList,
  AttemptListRequest,
  BoardRange,
  ListedUser,
  SignInBoard,
  UserDetail,
  UserList,
  UserListRequest,
  WaitingMails,
} from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import type { PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import { listPasskeys, useOf } from '../factors/passkey/passkeys.store.ts'
import { findPause } from '../factors/push/push-counts.store.ts'
import { countRecoveryCodes } from '../factors/recovery-codes.store.ts'
import type { OpenDoorAlarm } from '../forward-auth/open-door/open-door-alarm.ts'
import { groupsIn } from '../forward-auth/rules/group-names.ts'
import type { Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import * as outbox from '../mail/outbox.store.ts'
import { countPasses } from '../passes/passes.store.ts'
import { masked } from '../recovery/recovery.ts'
import type { OutageGrace } from '../sessions/outage-grace.ts'
import type { Session } from '../sessions/session.ts'
import { listSessions } from '../sessions/sessions.store.ts'
import { type SecondFactorPolicy, skipsLeft } from '../sign-in/second-factor-policy.ts'
import { providerIdOf } from '../users/linked-identities.ts'
import { isTimeZone } from '../users/time-zone.ts'
import * as accounts from '../users/users.store.ts'
import { shownOrigin } from '../visitors/shown-origin.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { readAttempts } from './attempt-list.ts'
import type { PasswordLink } from './password-link.ts'
import type { Administer, Administered } from './permission.ts'
import { readBoard } from './sign-in-statistics.ts'
import type { UserActs } from './user-acts.ts'
import { createUserAdministration } from './user-administration.ts'
import { countFound, countListed, countUsers, type Listed, listUsers, type Place, readListed } from './user-list.ts'

type Caller = Session | undefined

/** The data that the page needs before it loads a list. `hasPasskey`: the administrator can reauthenticate with a passkey. */
type Opened = { username: string; zone: string; hasPasskey: boolean }

/** The administration page: the data that administrators see, and their actions on users. */
export const createAdministration = (deps: {
  db: Kysely<Tables>
  /** Undefined if passkeys are off. */
  ceremonies: PasskeyCeremonies | undefined
  keyring: Keyring
  administer: Administer
  acts: UserActs
  passwordLink: PasswordLink
  administrators: ReadonlySet<string>
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  /** The user's groups in the rules file. */
  groupsOf: (userIdent: string) => readonly string[]
  /** Undefined without `GATEHOUSE_OUTAGE_GRACE`. */
  outageGrace?: OutageGrace | undefined
  /** Undefined without `GATEHOUSE_OPEN_DOOR_ALARM`. */
  openDoorAlarm?: OpenDoorAlarm | undefined
  now: () => number
}) => {
  const { db, keyring, administrators, policy, now } = deps
  const rpId = deps.ceremonies?.rpId
  const { read, lackOf } = deps.administer

  /** Returns the administrator who opens the page. `undefined` for other users. */
  const open = async (caller: Caller): Promise<Opened | 'without-factor' | 'without-passkey' | undefined> => {
    if (!caller || !administrators.has(caller.userIdent)) return undefined
    const lack = lackOf(caller)
    if (lack) return lack
    const hasPasskey = (await listPasskeys(db, caller.userId)).some(passkey => useOf(passkey, rpId) !== 'None')
    return { username: caller.userIdent, zone: await zoneOf(caller), hasPasskey }
  }

  /** The administrator's time zone. Each day of the statistics starts at midnight in this zone. */
  const zoneOf = async ({ userId }: Session): Promise<string> => {
    const label = (await accounts.findById(db, userId))?.userTZLabel ?? ''
    return isTimeZone(label) ? label : 'UTC'
  }

  const overview = (caller: Caller, visitor: Visitor): Promise<Administered<AdministrationOverview>> =>
    read(caller, visitor, async () => {
      const { waiting, retried } = await outbox.countRetried(db)
      const mailsRefused = await outbox.countRefused(db)
      const figures = { ...(await countUsers(db, now())), mailsWaiting: waiting, mailsTriedInVain: retried, mailsRefused }
      return { ...figures, ...lastOutage(), ...(await doorsFound()) }
    })

  const doorsFound = async (): Promise<Pick<AdministrationOverview, 'doors'>> => {
    const doors = (await deps.openDoorAlarm?.list())?.filter(({ state }) => state !== 'Closed') ?? []
    if (doors.length === 0) return {}
    return { doors: doors.map(({ origin, state, path, status, since }) => ({ origin, state, path, status, since: instant(since) })) }
  }

  const lastOutage = (): Pick<AdministrationOverview, 'outageEnded' | 'outageChecks'> => {
    const { ended, passed } = deps.outageGrace?.outage() ?? { ended: undefined, passed: 0 }
    if (ended === undefined || passed === 0 || ended + limits.outage.shown <= now()) return {}
    return { outageEnded: instant(ended), outageChecks: passed }
  }

  const users = (request: UserListRequest, caller: Caller, visitor: Visitor): Promise<Administered<UserList>> =>
    read(caller, visitor, async () => {
      const search = (request.search ?? '').trim().normalize('NFC').toLowerCase()
      const { filter = 'All', sort = 'Address', descending = false } = request
      const after = request.after === undefined ? undefined : placeIn(request.after)
      const of = { search, administrators: [...administrators], now: now() }
      const found = await listUsers(db, { ...of, filter, sort, descending, after })
      const listed = await readListed(db, found.userIds, rpId, now())
      const byId = new Map(listed.users.map(user => [user.userId, user]))
      return {
        users: found.userIds.flatMap(userId => {
          const user = byId.get(userId)
          return user ? [toListed(user, listed)] : []
        }),
        ...(found.after && { after: cursorOf(found.after) }),
        counts: await (search === '' ? countListed(db, of) : countFound(db, of)),
      }
    })

  const toListed = (user: accounts.Account, listed: Listed): ListedUser => {
    const { userId, userIdent } = user
    const ways = [
      ...(user.userPassword === null ? [] : (['Password'] as const)),
      ...(['Google', 'Azure', 'Pak'] as const).filter(provider => providerIdOf(user, provider) !== null),
    ]
    const passkeys = listed.passkeys.find(one => one.passkeyUser === userId)
    const signIn = listed.signIns.find(one => one.auditTarget === userId)
    return {
      userId,
      userIdent,
      userCreated: instant(user.userCreated),
      userForcedReset: user.userForcedReset === 1,
      administrator: administrators.has(userIdent),
      ...(signIn && { lastSignIn: instant(signIn.at) }),
      ways,
      factors: Number(listed.factors.find(one => one.factorIdentity === userId)?.n ?? 0),
      passkeys: Number(passkeys?.n ?? 0),
      passkeysAlone: Number(passkeys?.alone ?? 0),
      skipCount: listed.skips.find(one => one.skipUser === userId)?.skipCount ?? 0,
      skipMost: limits.skip.most,
      sessions: Number(listed.sessions.find(one => one.sessionUser === userId)?.n ?? 0),
      locks: locksOf(userId, userIdent, listed),
    }
  }

  const user = async (userId: string, caller: Caller, visitor: Visitor): Promise<Administered<UserDetail>> => {
    const result = await read(caller, visitor, async (by): Promise<UserDetail | undefined> => {
      const listed = await readListed(db, [userId], rpId, now())
      const [found] = listed.users
      const recordResult = (result: AuditResult) =>
        audit.record(db, { event: 'user-looked-up', result, actor: by.userId, target: userId, now: now() }, visitor)
      if (!found) {
        await recordResult('unknown-user')
        return undefined
      }
      const activity = await audit.listOf(db, userId, limits.lists.activity.most)
      const pausedUntil = await findPause(db, userId, now())
      const shown = toListed(found, listed)
      const lock = shown.locks.find(one => one.of === 'Password')
      await recordResult('successful')
      return {
        user: shown,
        userTZLabel: found.userTZLabel,
        groups: groupsIn(found.userGroups),
        groupsElsewhere: [...new Set([...deps.groupsOf(found.userIdent), ...groupsIn(found.userProviderGroups)])].slice(0, 200),
        recoveryCodes: await countRecoveryCodes(db, userId),
        passes: await countPasses(db, now(), { userId }),
        wrongPasswordAddresses: lock ? await audit.countWrongPasswordAddresses(db, userId, lock.attempts) : 0,
        approvalsPausedUntil: instantOrNone(pausedUntil),
        secondFactorPolicy: policies[policy],
        skipsLeft: await skipsLeft(db, found, deps, now()),
        factors: (await factors.listVerified(db, userId)).map(factor => ({
          factorUUID: factor.factorUUID,
          factorFriendlyName: factor.factorFriendlyName,
          factorFactorType: factor.factorFactorType,
          factorDateVerified: instantOrNone(factor.factorDateVerified),
          factorDateLastUsed: instantOrNone(factor.factorDateLastUsed),
        })),
        sessions: (await listSessions(db, userId, now())).map(session => ({
          sessionId: session.sessionId,
          own: session.sessionSelector === by.sessionSelector,
          sessionCreated: instant(session.sessionCreated),
          sessionSeen: instant(session.sessionSeen),
          from: shownOrigin(session.sessionAddress, session.sessionUserAgent, visitor.address),
        })),
        activity: activity.map(row => ({
          auditAt: instant(row.auditAt),
          auditEvent: row.auditEvent,
          auditResult: row.auditResult,
          signIn: row.auditSignIn,
          from: row.auditAddress === null ? null : shownOrigin(row.auditAddress, row.auditUserAgent ?? '', visitor.address),
          by: actorOf(row.auditActor, userId),
        })),
      }
    })
    if (!('done' in result)) return result
    return result.done ? { done: result.done } : { refused: 'unknown' }
  }

  const mails = (caller: Caller, visitor: Visitor): Promise<Administered<WaitingMails>> =>
    read(caller, visitor, async () => ({
      waiting: (await outbox.countWaiting(db)) + (await outbox.countRefused(db)),
      mails: (await outbox.listMails(db, keyring, limits.lists.mails.most)).map(({ content, ...mail }) => ({
        mailId: mail.mailId,
        // Mask what a visitor typed as an address: it may be a password in the wrong field.
        mailTo: content && ('message' in content ? content.to : masked(content.ident)),
        mailKind: content ? ('message' in content ? content.message.kind : content.request) : 'unreadable',
        mailCreated: instant(mail.mailCreated),
        mailAttempts: mail.mailAttempts,
        mailNext: instant(mail.mailNext),
        mailExpires: instant(mail.mailExpires),
        mailRefused: mail.mailRefused,
      })),
    }))

  const board = (range: BoardRange, caller: Caller, visitor: Visitor): Promise<Administered<SignInBoard>> =>
    read(caller, visitor, async by => readBoard(db, range, await zoneOf(by), now()))

  const attempts = (request: AttemptListRequest, caller: Caller, visitor: Visitor): Promise<Administered<AttemptList>> =>
    read(caller, visitor, () => readAttempts(db, request, visitor.address))

  return { open, overview, users, user, mails, board, attempts, ...createUserAdministration(deps) }
}
export type Administration = ReturnType<typeof createAdministration>

const policies = { off: 'Off', skippable: 'Skippable', required: 'Required' } as const satisfies Record<SecondFactorPolicy, string>

const placeIn = (cursor: string): Place => {
  const [, phase, at, userIdent] = /^(?:(begins|contains)|sorted (\d{1,15})) (.+)$/s.exec(cursor) ?? []
  if (!userIdent) throw new BadInput('after: is not a place in this list')
  if (at !== undefined) return { phase: 'sorted', at: Number(at), userIdent }
  return { phase: phase === 'begins' ? 'begins' : 'contains', userIdent }
}
const cursorOf = (place: Place): string =>
  place.phase === 'sorted' ? `sorted ${place.at} ${place.userIdent}` : `${place.phase} ${place.userIdent}`

const instant = (at: number): string => new Date(Number(at)).toISOString()
const instantOrNone = (at: number | null) => (at === null ? null : instant(at))

const actorOf = (actor: string | null, userId: string) => {
  if (actor === null) return 'Nobody'
  if (actor === userId) return 'Self'
  return actor === 'cli' ? 'CommandLine' : 'Administrator'
}

/** Returns at most one lock of each kind. If several browsers are locked, the returned lock ends when the last of their locks ends. */
const locksOf = (userId: string, userIdent: string, { locks, pauses }: Listed): ListedUser['locks'] => {
  const passwords = locks.filter(lock => lock.userIdent === userIdent)
  const codes = pauses.filter(pause => pause.userId === userId)
  const lock = (of: 'Password' | 'SecondFactor', found: readonly { until: number | null; attempts: number }[]) => {
    if (found.length === 0) return []
    const ends = found.map(({ until }) => until)
    const attempts = found.reduce((sum, one) => sum + one.attempts, 0)
    return [{ of, until: ends.includes(null) ? null : instant(Math.max(...ends.map(Number))), attempts }]
  }
  return [...lock('Password', passwords), ...lock('SecondFactor', codes)]
}

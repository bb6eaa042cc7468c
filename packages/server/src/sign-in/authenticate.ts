import type { SecondFactorType, SsoProviderName } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { Proof } from '../credentials/credential-rules.ts'
import { runBoth } from '../db/compiled.ts'
import type { Db, Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import { hashSecret, type Keys } from '../keys/secrets.ts'
import type { Metrics } from '../metrics.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { findTicket } from '../sessions/tickets.store.ts'
import { storedPassword } from '../users/stored-password.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import * as lockout from './lockout.store.ts'

/**
 * A password that was right, or a ticket that replaces it, before the transaction of the next step. It holds the turn to hash until it is
 * disposed of. So while the database is slow, the server refuses other callers as busy before it counts their attempts. Declare it with
 * `using`, and `return await` the next step.
 */
export type FirstFactor = Disposable & {
  account: accounts.Account
  /** The proofs in the request. A ticket from a mailed link or a provider proves no password. */
  proof: Proof
  /** The step's name in the audit log. */
  event: AuditEvent
  /** The ticket that the browser sent instead of the password. */
  ticket?: string
  /**
   * Locks the account. Returns undefined if, since the check, the password was changed, the ticket used or the account deleted: then call
   * `refuse`.
   * @param reads `factor-types` also reads the types of the account's factors, if that takes no round trip of its own
   */
  confirm: (tx: Db, reads?: 'factor-types') => Promise<Confirmed | undefined>
  /** Records that something changed since the check, and returns the given answer. */
  refuse: <Answer>(db: Db, answer: Answer) => Promise<Answer>
  /** Resets the count of wrong passwords. `confirm` does it too, so call this only if the answer needs no transaction. */
  clearAttempts: (db: Db) => Promise<void>
}

/** A password that was right, and a function that hashes another one in the same turn. */
export type RightPassword = FirstFactor & { hash: (password: string) => Promise<string> }

/** A first factor that `tx` has confirmed, with the account locked and as `tx` read it. */
export type Confirmed = {
  tx: Db
  account: accounts.Account
  proof: Proof
  /** The step's name in the audit log. */
  event: AuditEvent
  /** The provider that identified the user. */
  by?: SsoProviderName
  /** The ticket to redeem when the sign-in is complete. */
  ticket?: string
  /** The counter of the attempt; absent if this request had no password. */
  counter?: lockout.Counter
  /** The types of the account's factors, if `confirm` read them after it locked the account: see `listTypes`. */
  factorTypes?: SecondFactorType[] | undefined
}

/** `event` is the step's name in the audit log. `field` is the name of the username field in error messages. */
type Step = { event: AuditEvent; field: string }

/** Checks passwords, and tickets in their place. Failed attempts count together, whichever call took the password: see lockout.store.ts. */
export const createAuthentication = (deps: {
  db: Kysely<Tables>
  passwords: Passwords
  keys: Keys
  metrics: Metrics
  now: () => number
}) => {
  const { db, passwords, keys, metrics, now } = deps

  /**
   * Returns undefined if the password is wrong, or the account is unknown or locked. All three take the same time.
   * @throws BadInput when the username is not an email address
   * @throws Busy
   */
  const authenticatePassword = async (
    claim: { username: string; password: string },
    visitor: Visitor,
    { event, field }: Step,
  ): Promise<RightPassword | undefined> => {
    const ident = canonicalUsername(claim.username)
    if (ident === undefined) throw new BadInput(`${field}: expected an email address`)
    const browserHash = visitor.browser && hashSecret(visitor.browser)
    const knownFor = async () => (browserHash && (await lockout.isKnownFor(db, ident, browserHash, now())) ? ident : undefined)
    // The turn comes before the count: an attempt that is turned away as Busy is not counted.
    using stack = new DisposableStack()
    const turn = stack.use(await passwords.takeTurn({ address: visitor.address, knownFor }))
    // Computed for every username, or unknown ones would take longer.
    const blind = keys.blindName(ident)
    const { account, counter, oldKinds, allowed, attempts } = await lockout.countAttempt(db, { ident, blind }, browserHash, now())
    const record = (result: AuditResult) =>
      audit.record(db, { event, result, actor: null, target: account?.userId ?? blind, now: now() }, visitor)
    // Verify against a decoy for locked accounts, so that response time does not reveal the lock.
    const stored = allowed && account ? storedPassword(account) : undefined
    const right = await turn.verify(claim.password, stored, oldKinds)
    if (!allowed) {
      await record('locked')
      return undefined
    }
    if (!account || !stored || !right) {
      if (lockout.isLockedBy(attempts)) metrics.locked()
      await record('wrong-password')
      return undefined
    }
    // `userPasswordKind` also stays set if a server of an older version changed the password.
    const isOld = account.userPasswordKind !== null || turn.isOutdated(stored.hash)
    const rehashed = isOld ? await turn.hash(claim.password) : undefined
    const proof: Proof = { firstFactor: true, password: 'this-request' }
    const kept = stack.move()
    return {
      account,
      proof,
      event,
      confirm: async (tx, reads) => {
        const { userId } = account
        const verified = stored.hash
        let confirmed: accounts.Account | undefined
        let factorTypes: SecondFactorType[] | undefined
        if (reads && rehashed === undefined) {
          const lock = accounts.selectVerified.bind(tx, { userId, verified })
          const [found, types] = await runBoth(tx, lock, factors.selectTypes.bind(tx, { userId }))
          confirmed = found[0]
          factorTypes = factors.typesIn(types)
        } else confirmed = await accounts.confirmPassword(tx, userId, verified, rehashed)
        if (!confirmed) return undefined
        await lockout.clearAttempts(tx, counter)
        return { tx, account: confirmed, proof, event, counter, factorTypes }
      },
      refuse: async (tx, answer) => {
        const refused = { event, result: 'changed-meanwhile', actor: null, target: account.userId, now: now() } as const
        await audit.record(tx, refused, visitor)
        return answer
      },
      clearAttempts: tx => lockout.clearAttempts(tx, counter),
      hash: turn.hash,
      [Symbol.dispose]: () => kept.dispose(),
    }
  }

  /** Checks the ticket in the browser's cookie. If the request also has a username, it must be that of the ticket's user. */
  const authenticateTicket = async (username: string, visitor: Visitor, event: AuditEvent): Promise<FirstFactor | undefined> => {
    const { ticket = '' } = visitor
    const found = await findTicket(db, ticket, now())
    const account = found && (await accounts.findById(db, found.userId))
    const refuse: FirstFactor['refuse'] = async (tx, answer) => {
      const refused = { event, result: 'ticket-refused', actor: null, target: account?.userId ?? null, now: now() } as const
      await audit.record(tx, refused, visitor)
      return answer
    }
    if (!account || (username !== '' && canonicalUsername(username) !== account.userIdent)) return refuse(db, undefined)
    const { byPassword, identity } = found ?? {}
    const proof: Proof = { firstFactor: true, ...(byPassword && { password: 'this-sign-in' }), ...(identity && { identity }) }
    return {
      account,
      proof,
      event,
      ticket,
      confirm: async tx => {
        const locked = await accounts.lockAccount(tx, account.userId)
        return locked && (await findTicket(tx, ticket, now())) ? { tx, account: locked, proof, event, ticket } : undefined
      },
      refuse,
      clearAttempts: async () => {},
      [Symbol.dispose]: () => {},
    }
  }

  /** Checks the password or, where none was typed, the ticket. */
  const authenticate = (claim: { username: string; password: string }, visitor: Visitor, step: Step): Promise<FirstFactor | undefined> => {
    // A request without a ticket, password and username comes from a browser whose ticket has expired.
    const byTicket = claim.password === '' && (visitor.ticket !== undefined || claim.username === '')
    return byTicket ? authenticateTicket(claim.username, visitor, step.event) : authenticatePassword(claim, visitor, step)
  }

  /** The username of the ticket that a browser holds. */
  const usernameOfTicket = async ({ ticket }: Visitor): Promise<string | undefined> => {
    const found = ticket === undefined ? undefined : await findTicket(db, ticket, now())
    return found && (await accounts.findById(db, found.userId))?.userIdent
  }

  return { authenticate, authenticatePassword, authenticateTicket, usernameOfTicket }
}
export type Authentication = ReturnType<typeof createAuthentication>

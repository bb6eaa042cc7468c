import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditEvent, AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { Proof } from '../credentials/credential-rules.ts'
import type { Db, Tables } from '../db/schema.ts'
import { hashSecret, type Keys } from '../keys/secrets.ts'
import type { Metrics } from '../metrics.ts'
import type { Passwords, Turn } from '../passwords/passwords.ts'
import { findTicket, redeemTicket } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import * as lockout from './lockout.store.ts'

/** A first factor that was right, until something follows from it. */
export type FirstFactor = {
  account: accounts.Account
  /** What it proves. A ticket that came by email or from a provider proves no password. */
  proof: Proof
  /** The ticket that stood in for it. */
  ticket?: string
  /**
   * Takes the account for writing, in the transaction of what follows. `undefined` when the password was changed, the
   * ticket used or the account deleted meanwhile: then nothing may follow.
   */
  confirm: (tx: Db) => Promise<accounts.Account | undefined>
  /** The sign-in is done: from now on the browser has a count of its own, and a ticket is used up. @returns the browser's cookie */
  finish: (tx: Db) => Promise<string | undefined>
}

/** What a step is called in the audit. */
type Step = { event: AuditEvent; field: string }

/** Checks a password, or the ticket in its place, with one count for every way that asks for it. */
export const createFirstFactor = (deps: { db: Kysely<Tables>; passwords: Passwords; keys: Keys; metrics: Metrics; now: () => number }) => {
  const { db, passwords, keys, metrics, now } = deps

  /**
   * Does `then` if the password is right.
   * @returns what it returned; `undefined` when the password is wrong, the name unknown or locked, all of which take the same time
   * @throws BadInput when the name is no e-mail address
   */
  const withPassword = <T>(
    claim: { username: string; password: string },
    visitor: Visitor,
    step: Step,
    then: (first: FirstFactor, turn: Turn) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const ident = accounts.canonicalUsername(claim.username)
    if (ident === undefined) throw new BadInput(`${step.field}: expected an e-mail address`)
    const browserHash = visitor.browser && hashSecret(visitor.browser)
    const knownFor = async () => (browserHash && (await lockout.isKnownFor(db, ident, browserHash, now())) ? ident : undefined)
    // The turn comes first: who is sent away because all slots are taken has not used up a try.
    return passwords.inTurn({ address: visitor.address, knownFor }, async turn => {
      // Made for every name, or it would be a stranger's extra time.
      const blind = keys.blindName(ident)
      const { account, count } = await lockout.findTried(db, { ident, blind }, browserHash, now())
      const refuse = async (result: AuditResult) => {
        await audit.record(db, { event: step.event, result, actor: null, target: account?.userId ?? blind, now: now() }, visitor)
        return undefined
      }
      const tried = await lockout.countTry(db, count, now())
      // One that is locked out is not judged, but must not be told by its time.
      const stored = tried.allowed ? account?.userPassword : undefined
      const right = await turn.verify(claim.password, stored)
      if (!tried.allowed) return refuse('locked')
      if (!account || !stored || !right) {
        if (lockout.isLockedBy(tried.attempts)) metrics.locked()
        return refuse('wrong-password')
      }
      const rehashed = turn.isOutdated(stored) ? await turn.hash(claim.password) : undefined
      let cleared = false
      const followed = await then(
        {
          account,
          proof: { firstFactor: true, password: 'this-request' },
          confirm: async tx => {
            const confirmed = await accounts.confirmPassword(tx, account.userId, stored, rehashed)
            if (confirmed) await lockout.clearCount(tx, count)
            cleared = true
            return confirmed
          },
          finish: tx => lockout.rememberBrowser(tx, count, account.userId, visitor.browser, now()),
        },
        turn,
      )
      // The password was right, whatever became of the code: that is another count.
      if (followed !== undefined && !cleared) await lockout.clearCount(db, count)
      return followed ?? refuse('changed-meanwhile')
    })
  }

  /** The same with the ticket that this browser holds; a name beside it must be its owner's. */
  const withTicket = async <T>(
    username: string,
    ticket: string,
    visitor: Visitor,
    step: Step,
    then: (first: FirstFactor) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const found = await findTicket(db, ticket, now())
    const account = found && (await accounts.findById(db, found.userId))
    const isOwners = account && (username === '' || accounts.canonicalUsername(username) === account.userIdent)
    const followed = isOwners
      ? await then({
          account,
          proof: { firstFactor: true, ...(found?.byPassword && { password: 'this-sign-in' }) },
          ticket,
          confirm: async tx => {
            const confirmed = await accounts.lockAccount(tx, account.userId)
            return confirmed && (await findTicket(tx, ticket, now())) ? confirmed : undefined
          },
          finish: async tx => {
            await redeemTicket(tx, ticket, now())
            return lockout.rememberVisitor(tx, account, visitor.browser, now())
          },
        })
      : undefined
    if (followed === undefined) {
      await audit.record(
        db,
        { event: step.event, result: 'ticket-refused', actor: null, target: account?.userId ?? null, now: now() },
        visitor,
      )
    }
    return followed
  }

  /** Does `then` if the password is right or, where none was typed, the browser holds a ticket. */
  const check = <T>(
    claim: { username: string; password: string },
    visitor: Visitor,
    step: Step,
    then: (first: FirstFactor) => Promise<T | undefined>,
  ): Promise<T | undefined> =>
    // Without any of the two the ticket has expired, and its cookie with it.
    claim.password === '' && (visitor.ticket !== undefined || claim.username === '')
      ? withTicket(claim.username, visitor.ticket ?? '', visitor, step, then)
      : withPassword(claim, visitor, step, then)

  /** Whose ticket a browser holds. */
  const usernameOfTicket = async ({ ticket }: Visitor): Promise<string | undefined> => {
    const found = ticket === undefined ? undefined : await findTicket(db, ticket, now())
    return found && (await accounts.findById(db, found.userId))?.userIdent
  }

  return { withPassword, check, usernameOfTicket }
}
export type CheckFirstFactor = ReturnType<typeof createFirstFactor>

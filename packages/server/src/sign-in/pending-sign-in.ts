import type { Factor, FactorType, SkipRefusal } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import type { Keyring } from '../keys/keyring.ts'
import { findTicket } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'
import { skipRefusal } from './second-factor-policy.ts'

/** Where a sign-in stands whose ticket a browser holds. `username` is empty where no password was typed: then it may be a stranger's. */
export type Standing =
  /** There is none (any more) that could go on. */
  | { is: 'Over' }
  | { is: 'ForcedReset' }
  /** A second factor is awaited, of one of these types. `replacing`: the id of one that takes the place of a lost one. */
  | { is: 'Code'; username: string; factorTypes: FactorType[]; replacing: string | undefined }
  /** The factor that this sign-in began waits for its first code. */
  | { is: 'SetUp'; username: string; factor: Factor; skipRefused: SkipRefusal | undefined }

/** Tells where a sign-in stands, for pages that are rendered by it. Changes nothing. */
export const createSignInStanding = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  productName: string
  now: () => number
}) => {
  const { db, keyring, productName, now } = deps

  const find = async (visitor: Visitor): Promise<Standing> => {
    const ticket = visitor.ticket === undefined ? undefined : await findTicket(db, visitor.ticket, now())
    const account = ticket && (await accounts.findById(db, ticket.userId))
    if (!account) return { is: 'Over' }
    if (account.userForcedReset) return { is: 'ForcedReset' }
    const { userId, userIdent } = account
    const username = ticket.byPassword ? userIdent : ''
    const factorTypes = await factors.listTypes(db, userId)
    if (factorTypes.length > 0) {
      const replacing = ticket.byPassword ? (await totpFactors.findOpenReplacement(db, userId, now()))?.factorUUID : undefined
      return { is: 'Code', username, factorTypes: replacing ? [...new Set<FactorType>([...factorTypes, 'TOTP'])] : factorTypes, replacing }
    }
    // Of another sign-in's factor nobody is shown the secret: it may be its owner's, and this ticket that of whoever reads her mail.
    const shown = { issuer: productName, account: userIdent, now: now() }
    const factor = ticket.factorUUID ? await totpFactors.showWaiting(db, keyring, userId, ticket.factorUUID, shown) : undefined
    return factor ? { is: 'SetUp', username, factor, skipRefused: await skipRefusal(db, account, deps, now()) } : { is: 'Over' }
  }

  return { find }
}
export type SignInStanding = ReturnType<typeof createSignInStanding>

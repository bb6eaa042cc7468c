import type { Factor, PasskeyCreationOptions, SecondFactorType, SkipRefusal } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import * as factors from '../factors/factors.store.ts'
import type { Bound, PasskeyCeremonies } from '../factors/passkey/ceremonies.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import { replacementType } from '../factors/totp/totp-binding.ts'
import type { Keyring } from '../keys/keyring.ts'
import { findTicket } from '../sessions/tickets.store.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'
import { skipRefusal } from './second-factor-policy.ts'

/**
 * The next step of a sign-in, found by the ticket in the browser's cookie. `username` is empty if the user typed no password: the ticket
 * may then belong to another user's account.
 */
export type PendingSignIn =
  /** The browser has no pending sign-in. */
  | { is: 'Over' }
  | { is: 'ForcedReset' }
  /** Waits for a second factor of one of these types. `replacing`: the id of a factor that replaces a lost one. */
  | { is: 'Code'; username: string; factorTypes: SecondFactorType[]; replacing: string | undefined }
  /** Waits for the first code of the factor that this sign-in started to set up. */
  | {
      is: 'SetUp'
      username: string
      factor: Factor
      skipRefused: SkipRefusal | undefined
      /** To set up a passkey instead of the factor. Undefined if passkeys are off. */
      passkey: Bound<PasskeyCreationOptions> | undefined
    }

/** Finds the pending sign-in of a visitor, for the pages that the server renders. Never advances the sign-in to its next step. */
export const createPendingSignIns = (deps: {
  db: Kysely<Tables>
  /** Undefined if passkeys are off. */
  ceremonies: PasskeyCeremonies | undefined
  keyring: Keyring
  policy: SecondFactorPolicy
  isAdministrator: (userIdent: string) => boolean
  productName: string
  now: () => number
}) => {
  const { db, ceremonies, keyring, productName, now } = deps

  const find = async (visitor: Visitor): Promise<PendingSignIn> => {
    const ticket = visitor.ticket === undefined ? undefined : await findTicket(db, visitor.ticket, now())
    const account = ticket && (await accounts.findById(db, ticket.userId))
    if (!account) return { is: 'Over' }
    if (account.userForcedReset) return { is: 'ForcedReset' }
    const { userId, userIdent } = account
    const username = ticket.byPassword ? userIdent : ''
    const factorTypes = await factors.listTypes(db, userId)
    if (factorTypes.length > 0) {
      const replacing = ticket.byPassword ? (await totpFactors.findOpenReplacement(db, userId, now()))?.factorUUID : undefined
      return {
        is: 'Code',
        username,
        factorTypes: replacing ? [...new Set<SecondFactorType>([...factorTypes, replacementType])] : factorTypes,
        replacing,
      }
    }
    // Show only the factor that this sign-in started. Attack: a mailbox reader with a ticket looks at the secret of a factor that the
    // owner's own sign-in started.
    const shown = { issuer: productName, account: userIdent, now: now() }
    const factor = ticket.factorUUID ? await totpFactors.showWaiting(db, keyring, userId, ticket.factorUUID, shown) : undefined
    if (!factor) return { is: 'Over' }
    const skipRefused = await skipRefusal(db, account, deps, now())
    return { is: 'SetUp', username, factor, skipRefused, passkey: await ceremonies?.creation(db, account, 'SetUp', visitor) }
  }

  return { find }
}
export type PendingSignIns = ReturnType<typeof createPendingSignIns>

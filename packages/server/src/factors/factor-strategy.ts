import type { Factor, VerifyError } from '@gatehouse/wire'
import type { Permit } from '../credentials/credential-rules.ts'
import type { Db } from '../db/schema.ts'
import type { Keyring } from '../keys/keyring.ts'

/** How the server handles one type of second factor. Each type implements it in its folder, and factor-strategies.ts lists all types. */
export type FactorStrategy = {
  /** Prepares the verification page, in the transaction that confirmed the first factor. */
  prepareVerification: (tx: Db, userId: string, now: number) => Promise<void>
  /** Starts a factor for the page of the first set-up (§4). `undefined`: users enroll this type only on the account page. */
  offerAtSignIn:
    | ((permit: Permit<'offer-first-factor'>, keyring: Keyring, shown: { issuer: string; account: string; now: number }) => Promise<Factor>)
    | undefined
} & (
  | { takesCode: true }
  | {
      takesCode: false
      /**
       * The error for a six-digit code, which this type does not take (§8).
       * @param factorUUID the factor that the request names. Undefined if it names none and the user has no factor that takes a code
       */
      refuseCode: (factorUUID: string | undefined) => VerifyError
    }
)

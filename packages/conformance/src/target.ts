import { decode, shape } from '@gatehouse/wire'
import * as v from 'valibot'

const text = v.pipe(v.string(), v.minLength(1, 'must not be empty'))
const account = v.strictObject({ username: text, password: text })
/** The secret of an authenticator app in base32, as in its QR code. */
const withSecret = v.strictObject({ username: text, password: text, secret: text })

const accounts: v.GenericSchema<unknown, Accounts> = v.strictObject({
  password: v.optional(account),
  totp: v.optional(withSecret),
  setUp: v.optional(account),
  skip: v.optional(account),
  forcedReset: v.optional(account),
  administrator: v.optional(withSecret),
  lockout: v.optional(account),
})

const AccountsFile = shape(
  'AccountsFile',
  v.strictObject({
    accounts,
    /** The user whose sessions the administrator ends. */
    userId: v.optional(text),
    /** How many wrong passwords in a row lock an account. */
    lockedAfter: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  }),
)

type Account = { username: string; password: string }
type AccountWithApp = Account & { secret: string }

/** The test accounts of a server, as the README describes them. If an account is missing, the report says which checks it skipped. */
export type Accounts = {
  /** A password is enough. */
  password?: Account | undefined
  /** Has an authenticator app. */
  totp?: AccountWithApp | undefined
  /** Has no second factor yet, and must set one up. The run sets it up. */
  setUp?: Account | undefined
  /** May skip the set-up. Each run skips it once. */
  skip?: Account | undefined
  /** An administrator has reset the password. */
  forcedReset?: Account | undefined
  /** May end other users' sessions. */
  administrator?: AccountWithApp | undefined
  /** Signs in with a password alone. The run locks this account. */
  lockout?: Account | undefined
}

/** The server to check. */
export type Target = {
  /** The base address of the calls, with a path if the server has one. */
  url: URL
  /**
   * The `Origin` header of calls: the server's own origin, which is the default, or one that the
   * server allows.
   */
  origin: string
  accounts: Accounts
  userId?: string | undefined
  lockedAfter: number
}

/** Reads the base address and the decoded JSON of a file with accounts. */
export const readTarget = (address: string, file: unknown, origin?: string): { ok: true; value: Target } | { ok: false; error: string } => {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    return { ok: false, error: `${address}: expected an address like https://sign-in.example.com` }
  const decoded = decode(AccountsFile, file)
  if (!decoded.ok) return decoded
  const { accounts, userId, lockedAfter = 10 } = decoded.value
  return { ok: true, value: { url, origin: origin ?? url.origin, accounts, userId, lockedAfter } }
}

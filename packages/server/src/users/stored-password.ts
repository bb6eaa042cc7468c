import type { Row } from '../db/schema.ts'
import type { StoredPassword } from '../passwords/passwords.ts'

/** The kind and the salt of the hash that another program stored. */
export type OldPassword = NonNullable<StoredPassword['old']>

type Columns = Pick<Row<'users'>, 'userPassword' | 'userPasswordKind' | 'userPasswordSalt'>

/** The salt in a PHC string. */
const phcSalt = (hash: string) => hash.split('$')[4] ?? ''

/** The account's password as `verify` takes it. */
export const storedPassword = ({ userPassword, userPasswordKind, userPasswordSalt }: Columns): StoredPassword | undefined => {
  if (userPassword === null) return undefined
  const [salt, madeFor] = userPasswordSalt?.split(' ') ?? []
  if (userPasswordKind === null || salt === undefined || madeFor !== phcSalt(userPassword)) return { hash: userPassword }
  return { hash: userPassword, old: { kind: userPasswordKind, salt } }
}

export const noOldPassword = { userPasswordKind: null, userPasswordSalt: null }

/** The password columns of a new account. */
export const passwordColumns = (userPassword: string | null, old: OldPassword | undefined): Columns => ({
  userPassword,
  ...(old && userPassword !== null
    ? { userPasswordKind: old.kind, userPasswordSalt: `${old.salt} ${phcSalt(userPassword)}` }
    : noOldPassword),
})

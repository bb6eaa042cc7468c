import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Permit } from '../../credentials/credential-rules.ts'
import type { Db, Row } from '../../db/schema.ts'
import { limits } from '../../limits.ts'

export type Passkey = Row<'passkeys'>

/** Binds a factor to a new passkey. @returns false if another factor has the credential */
export const bindPasskey = async (
  { tx, userId }: Permit<'set-up-first-factor' | 'add-factor' | 'add-automatic-passkey' | 'import-factors'>,
  passkey: Omit<Passkey, 'passkeyUser' | 'passkeyImported'> & Partial<Pick<Passkey, 'passkeyImported'>>,
): Promise<boolean> =>
  (await tx
    .insertInto('passkeys')
    .values({ ...passkey, passkeyUser: userId })
    .onConflict(c => c.doNothing())
    .returning('passkeyFactor')
    .executeTakeFirst()) !== undefined

/** A passkey with the handle of its user, which an assertion must name. */
export const findPasskey = (db: Db, credentialId: string): Promise<(Passkey & { passkeyHandle: string }) | undefined> =>
  db
    .selectFrom('passkeys')
    .innerJoin('passkey_handles', 'passkeyHandleUser', 'passkeyUser')
    .selectAll('passkeys')
    .select('passkeyHandle')
    .where('passkeyCredentialId', '=', credentialId)
    .executeTakeFirst()

/** The user's passkeys. */
export const listPasskeys = (db: Db, userId: string): Promise<Passkey[]> =>
  db.selectFrom('passkeys').selectAll().where('passkeyUser', '=', userId).orderBy('passkeyFactor').execute()

type Kept = Pick<Passkey, 'passkeyRpId' | 'passkeyImported'>

/**
 * What a passkey can do. It signs its user in without a name or a password if it is for this server's RP ID, and this server issued its
 * user handle. An imported passkey has the other program's user handle, so it works only after the user is known.
 * @param rpId `undefined` while passkeys are off
 */
export const useOf = ({ passkeyRpId, passkeyImported }: Kept, rpId: string | undefined): 'SignIn' | 'SecondFactor' | 'None' => {
  if (passkeyRpId !== rpId) return 'None'
  return passkeyImported === 1 ? 'SecondFactor' : 'SignIn'
}

/** Whether a passkey signs its user in without a name or a password. */
export const signsInAlone = (passkey: Kept, rpId: string | undefined): boolean => useOf(passkey, rpId) === 'SignIn'

/** The passkeys of several users, each with the handle of its user. */
export const listPasskeysOf = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom('passkeys')
    .leftJoin('passkey_handles', 'passkeyHandleUser', 'passkeyUser')
    .selectAll('passkeys')
    .select('passkeyHandle')
    .where('passkeyUser', 'in', ['', ...userIds])
    .execute()

/** The names of the user's passkeys, the oldest passkey first. */
export const listNames = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('passkeys')
    .innerJoin('factors', 'factorUUID', 'passkeyFactor')
    .select('factorFriendlyName')
    .where('passkeyUser', '=', userId)
    .orderBy('factorDateCreated')
    .orderBy('factorUUID')
    .execute()
  return rows.map(row => row.factorFriendlyName)
}

/**
 * Stores the signature counter of a use, in one statement. The counter of a passkey that is bound to its device rises with each use, or
 * stays zero. Otherwise a copy of the key may exist (WebAuthn Level 3, §6.1.1).
 * @returns whether the counter is acceptable
 */
export const useCounter = async (db: Db, passkeyFactor: string, counter: number): Promise<boolean> =>
  (await db
    .updateTable('passkeys')
    .set({ passkeyCounter: counter })
    .where('passkeyFactor', '=', passkeyFactor)
    .where(e =>
      e.or([e('passkeySynced', '=', 1), e('passkeyCounter', '<', counter), ...(counter === 0 ? [e('passkeyCounter', '=', 0)] : [])]),
    )
    .returning('passkeyFactor')
    .executeTakeFirst()) !== undefined

/** The user's random handle; none before the first passkey was offered. */
export const findHandle = async (db: Db, userId: string): Promise<string | undefined> =>
  (await db.selectFrom('passkey_handles').select('passkeyHandle').where('passkeyHandleUser', '=', userId).executeTakeFirst())?.passkeyHandle

/** Returns the user's random handle, and creates it first if needed. It reveals nothing, and is the same for all passkeys of the user. */
export const ensureHandle = async (db: Db, userId: string): Promise<string> => {
  const found = await findHandle(db, userId)
  if (found !== undefined) return found
  const passkeyHandle = randomBytes(limits.passkey.handleBytes).toString('base64url')
  await db
    .insertInto('passkey_handles')
    .values({ passkeyHandleUser: userId, passkeyHandle })
    .onConflict(c => c.doNothing())
    .execute()
  return (await findHandle(db, userId)) ?? passkeyHandle
}

/** How many passkeys each of these users has, and how many of them suffice to sign in. @param rpId `undefined` while passkeys are off */
export const countPasskeys = (db: Db, userIds: readonly string[], rpId: string | undefined) =>
  db
    .selectFrom('passkeys')
    .select(e => [
      'passkeyUser',
      e.fn.countAll<number>().as('n'),
      e.fn
        .sum<number>(
          e
            .case()
            // No RP ID is empty.
            .when(e.and([e('passkeyRpId', '=', rpId ?? ''), e('passkeyImported', '=', 0)]))
            .then(sql.lit(1))
            .else(sql.lit(0))
            .end(),
        )
        .as('alone'),
    ])
    .where('passkeyUser', 'in', userIds)
    .groupBy('passkeyUser')
    .execute()

/** The RP IDs of stored passkeys, except `rpId`, each with the number of its passkeys. */
export const countOfOtherRpIds = async (db: Db, rpId: string): Promise<{ rpId: string; passkeys: number }[]> => {
  const rows = await db
    .selectFrom('passkeys')
    .select(e => ['passkeyRpId', e.fn.countAll<number>().as('n')])
    .where('passkeyRpId', '!=', rpId)
    .groupBy('passkeyRpId')
    .orderBy('passkeyRpId')
    .execute()
  return rows.map(row => ({ rpId: row.passkeyRpId, passkeys: Number(row.n) }))
}

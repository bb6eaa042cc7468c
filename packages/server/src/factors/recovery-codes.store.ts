import { createHash, randomBytes } from 'node:crypto'
import type { Permit } from '../credentials/credential-rules.ts'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

/** RFC 4648 base32 in lower case. It omits 0, 1, 8 and 9, which look like letters. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

const newCode = () => {
  const bits = [...randomBytes(limits.recoveryCodes.bytes)].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map(five => alphabet[Number.parseInt(five, 2)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** The user id is the salt. A code has 80 random bits, so it needs no slow hash. */
const hashCode = (userId: string, code: string) =>
  createHash('sha256')
    .update(`${userId}/${code.toLowerCase().replace(/[^a-z2-7]/g, '')}`)
    .digest('base64url')

/** Replaces the user's recovery codes. Only hashes are stored, so the codes can be shown only now. */
export const makeRecoveryCodes = async (permit: Permit<'make-recovery-codes'>, now: number): Promise<string[]> => {
  const { tx, userId: recoveryCodeUser } = permit
  const codes = Array.from({ length: limits.recoveryCodes.count }, newCode)
  await removeRecoveryCodes(permit)
  await tx
    .insertInto('recovery_codes')
    .values(codes.map(code => ({ recoveryCodeUser, recoveryCodeHash: hashCode(recoveryCodeUser, code), recoveryCodeCreated: now })))
    .execute()
  return codes
}

/** Redeems a code in one statement, so that it works only once. */
export const useRecoveryCode = async (db: Db, recoveryCodeUser: string, code: string): Promise<boolean> =>
  (await db
    .deleteFrom('recovery_codes')
    .where('recoveryCodeUser', '=', recoveryCodeUser)
    .where('recoveryCodeHash', '=', hashCode(recoveryCodeUser, code))
    .returning('recoveryCodeHash')
    .executeTakeFirst()) !== undefined

export const countRecoveryCodes = async (db: Db, recoveryCodeUser: string): Promise<number> => {
  const { n } = await db
    .selectFrom('recovery_codes')
    .select(db.fn.countAll<number>().as('n'))
    .where('recoveryCodeUser', '=', recoveryCodeUser)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const removeRecoveryCodes = async ({
  tx,
  userId,
}: Permit<
  'make-recovery-codes' | 'remove-factor' | 'remove-own-phone' | 'complete-replacement' | 'administer-credentials'
>): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('recoveryCodeUser', '=', userId).execute()
}

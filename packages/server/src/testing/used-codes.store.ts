import type { Db } from '../db/schema.ts'

/**
 * Lets a user's authenticator apps use every code again, so that tests need not wait for the next one. Only the test server has this
 * statement: `gatehouse start` loads nothing from this folder.
 */
export const acceptCodesAgain = async (db: Db, userId: string): Promise<void> => {
  await db
    .updateTable('totp_bindings')
    .set({ factorTOTPBindingLastStep: 0 })
    .where('factorTOTPBindingFactorUUID', 'in', of =>
      of.selectFrom('factors').select('factorUUID').where('factorIdentity', '=', userId).where('factorFactorType', '=', 'TOTP'),
    )
    .execute()
}

import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** By how many time steps the newest wrong code of an authenticator app missed, and its step. Equal offsets in a row show a wrong clock. */
export const wrongCodeOffset: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('totp_bindings').addColumn('factorTOTPBindingWrongOffset', 'integer').execute()
    await db.schema.alterTable('totp_bindings').addColumn('factorTOTPBindingWrongStep', 'bigint').execute()
  },
}

import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The identities at providers that the user's own second factor vouched for. Identities that were linked before have no vouch: nothing
 * shows whether their user or an attacker linked them. They get a vouch when a sign-in with them passes the account's own second factor.
 */
export const vouchedIdentities: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['userAzureVouched', 'userGoogleVouched', 'userPakVouched'])
      await db.schema.alterTable('users').addColumn(name, 'text').execute()
    for (const name of ['ticketProvider', 'ticketIdentity']) await db.schema.alterTable('tickets').addColumn(name, 'text').execute()
  },
}

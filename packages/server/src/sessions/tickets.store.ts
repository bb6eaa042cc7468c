import type { Identity } from '../credentials/credential-rules.ts'
import type { Db } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/**
 * A proof of the first factor. It records whether the user typed the password, or the identity at a provider that they signed in with. It
 * also names the factor that this sign-in started to enroll.
 */
export type Ticket = { userId: string; byPassword: boolean; identity: Identity | undefined; factorUUID: string | null }

/** Issues the ticket that later steps of a sign-in accept instead of the password. @returns the cookie's value */
export const issueTicket = async (db: Db, { userId, byPassword, identity, factorUUID }: Ticket, now: number): Promise<string> => {
  const [selector, secret] = [randomSecret(128), randomSecret(256)]
  await db
    .insertInto('tickets')
    .values({
      ticketSelector: selector,
      ticketHash: hashSecret(secret),
      ticketUser: userId,
      ticketExpires: now + limits.ticket.lifetime,
      ticketByPassword: byPassword ? 1 : 0,
      ticketFactor: factorUUID,
      ticketProvider: identity?.provider ?? null,
      ticketIdentity: identity?.id ?? null,
    })
    .execute()
  return `${selector}.${secret}`
}

const partsOf = (ticket: string) => {
  const [selector = '', secret = ''] = ticket.split('.')
  return { selector, hash: hashSecret(secret) }
}

/** Finds a ticket that has not expired, without redeeming it. */
export const findTicket = async (db: Db, ticket: string, now: number): Promise<Ticket | undefined> => {
  const { selector, hash } = partsOf(ticket)
  const row = await db
    .selectFrom('tickets')
    .select(['ticketUser', 'ticketByPassword', 'ticketFactor', 'ticketProvider', 'ticketIdentity'])
    .where('ticketSelector', '=', selector)
    .where('ticketHash', '=', hash)
    .where('ticketExpires', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { ticketProvider: provider, ticketIdentity: id } = row
  const identity = provider !== null && id !== null ? { provider, id } : undefined
  return { userId: row.ticketUser, byPassword: row.ticketByPassword === 1, identity, factorUUID: row.ticketFactor }
}

export const revokeTickets = async (db: Db, ticketUser: string): Promise<void> => {
  await db.deleteFrom('tickets').where('ticketUser', '=', ticketUser).execute()
}

/** Redeems a ticket, once. */
export const redeemTicket = async (db: Db, ticket: string, now: number): Promise<boolean> => {
  const { selector, hash } = partsOf(ticket)
  const row = await db
    .deleteFrom('tickets')
    .where('ticketSelector', '=', selector)
    .where('ticketHash', '=', hash)
    .where('ticketExpires', '>', now)
    .returning('ticketUser')
    .executeTakeFirst()
  return row !== undefined
}

export const purge = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('tickets').where('ticketExpires', '<=', now).execute()
}

import type { Db, Row } from '../db/schema.ts'
import * as accounts from '../users/users.store.ts'
import * as mailLinks from './mail-links.store.ts'

/**
 * Redeems a mailed link and locks its user's account. Locks the account first, as every other transaction does: a different lock order
 * would cause deadlocks on PostgreSQL.
 */
export const redeemWithAccount = async (
  tx: Db,
  claim: mailLinks.Claim,
  now: number,
): Promise<{ link: Row<'mail_links'>; account: accounts.Account } | undefined> => {
  const userId = await mailLinks.findMailLinkUser(tx, claim)
  const account = userId === undefined ? undefined : await accounts.lockAccount(tx, userId)
  const link = account && (await mailLinks.redeemMailLink(tx, claim, now))
  return link && { link, account }
}

/** Redeems a link that was found by the right mailed code. */
export const redeemFoundWithAccount = async (
  tx: Db,
  found: Row<'mail_links'>,
  now: number,
): Promise<{ link: Row<'mail_links'>; account: accounts.Account } | undefined> => {
  const account = await accounts.lockAccount(tx, found.mailLinkUser)
  const { mailLinkKind: kind, mailLinkSelector: selector, mailLinkHash: hash } = found
  const link = account && (await mailLinks.redeemFound(tx, { kind, selector, hash }, now))
  return link && { link, account }
}

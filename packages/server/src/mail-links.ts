import type { MailLink } from '@gatehouse/wire'
import type { ExpressionBuilder } from 'kysely'
import type { Db, MailLinkKind, Row, Tables } from './db/schema.ts'
import { limits } from './limits.ts'
import { hashSecret, randomSecret } from './secrets.ts'

/** The two halves of a mailed link, as they stand in its fragment. */
export type Claim = { kind: MailLinkKind; selector: string; token: string }

/**
 * Issues a link for a mail. Older ones of its kind are void from now on.
 * @returns the fragment of its address
 */
export const issueMailLink = async (
  db: Db,
  link: { kind: MailLinkKind; userId: string; lifetime: number; factorUUID?: string; email?: string; now: number },
): Promise<string> => {
  const { kind, userId, now } = link
  await db
    .updateTable('mail_links')
    .set(neverLived)
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', kind)
    .where('mailLinkExpires', '>', now)
    .execute()
  const [selector, token] = [randomSecret(128), randomSecret(256)]
  await db
    .insertInto('mail_links')
    .values({
      mailLinkSelector: selector,
      mailLinkHash: hashSecret(token),
      mailLinkKind: kind,
      mailLinkUser: userId,
      mailLinkFactor: link.factorUUID ?? null,
      mailLinkEmail: link.email ?? null,
      mailLinkCreated: now,
      mailLinkExpires: now + link.lifetime,
      mailLinkUsed: null,
    })
    .execute()
  return `${selector}.${token}`
}

/** Whether a user may be sent one more of a kind: so many in a short while, so many in a day. */
export const mayBeSent = async (db: Db, userId: string, kind: MailLinkKind, now: number): Promise<boolean> => {
  const { few, many } = limits.mail
  const rows = await db
    .selectFrom('mail_links')
    .select('mailLinkCreated')
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', kind)
    .where('mailLinkCreated', '>', now - many.within)
    .execute()
  const within = (window: number) => rows.filter(row => row.mailLinkCreated > now - window).length
  return within(few.within) < few.most && within(many.within) < many.most
}

/** What a link is good for, without using it up. */
export const lookAtMailLink = async (
  db: Db,
  claim: Claim,
  now: number,
): Promise<{ state: MailLink['state']; link?: Row<'mail_links'> }> => {
  const link = await db
    .selectFrom('mail_links')
    .selectAll()
    .where('mailLinkSelector', '=', claim.selector)
    .where('mailLinkKind', '=', claim.kind)
    .where('mailLinkHash', '=', hashSecret(claim.token))
    .executeTakeFirst()
  if (!link) return { state: 'Unknown' }
  if (link.mailLinkUsed !== null) return { state: 'Used' }
  return link.mailLinkExpires <= now ? { state: 'Expired' } : { state: 'Good', link }
}

/** Uses a link up, once, in one statement. */
export const redeemMailLink = (db: Db, claim: Claim, now: number): Promise<Row<'mail_links'> | undefined> =>
  db
    .updateTable('mail_links')
    .set({ mailLinkUsed: now })
    .where('mailLinkSelector', '=', claim.selector)
    .where('mailLinkKind', '=', claim.kind)
    .where('mailLinkHash', '=', hashSecret(claim.token))
    .where('mailLinkUsed', 'is', null)
    .where('mailLinkExpires', '>', now)
    .returningAll()
    .executeTakeFirst()

/** What voids a link: its end is its beginning, so that it is over by the clock of every server, however little theirs differ. */
const neverLived = ({ ref }: ExpressionBuilder<Tables, 'mail_links'>) => ({ mailLinkExpires: ref('mailLinkCreated') })

/** No link of a user works any longer. */
export const voidAll = async (db: Db, userId: string, now: number): Promise<void> => {
  await db.updateTable('mail_links').set(neverLived).where('mailLinkUser', '=', userId).where('mailLinkExpires', '>', now).execute()
}

/** No change of address that was asked for is confirmed any longer. */
export const voidEmailChange = async (db: Db, userId: string, now: number): Promise<void> => {
  await db
    .updateTable('mail_links')
    .set(neverLived)
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', 'EmailChange')
    .where('mailLinkExpires', '>', now)
    .execute()
}

/** Forgets links that are long dead. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('mail_links')
    .where('mailLinkExpires', '<=', now - limits.mailLink.remembered)
    .execute()
}

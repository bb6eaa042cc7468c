import type { MailLink } from '@gatehouse/wire'
import type { ExpressionBuilder } from 'kysely'
import type { Db, MailLinkKind, Row, Tables } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** The two halves of a mailed link, as they stand in its fragment. */
export type Claim = { kind: MailLinkKind; selector: string; token: string }

/** Who asked for a link. A known browser is one that the link's user has signed in with. */
export type Asker = { network: string | null; site: string | null; known: boolean }

/** For links that only the signed-in user can ask for: one quota, wherever the request comes from. */
export const anyNetwork: Asker = { network: null, site: null, known: false }

/**
 * How many older links of a kind stay good when a new one is issued. With one, a stranger's request does not void the link that the owner
 * has just been mailed. Of the others only the newest is good: they are bound to one pending factor or to one new address.
 */
const olderLinks: Record<MailLinkKind, 0 | 1> = { PasswordReset: 1, OneTimeLink: 1, FactorReset: 0, EmailChange: 0 }

/**
 * Issues a link for a mail, and voids the older links of its kind that are too many.
 * @returns the fragment of its address
 */
export const issueMailLink = async (
  db: Db,
  link: { kind: MailLinkKind; userId: string; lifetime: number; factorUUID?: string; email?: string; asker?: Asker; now: number },
): Promise<string> => {
  const { kind, userId, asker, now } = link
  await db
    .updateTable('mail_links')
    .set(neverLived)
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', kind)
    .where('mailLinkExpires', '>', now)
    .where('mailLinkSelector', 'not in', e =>
      e
        .selectFrom('mail_links')
        .select('mailLinkSelector')
        .where('mailLinkUser', '=', userId)
        .where('mailLinkKind', '=', kind)
        .where('mailLinkUsed', 'is', null)
        .where('mailLinkExpires', '>', now)
        .orderBy('mailLinkCreated', 'desc')
        .limit(olderLinks[kind]),
    )
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
      mailLinkNetwork: asker?.network ?? null,
      mailLinkSite: asker?.site ?? null,
      mailLinkKnown: asker?.known ? 1 : 0,
    })
    .execute()
  return `${selector}.${token}`
}

/**
 * Whether a user may be sent one more link of a kind. Known browsers have a quota, and each network has its own, so a stranger cannot use up
 * what the owner needs. All strangers together are limited, too, so that a botnet cannot fill a mailbox. Past that limit a link is sent each
 * `spacing`: the owner always has a reset link that is still good, or is sent one.
 * @returns how to count the link: a known browser past its quota counts as a stranger. Undefined if none may be sent
 */
export const findQuota = async (db: Db, userId: string, kind: MailLinkKind, asker: Asker, now: number): Promise<Asker | undefined> => {
  const { few, many, siteTimes, strangers } = limits.mail
  const rows = await db
    .selectFrom('mail_links')
    .select(['mailLinkCreated', 'mailLinkNetwork', 'mailLinkSite', 'mailLinkKnown'])
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', kind)
    .where('mailLinkCreated', '>', now - many.within)
    .execute()
  const hasRoom = (sent: typeof rows, quotas: { most: number; within: number }[], times = 1) =>
    quotas.every(({ most, within }) => sent.filter(row => row.mailLinkCreated > now - within).length < most * times)
  if (
    asker.known &&
    hasRoom(
      rows.filter(row => row.mailLinkKnown === 1),
      [few, many],
    )
  )
    return asker
  const byStrangers = rows.filter(row => row.mailLinkKnown === 0)
  const ofNetwork = byStrangers.filter(row => row.mailLinkNetwork === asker.network)
  const ofSite = asker.site === null ? [] : byStrangers.filter(row => row.mailLinkSite === asker.site)
  if (!hasRoom(ofNetwork, [few, many]) || !hasRoom(ofSite, [few, many], siteTimes)) return undefined
  const isOwed = byStrangers.every(row => row.mailLinkCreated <= now - strangers.spacing)
  return isOwed || hasRoom(byStrangers, [strangers.few, strangers.many]) ? { ...asker, known: false } : undefined
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

/** Whose link it is, good or not. */
export const findMailLinkUser = async (db: Db, claim: Claim): Promise<string | undefined> =>
  (
    await db
      .selectFrom('mail_links')
      .select('mailLinkUser')
      .where('mailLinkSelector', '=', claim.selector)
      .where('mailLinkKind', '=', claim.kind)
      .where('mailLinkHash', '=', hashSecret(claim.token))
      .executeTakeFirst()
  )?.mailLinkUser

/**
 * Uses a link up, once, and voids the user's other links of its kind. One statement does both: of two links that are used at the same time,
 * one is good.
 */
export const redeemMailLink = async (db: Db, claim: Claim, now: number): Promise<Row<'mail_links'> | undefined> => {
  const rows = await db
    .updateTable('mail_links')
    .set(({ ref, eb }) => {
      const isThis = eb('mailLinkSelector', '=', claim.selector)
      return {
        mailLinkUsed: eb
          .case()
          .when(isThis)
          .then(eb.cast<number>(eb.val(now), 'bigint'))
          .else(ref('mailLinkUsed'))
          .end(),
        mailLinkExpires: eb.case().when(isThis).then(ref('mailLinkExpires')).else(ref('mailLinkCreated')).end(),
      }
    })
    .where('mailLinkUser', '=', e =>
      e
        .selectFrom('mail_links')
        .select('mailLinkUser')
        .where('mailLinkSelector', '=', claim.selector)
        .where('mailLinkKind', '=', claim.kind)
        .where('mailLinkHash', '=', hashSecret(claim.token))
        .where('mailLinkUsed', 'is', null)
        .where('mailLinkExpires', '>', now),
    )
    .where('mailLinkKind', '=', claim.kind)
    .where('mailLinkUsed', 'is', null)
    .where('mailLinkExpires', '>', now)
    .returningAll()
    .execute()
  return rows.find(row => row.mailLinkSelector === claim.selector)
}

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

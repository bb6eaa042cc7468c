import type { MailLink } from '@gatehouse/wire'
import type { ExpressionBuilder } from 'kysely'
import type { Db, MailLinkKind, Row, Tables } from '../db/schema.ts'
import { hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'

/** The kind of a mailed link, and the two halves of its fragment. */
export type Claim = { kind: MailLinkKind; selector: string; token: string }

/** The requester of a link, for its quota. `known`: the user of the link has signed in with this browser. */
export type Requester = { network: string | null; site: string | null; known: boolean }

/** The browser that waits for a one-time link, the number that its tab shows, and the function that hashes the code in the mail. */
export type BoundTo = { binding: string; number: string; blindCode: ((selector: string) => string) | undefined }

/** For links that only the signed-in user can request: one quota for all networks. */
export const anyNetwork: Requester = { network: null, site: null, known: false }

/**
 * How many older links of a kind stay valid when the server issues a new one. If an older link
 * stays valid, a stranger's request does not void the link that the user has just received. Of the
 * other kinds, only the newest link is valid: they belong to one pending factor or to one new
 * address.
 */
const olderLinks: Record<MailLinkKind, 0 | 1> = { PasswordReset: 1, OneTimeLink: 1, FactorReset: 0, EmailChange: 0 }

/**
 * Issues a link for a mail. Voids the user's older links of this kind, except the newest ones: `olderLinks` says how many stay valid.
 * @returns the fragment of the link's address
 */
export const issueMailLink = async (
  db: Db,
  link: {
    kind: MailLinkKind
    userId: string
    lifetime: number
    factorUUID?: string
    email?: string
    requester?: Requester
    wait?: BoundTo | undefined
    now: number
  },
): Promise<string> => {
  const { kind, userId, requester, now } = link
  await db
    .updateTable('mail_links')
    .set(voided)
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
      mailLinkNetwork: requester?.network ?? null,
      mailLinkSite: requester?.site ?? null,
      mailLinkKnown: requester?.known ? 1 : 0,
      mailLinkBinding: link.wait?.binding ?? null,
      mailLinkNumber: link.wait?.number ?? null,
      mailLinkCode: link.wait?.blindCode?.(selector) ?? null,
    })
    .execute()
  return `${selector}.${token}`
}

/**
 * Whether the server may send a user one more link of a kind. Known browsers have a quota, and each network has its own, so a stranger
 * cannot use up the user's. All strangers together have a limit too, so a botnet cannot fill a mailbox. Past that limit the server still
 * sends one link per `spacing`, so the user always has a valid reset link, or can get one.
 * @returns how to count the link: a known browser past its quota counts as a stranger. Undefined if the server may send no link
 */
export const findQuota = async (
  db: Db,
  userId: string,
  kind: MailLinkKind,
  requester: Requester,
  now: number,
): Promise<Requester | undefined> => {
  const { few, many, siteTimes, strangers } = limits.mail
  const rows = await db
    .selectFrom('mail_links')
    .select(['mailLinkCreated', 'mailLinkNetwork', 'mailLinkSite', 'mailLinkKnown'])
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', kind)
    .where('mailLinkCreated', '>', now - many.within)
    .execute()
  const isBelow = (sent: typeof rows, quotas: { most: number; within: number }[], times = 1) =>
    quotas.every(({ most, within }) => sent.filter(row => row.mailLinkCreated > now - within).length < most * times)
  if (
    requester.known &&
    isBelow(
      rows.filter(row => row.mailLinkKnown === 1),
      [few, many],
    )
  )
    return requester
  const byStrangers = rows.filter(row => row.mailLinkKnown === 0)
  const ofNetwork = byStrangers.filter(row => row.mailLinkNetwork === requester.network)
  const ofSite = requester.site === null ? [] : byStrangers.filter(row => row.mailLinkSite === requester.site)
  if (!isBelow(ofNetwork, [few, many]) || !isBelow(ofSite, [few, many], siteTimes)) return undefined
  const isDue = byStrangers.every(row => row.mailLinkCreated <= now - strangers.spacing)
  return isDue || isBelow(byStrangers, [strangers.few, strangers.many]) ? { ...requester, known: false } : undefined
}

/** The state of a link, without redeeming it. */
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

/** The user of a link, valid or not. */
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
 * Redeems a link, once, and voids the user's other links of its kind. One statement does both: of two links that are redeemed at the same
 * time, only one works.
 */
export const redeemMailLink = (db: Db, { token, ...link }: Claim, now: number): Promise<Row<'mail_links'> | undefined> =>
  redeemFound(db, { ...link, hash: hashSecret(token) }, now)

/** Like `redeemMailLink`, for a link that was found by the right mailed code. */
export const redeemFound = async (
  db: Db,
  claim: { kind: MailLinkKind; selector: string; hash: string },
  now: number,
): Promise<Row<'mail_links'> | undefined> => {
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
        .where('mailLinkHash', '=', claim.hash)
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

const live = (e: ExpressionBuilder<Tables, 'mail_links'>, now: number) =>
  e.and([e('mailLinkUsed', 'is', null), e('mailLinkExpires', '>', now)])

/**
 * Counts a code that a waiting browser sends, before it is compared, so that parallel attempts cannot exceed the limit. Past the limit, the
 * link itself stays valid.
 * @returns the links that the browser asked for and whose codes may be tried
 */
export const countCode = (db: Db, binding: string, now: number): Promise<Row<'mail_links'>[]> =>
  db
    .updateTable('mail_links')
    .set(e => ({ mailLinkCodeAttempts: e('mailLinkCodeAttempts', '+', 1) }))
    .where('mailLinkBinding', '=', binding)
    .where('mailLinkCode', 'is not', null)
    .where('mailLinkCodeAttempts', '<', limits.mailLink.codes.most)
    .where(e => live(e, now))
    .returningAll()
    .execute()

/**
 * Counts a number that another browser sends, before it is compared. The last wrong number voids the link and its code.
 * @returns whether the number is right
 */
export const countNumber = async (db: Db, claim: Claim, number: string, now: number): Promise<boolean> => {
  const { most } = limits.mailLink.numbers
  const row = await db
    .updateTable('mail_links')
    .set(e => ({
      mailLinkNumberAttempts: e('mailLinkNumberAttempts', '+', 1),
      mailLinkExpires: e
        .case()
        .when(e.and([e('mailLinkNumber', '!=', number), e('mailLinkNumberAttempts', '>=', most - 1)]))
        .then(e.ref('mailLinkCreated'))
        .else(e.ref('mailLinkExpires'))
        .end(),
    }))
    .where('mailLinkSelector', '=', claim.selector)
    .where('mailLinkKind', '=', claim.kind)
    .where('mailLinkHash', '=', hashSecret(claim.token))
    .where('mailLinkNumberAttempts', '<', most)
    .where(e => live(e, now))
    .returning('mailLinkNumber')
    .executeTakeFirst()
  return row?.mailLinkNumber === number
}

/** Voids a link: sets its expiry to its creation time, so that it has expired by every server's clock. */
const voided = ({ ref }: ExpressionBuilder<Tables, 'mail_links'>) => ({ mailLinkExpires: ref('mailLinkCreated') })

/** Voids all links of a user. */
export const voidAll = async (db: Db, userId: string, now: number): Promise<void> => {
  await db.updateTable('mail_links').set(voided).where('mailLinkUser', '=', userId).where('mailLinkExpires', '>', now).execute()
}

/** Voids the links of a user that confirm a new address. */
export const voidEmailChange = async (db: Db, userId: string, now: number): Promise<void> => {
  await db
    .updateTable('mail_links')
    .set(voided)
    .where('mailLinkUser', '=', userId)
    .where('mailLinkKind', '=', 'EmailChange')
    .where('mailLinkExpires', '>', now)
    .execute()
}

/** Deletes links that expired long ago. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('mail_links')
    .where('mailLinkExpires', '<=', now - limits.mailLink.remembered)
    .execute()
}

import * as v from 'valibot'
import { type Infer, maybe, shape } from '../format/decode.ts'
import { id } from '../format/text.ts'

const claim = { selector: id, token: id }

/** The two halves that a mailed link carries in its fragment, to be used up by the call. */
export const MailLinkRequest = shape('MailLinkRequest', v.strictObject(claim))
export type MailLinkRequest = Infer<typeof MailLinkRequest>

/** Body of /mail-link/look: which page the link was opened on, and its two halves. Nothing is used up. */
export const MailLinkLookRequest = shape(
  'MailLinkLookRequest',
  v.strictObject({ kind: v.picklist(['OneTimeLink', 'PasswordReset', 'FactorReset', 'EmailChange']), ...claim }),
)
export type MailLinkLookRequest = Infer<typeof MailLinkLookRequest>

/**
 * What a mailed link is good for at this moment. `email` comes with a good one only: of a one-time link or a factor reset it is
 * masked (`a•••@example.com`); of a password reset it is the user's name, which the call that sets the password wants; of a
 * change it is the new address.
 */
export const MailLink = shape('MailLink', v.object({ state: v.picklist(['Good', 'Used', 'Expired', 'Unknown']), email: maybe(v.string()) }))
export type MailLink = Infer<typeof MailLink>

import * as v from 'valibot'
import { type Infer, maybe, shape } from '../format/decode.ts'
import { id } from '../format/text.ts'

const claim = { selector: id, token: id }

/** The token in a mailed link's fragment, which the call uses up. */
export const MailLinkRequest = shape('MailLinkRequest', v.strictObject(claim))
export type MailLinkRequest = Infer<typeof MailLinkRequest>

/** Body of /mail-link/look: the kind of the page that was opened, and the link's token. Does not use the link up. */
export const MailLinkLookRequest = shape(
  'MailLinkLookRequest',
  v.strictObject({ kind: v.picklist(['OneTimeLink', 'PasswordReset', 'FactorReset', 'EmailChange']), ...claim }),
)
export type MailLinkLookRequest = Infer<typeof MailLinkLookRequest>

/**
 * The state of a mailed link. Only a good link has an `email`: masked (`a•••@example.com`) for a one-time link and a factor reset; the
 * username, which setting the password requires, for a password reset; the new address for a change of address.
 */
export const MailLink = shape(
  'MailLink',
  v.object({
    state: v.picklist(['Good', 'Used', 'Expired', 'Unknown']),
    email: maybe(v.string()),
    /** Whether this browser must enter the number of the tab that waits for the link. */
    asksNumber: maybe(v.boolean()),
  }),
)
export type MailLink = Infer<typeof MailLink>

import * as v from 'valibot'
import { bare, carrying, type Infer, maybe, noContents, otherTag, quoted, shape } from '../format/decode.ts'
import { id, upTo, username } from '../format/text.ts'
import { knowsPasskeys } from '../passkey/passkey-options.ts'

/** Names of the single-sign-on providers on the wire (§3). */
export const providerNames = ['Google', 'Azure', 'Pak'] as const

/** The messages are §8's verbatim; `prefix` adds the names of surrounding shapes that a failure's own prefix omits. */
/* @__NO_SIDE_EFFECTS__ */
const ssoProvider = (prefix = '') =>
  v.pipe(
    v.string(`${prefix}expected a top-level JSON string.`),
    v.picklist(providerNames, issue => `${prefix}unknown enumeration '${quoted(issue.input)}'.`),
  )

const redirect = v.variant(
  'tag',
  [
    v.strictObject({ tag: v.literal('RedirectDashboard'), contents: noContents }),
    v.strictObject({ tag: v.literal('RedirectSSOLogin'), contents: ssoProvider('RedirectSSOLogin: decodeSSOProvider: ') }),
  ],
  otherTag(tag => `Unknown tag value found '${quoted(tag)}'.`),
)

const magicLinkRequest = v.strictObject({ email: username, redirect })

/** A single-sign-on provider (§3). Addresses use its name in lower case, see `pages.ssoLogin`. */
export const SSOProvider = shape('SSOProvider', ssoProvider())
export type SSOProvider = Infer<typeof SSOProvider>

/** The target of a one-time link: the dashboard, or a provider's sign-in (§3). */
export const Redirect = shape('Redirect', redirect)
export type Redirect = Infer<typeof Redirect>

/** Requests a one-time link by email (§3). */
export const MagicLinkRequest = shape('MagicLinkRequest', magicLinkRequest)
export type MagicLinkRequest = Infer<typeof MagicLinkRequest>

/** Maximum number of requests in one call. */
export const maxMagicLinkRequests = 5

/** Body of /magiclink/send (§7): one to five requests. */
export const MagicLinkRequests = shape(
  // §8 reports failures of the whole call under the name of one request.
  'MagicLinkRequest',
  v.pipe(
    v.array(v.unknown()),
    v.check(list => list.length >= 1 && list.length <= maxMagicLinkRequests, `expected 1 to ${maxMagicLinkRequests} requests`),
    v.array(magicLinkRequest),
  ),
)
export type MagicLinkRequests = Infer<typeof MagicLinkRequests>

/** Response of /magiclink/send (§7): Ok, or Error with a message for the log. */
export const MagicLinkAnswer = shape(
  'MagicLinkAnswer',
  v.variant('tag', [bare('Ok'), carrying('Error', v.string())], otherTag('expected Ok or Error')),
)
export type MagicLinkAnswer = Infer<typeof MagicLinkAnswer>

/**
 * Body of /magiclink/redeem: the token of a one-time link, which the call uses up (§3, authentication request). `number`: the number in the
 * waiting tab, if the link asks for it.
 */
export const MagicLinkRedeemRequest = shape(
  'MagicLinkRedeemRequest',
  v.strictObject({ selector: id, token: id, number: maybe(upTo(8)), ...knowsPasskeys }),
)
export type MagicLinkRedeemRequest = Infer<typeof MagicLinkRedeemRequest>

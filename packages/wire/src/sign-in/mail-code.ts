import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { upTo } from '../format/text.ts'
import { knowsPasskeys } from '../passkey/passkey-options.ts'

/**
 * Response of /magiclink/wait: two digits for the tab that waits for a one-time link. The link asks for them in every other browser. The
 * call names no address, so the response does not reveal whether an account exists.
 */
export const MailWait = shape('MailWait', v.object({ number: v.pipe(v.string(), v.regex(/^[0-9]{2}$/, 'expected two digits')) }))
export type MailWait = Infer<typeof MailWait>

/** Body of /magiclink/code: the code of a one-time-link email, in the browser that asked for it. Case, spaces and dashes do not matter. */
export const MailCodeRequest = shape('MailCodeRequest', v.strictObject({ code: upTo(64), ...knowsPasskeys }))
export type MailCodeRequest = Infer<typeof MailCodeRequest>

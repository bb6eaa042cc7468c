import * as v from 'valibot'
import { type Infer, maybe, shape } from './decode.ts'
import { id, upTo } from './text.ts'

/** Body of /return/fragment: the fragment of the return address, which browsers never send to a server. */
export const ReturnFragmentRequest = shape(
  'ReturnFragmentRequest',
  // Browsers serialize fragments to printable ASCII, which a Location header may contain.
  v.strictObject({ returnId: id, returnFragment: v.pipe(upTo(2048), v.regex(/^#[!-~]*$/, 'expected # and printable ASCII')) }),
)
export type ReturnFragmentRequest = Infer<typeof ReturnFragmentRequest>

/**
 * Response of the hand-over call: where the browser goes after the sign-in. `RecoveryCodes` and `Passkey`: the server offers recovery
 * codes, or asks the user to add a passkey, before the user goes on.
 */
export const Onward = shape(
  'Onward',
  v.object({ to: v.picklist(['Dashboard', 'ReturnAddress', 'RecoveryCodes', 'Passkey']), address: v.string() }),
)
export type Onward = Infer<typeof Onward>

/**
 * Response of /session/check: whether the session is valid. `signingInAgain`: it is, but a protected page requires a newer sign-in, and
 * the sign-in page is open. Tabs with that page keep waiting for the new session. Pages that watch the session ignore the field.
 */
export const SessionCheck = shape('SessionCheck', v.object({ signedIn: v.boolean(), signingInAgain: maybe(v.boolean()) }))
export type SessionCheck = Infer<typeof SessionCheck>

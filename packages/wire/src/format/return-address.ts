import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'
import { id, upTo } from './text.ts'

/** Body of /return/fragment: the fragment of the return address, which browsers never send to a server. */
export const ReturnFragmentRequest = shape(
  'ReturnFragmentRequest',
  // The form in which browsers serialize fragments, which a Location header may contain.
  v.strictObject({ returnId: id, returnFragment: v.pipe(upTo(2048), v.regex(/^#[!-~]*$/, 'expected # and printable ASCII')) }),
)
export type ReturnFragmentRequest = Infer<typeof ReturnFragmentRequest>

/** Response of /session/check, for tabs that wait for a sign-in in another tab. */
export const SessionCheck = shape('SessionCheck', v.object({ signedIn: v.boolean() }))
export type SessionCheck = Infer<typeof SessionCheck>

import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'
import { id, upTo } from './text.ts'

/** Body of /return/fragment: the fragment of the address that is gone back to after a sign-in, which no server has seen. */
export const ReturnFragmentRequest = shape(
  'ReturnFragmentRequest',
  // As browsers write them: anything else would have no place in the header that leads there.
  v.strictObject({ returnId: id, returnFragment: v.pipe(upTo(2048), v.regex(/^#[!-~]*$/, 'expected # and printable ASCII')) }),
)
export type ReturnFragmentRequest = Infer<typeof ReturnFragmentRequest>

/** Answer of /session/check, for tabs that wait while somebody signs in in another one. */
export const SessionCheck = shape('SessionCheck', v.object({ signedIn: v.boolean() }))
export type SessionCheck = Infer<typeof SessionCheck>

import * as v from 'valibot'
import { password } from './text.ts'

/** A new password, and the same once more. */
export const newPasswordTwice = { newpassword: password, newpasswordverification: password }

/** A page compares the two before it sends; whoever sends them apart has made a mistake, and it is refused here. */
/* @__NO_SIDE_EFFECTS__ */
export const typedTwice = <T extends { newpassword: string; newpasswordverification: string }>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    schema,
    v.check(body => body.newpassword === body.newpasswordverification, 'newpasswordverification differs from newpassword'),
  )

import * as v from 'valibot'
import { password } from './text.ts'

/** The fields of a new password, typed twice. */
export const newPasswordTwice = { newpassword: password, newpasswordverification: password }

/** Pages compare the two before sending; this refuses mistakes by other clients. */
/* @__NO_SIDE_EFFECTS__ */
export const typedTwice = <T extends { newpassword: string; newpasswordverification: string }>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    schema,
    v.check(body => body.newpassword === body.newpasswordverification, 'newpasswordverification differs from newpassword'),
  )

import fc from 'fast-check'
import { accountArbitraries } from './arbitraries/account.ts'
import { administrationArbitraries } from './arbitraries/administration.ts'
import { factorArbitraries } from './arbitraries/factors.ts'
import { passkeyArbitraries } from './arbitraries/passkeys.ts'
import { pushArbitraries } from './arbitraries/push.ts'
import { signInArbitraries } from './arbitraries/sign-in.ts'
import { any, flag, word } from './arbitraries/values.ts'

/** Random messages of every shape as they travel on the wire, written independently of the schemas. */
export const arbitraries: Record<string, fc.Arbitrary<unknown>> = {
  ...factorArbitraries,
  ...passkeyArbitraries,
  ...pushArbitraries,
  ...signInArbitraries,
  ...accountArbitraries,
  ...administrationArbitraries,
  Empty: fc.constant({}),
  Nothing: fc.constant({}),
  UserId: word,
  Boolean: flag,
  String: any,
}

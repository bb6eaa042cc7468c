import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { limits } from '../limits.ts'
import type { Pass } from '../passes/pass.ts'
import type { PassSecret } from '../passes/pass-secret.ts'
import { prepareFindPass, recordUse } from '../passes/passes.store.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import { createScope, isInScope } from './pass-scope.ts'
import type { AskedRequest, RuleSet } from './rules/rule-set.ts'

/** Finds passes for checks. */
export const createPasses = (deps: { db: Kysely<Tables>; passkeyDue: PasskeyDueOf; now: () => number }) => {
  const { db, passkeyDue, now } = deps
  /** Compiled scopes by their text, the most recently used last: compiling takes longer than the rest of a check. */
  const scopes = new Map<string, RuleSet>()

  const findPass = prepareFindPass(db)

  const scopeOf = (pass: Pass): RuleSet => {
    const text = JSON.stringify(pass.scope)
    const scope = scopes.get(text) ?? createScope(pass.scope)
    scopes.delete(text)
    scopes.set(text, scope)
    const [oldest] = scopes.keys()
    if (scopes.size > limits.pass.scopes && oldest !== undefined) scopes.delete(oldest)
    return scope
  }

  /** The live pass with this secret. Stores its use at most once a minute. */
  const find = async (secret: PassSecret, address: string): Promise<Pass | undefined> => {
    const instant = now()
    const pass = await findPass(secret, instant)
    if (pass && (pass.used === null || pass.used + limits.pass.usedEvery <= instant || pass.used > instant))
      await recordUse(db, pass.selector, address, instant)
    return pass
  }

  /** Whether the policy for all applications requires a passkey now, and the owner created the pass in a session without one. */
  const lacksPasskey = ({ owner, factor }: Pass): boolean =>
    owner.is === 'User' && passkeyDue({ userIdent: owner.userIdent, sessionFactor: factor })?.is === 'Now'

  return { find, lacksPasskey, isInScope: (pass: Pass, asked: AskedRequest) => isInScope(scopeOf(pass), asked) }
}
export type Passes = ReturnType<typeof createPasses>

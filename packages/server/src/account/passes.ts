import type { OwnPasses, PassRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { originsForPasses, type PassProblem, readPassRequest } from '../forward-auth/pass-request.ts'
import type { RulesSource } from '../forward-auth/rules-file/rules-source.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import { listedPass } from '../passes/pass.ts'
import * as passes from '../passes/passes.store.ts'
import type { PasskeyDueOf } from '../sessions/phishing-resistance.ts'
import { provenBy, type Session } from '../sessions/session.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Reauthentication, SessionRefusal } from './reauthentication.ts'

/**
 * `lower`: the user has a second factor, but the session used none recently. `passkey`: the policy requires a passkey, and the session
 * was not opened with one.
 */
export type PassCreationRefusal = SessionRefusal | 'lower' | 'passkey' | 'too-many' | PassProblem

/** The passes of the signed-in user's programs. */
export const createOwnPasses = (deps: {
  db: Kysely<Tables>
  rules: RulesSource
  reauthentication: Reauthentication
  mail: Mail
  passkeyDue: PasskeyDueOf
  now: () => number
}) => {
  const { db, rules, reauthentication, mail, passkeyDue, now } = deps

  const list = async (caller: Session): Promise<OwnPasses> => ({
    passes: (await passes.listPasses(db, now(), caller.userId)).map(listedPass),
    origins: originsForPasses(rules.current()),
    most: limits.pass.perUser,
  })

  /** Creates a pass. A stolen session must not create one, because the pass would outlive the session. */
  const add = async (
    request: PassRequest,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ pass: string } | PassCreationRefusal> => {
    if (!caller) return 'not-signed-in'
    const read = readPassRequest(request, rules.current())
    if ('problem' in read) return read
    return reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ pass: string } | PassCreationRefusal> => {
      const { userId } = account
      // Under this policy, a session without a passkey opens the account page only. A pass would open more.
      if (passkeyDue(session)?.is === 'Now') return 'passkey'
      const permit = await ask(tx, account, 'create-pass', { session: provenBy(session, now()) })
      if ('refused' in permit) return 'lower'
      if ((await passes.countPasses(tx, now(), { userId })) >= limits.pass.perUser) return 'too-many'
      const { name, scope, lifetime } = read
      const created = { name, scope, factor: session.sessionFactor, now: now(), expires: now() + lifetime }
      const pass = await passes.addUserPass(permit, created)
      await mail.notify(tx, account, { kind: 'pass-created', name }, visitor)
      await audit.record(tx, { event: 'pass-created', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { pass }
    })
  }

  /** Ends a pass on all servers. Any session may: it only takes access away. */
  const end = (passId: string, caller: Session | undefined, visitor: Visitor) =>
    reauthentication.inSession(caller, async (tx, { userId }): Promise<'ended' | 'unknown'> => {
      if ((await passes.endPass(tx, passId, userId)) === undefined) return 'unknown'
      await audit.record(tx, { event: 'pass-ended', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return 'ended'
    })

  return { list, add, end }
}
export type OwnPassesFlow = ReturnType<typeof createOwnPasses>

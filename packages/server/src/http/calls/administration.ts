import { administrationRoutes as routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { PassAdministration } from '../../admin/pass-administration.ts'
import type { Administered } from '../../admin/permission.ts'
import type { Users } from '../../admin/users.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import { secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

export const administratorsOnly = () => new Refused(403, 'Only an administrator who signed in within the last 15 minutes may do this')

/**
 * The refusal where an administrator signed in without a second factor. Reauthenticating with the
 * password would not help.
 */
export const secondFactorFirst = () => new Refused(403, 'Administration requires a second factor. Sign out, sign in again and set one up')

/** The refusal where the policy requires a passkey, and the administrator signed in with a factor that a fake sign-in page could relay. */
export const passkeyFirst = () => new Refused(403, 'Administration requires a passkey. Add one on your account page, or sign in with it')

type Deps = { caller: Caller; rates: Rates; administration: Administration; passAdministration: PassAdministration; users: Users }

/** The calls of the administration page. */
export const addAdministrationCalls = (
  app: FastifyInstance,
  { caller, rates, administration, passAdministration: passes, users }: Deps,
) => {
  /** Reads the caller's session. Counts the call by client address first, because visitors without rights can make it too. */
  const administrator = async ({ request }: Call) => {
    await rates.count('tokens', request.ip)
    return [await caller.session(request), caller.visitor(request)] as const
  }

  const doneOrThrow = <T>(administered: Administered<T, 'lower' | 'too-many'>, unknown = 'userId: there is no such user'): T => {
    if ('done' in administered) return administered.done
    switch (administered.refused) {
      case 'forbidden':
        throw administratorsOnly()
      case 'stale':
        throw staleSession()
      case 'without-factor':
        throw secondFactorFirst()
      case 'without-passkey':
        throw passkeyFirst()
      case 'oneself':
        throw new Refused(409, 'userId: administrators cannot do this to their own account')
      case 'unknown':
        throw new Refused(404, unknown)
      case 'lower':
        throw secondFactorNeeded()
      case 'too-many':
        throw new Refused(409, 'pass: the maximum number has been reached')
      case 'taken':
        throw new Refused(409, 'userIdent: there is a user of this address already')
    }
  }
  const done = (administered: Administered<null>) => {
    doneOrThrow(administered)
    return {}
  }

  bind(app, routes.overview, async (_, call) => doneOrThrow(await administration.overview(...(await administrator(call)))))
  bind(app, routes.users, async (request, call) => doneOrThrow(await administration.users(request, ...(await administrator(call)))))
  bind(app, routes.user, async ({ userId }, call) => doneOrThrow(await administration.user(userId, ...(await administrator(call)))))
  bind(app, routes.mails, async (_, call) => doneOrThrow(await administration.mails(...(await administrator(call)))))
  bind(app, routes.board, async ({ range }, call) =>
    doneOrThrow(await administration.board(range ?? 'Day', ...(await administrator(call)))),
  )
  bind(app, routes.attempts, async (request, call) => doneOrThrow(await administration.attempts(request, ...(await administrator(call)))))

  bind(app, routes.add, async ({ userIdent, userTZLabel }, call) => {
    const [session, visitor] = await administrator(call)
    const addition = { username: userIdent, timezone: userTZLabel, authenticateduser: session?.userId ?? '' }
    doneOrThrow(await users.add(addition, session, visitor))
    return {}
  })
  bind(app, routes.unlock, async ({ userId }, call) => done(await administration.unlock(userId, ...(await administrator(call)))))
  bind(app, routes.forceReset, async ({ userId }, call) => done(await administration.forceReset(userId, ...(await administrator(call)))))
  bind(app, routes.setGroups, async (change, call) => done(await administration.setGroups(change, ...(await administrator(call)))))
  bind(app, routes.removeFactor, async (removal, call) => done(await administration.removeFactor(removal, ...(await administrator(call)))))
  bind(app, routes.remove, async (removal, call) => done(await administration.remove(removal, ...(await administrator(call)))))
  bind(app, routes.endSession, async (removal, call) => done(await administration.endOne(removal, ...(await administrator(call)))))
  bind(app, routes.sendLink, async ({ userId }, call) => done(await administration.sendLink(userId, ...(await administrator(call)))))
  bind(app, routes.endSessions, async ({ userId }, call) => done(await administration.endSessions(userId, ...(await administrator(call)))))

  bind(app, routes.passes, async (request, call) => doneOrThrow(await passes.list(request, ...(await administrator(call)))))
  bind(app, routes.addPass, async (request, call) => doneOrThrow(await passes.add(request, ...(await administrator(call)))))
  bind(app, routes.endPass, async ({ passId }, call) => {
    doneOrThrow(await passes.end(passId, ...(await administrator(call))), 'passId: there is no such pass')
    return {}
  })
  bind(app, routes.endPasses, async (request, call) => done(await passes.endAll(request, ...(await administrator(call)))))
}

import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Administered } from '../../admin/permission.ts'
import type { Users } from '../../admin/users.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import { administratorsOnly, passkeyFirst, secondFactorFirst } from './administration.ts'

/** The specification's calls with which administrators manage users. */
export const addUserCalls = (app: FastifyInstance, { caller, rates, users }: { caller: Caller; rates: Rates; users: Users }) => {
  /** Counts the call by client address, because any visitor can make it and be refused. */
  const administrator = async ({ request }: Call) => {
    await rates.count('tokens', request.ip)
    return [await caller.session(request), caller.visitor(request)] as const
  }

  const done = <T>(administered: Administered<T>, field: string): T => {
    if ('done' in administered) return administered.done
    switch (administered.refused) {
      case 'forbidden':
      case 'stale':
        throw administratorsOnly()
      case 'oneself':
        throw new Refused(409, `${field}: administrators cannot delete themselves`)
      case 'unknown':
        throw new Refused(404, `${field}: there is no such user`)
      case 'taken':
        throw new Refused(409, `${field}: there is a user of this name already`)
      case 'without-factor':
        throw secondFactorFirst()
      case 'without-passkey':
        throw passkeyFirst()
    }
  }
  bind(app, routes.userAdd, async (add, call) => done(await users.add(add, ...(await administrator(call))), 'username'))
  bind(app, routes.userUpdate, async (update, call) => done(await users.update(update, ...(await administrator(call))), 'userid'))
  bind(app, routes.userByUsername, async (name, call) => done(await users.findByUsername(name, ...(await administrator(call))), 'username'))
  bind(app, routes.userDelete, async (remove, call) => {
    const binding = caller.cookie(call.request, 'hand-over') ?? ''
    done(await users.remove(remove, binding, ...(await administrator(call))), 'userident')
    caller.clearCookie(call.reply, 'hand-over')
    return {}
  })
}

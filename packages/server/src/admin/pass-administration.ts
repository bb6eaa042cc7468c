import type { AdministeredPass, PassesEndRequest, PassList, PassListRequest, ServicePassRequest } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { BadInput } from '../bad-input.ts'
import type { Tables } from '../db/schema.ts'
import { ask } from '../factors/credential-permits.ts'
import { originsForPasses, readPassRequest } from '../forward-auth/pass-request.ts'
import type { RulesSource } from '../forward-auth/rules-file/rules-source.ts'
import { limits } from '../limits.ts'
import type { Mail } from '../mail/mail.ts'
import { listedPass, type Pass } from '../passes/pass.ts'
import * as passes from '../passes/passes.store.ts'
import { isService, serviceForm } from '../passes/service-name.ts'
import { provenBy, type Session } from '../sessions/session.ts'
import * as accounts from '../users/users.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { countFoundPasses, listAllPasses, type PassPlace } from './pass-list.ts'
import type { Administer, Administered } from './permission.ts'

type Caller = Session | undefined

/** The passes of all users and services, for administrators. */
export const createPassAdministration = (deps: {
  db: Kysely<Tables>
  rules: RulesSource
  administer: Administer
  mail: Mail
  now: () => number
}) => {
  const { db, rules, mail, now } = deps
  const { administer, read } = deps.administer

  const list = (request: PassListRequest, caller: Caller, visitor: Visitor): Promise<Administered<PassList>> =>
    read(caller, visitor, async () => {
      const { holders = 'All' } = request
      const after = request.after === undefined ? undefined : placeIn(request.after)
      const of = { search: (request.search ?? '').trim().normalize('NFC'), holder: holderIn(request), now: now() }
      const found = await listAllPasses(db, { ...of, holders, after })
      return {
        passes: found.passes.map(administered),
        ...(found.after && { after: `${found.after.expires} ${found.after.selector}` }),
        counts: await countFoundPasses(db, of),
        origins: originsForPasses(rules.current()),
        services: await passes.countPasses(db, now(), 'services'),
        most: limits.pass.services,
      }
    })

  /**
   * Creates a pass of a service. Attack: someone with a stolen session and the password of an administrator must not get a secret that
   * outlives both, so the administrator's second factor must be recent.
   */
  const add = (
    { service, ...request }: ServicePassRequest,
    caller: Caller,
    visitor: Visitor,
  ): Promise<Administered<{ pass: string }, 'lower' | 'too-many'>> => {
    const target = passes.targetOf({ is: 'Service', service })
    return administer({ caller, visitor, event: 'pass-created', target }, async (tx, recordResult, administrator) => {
      const account = await accounts.lockAccount(tx, administrator.userId)
      if (!account) return { refused: 'forbidden' }
      const proof = { administrator: true, session: provenBy(administrator, now()) } as const
      const permit = await ask(tx, account, 'create-service-pass', proof)
      if ('refused' in permit) {
        await recordResult('lower')
        return { refused: 'lower' }
      }
      if (!isService(service)) throw new BadInput(`service: ${serviceForm}`)
      const asked = readPassRequest(request, rules.current())
      if ('problem' in asked) throw new BadInput(`${asked.field}: ${asked.problem}`, asked.code, asked.value)
      if ((await passes.countPasses(tx, now(), 'services')) >= limits.pass.services) {
        await recordResult('too-many')
        return { refused: 'too-many' }
      }
      const { name, scope, lifetime } = asked
      const pass = await passes.addServicePass(permit, { service, name, scope, now: now(), expires: now() + lifetime })
      await mail.notifyAdministrators(tx, { kind: 'service-pass-created', who: service, name, by: account.userIdent }, visitor)
      await recordResult('successful')
      return { done: { pass } }
    })
  }

  /** Ends a pass on all servers. */
  const end = async (passId: string, caller: Caller, visitor: Visitor): Promise<Administered<null>> =>
    administer({ caller, visitor, event: 'pass-ended', target: null }, async (tx, recordResult) => {
      const ended = await passes.endPass(tx, passId)
      await recordResult(ended ? 'successful' : 'unknown-pass', ended?.target)
      return ended ? { done: null } : { refused: 'unknown' }
    })

  /** Ends every pass of an owner on all servers. */
  const endAll = async (request: PassesEndRequest, caller: Caller, visitor: Visitor): Promise<Administered<null>> => {
    const holder = holderIn(request)
    const target = holder ? passes.targetOf(holder) : null
    return administer({ caller, visitor, event: 'pass-ended', target }, async (tx, recordResult) => {
      if (!holder) throw new BadInput('userId: or a service must be given')
      await passes.endPassesOf(tx, holder)
      await recordResult('all-passes')
      return { done: null }
    })
  }

  return { list, add, end, endAll }
}
export type PassAdministration = ReturnType<typeof createPassAdministration>

const holderIn = ({ userId, service }: PassesEndRequest): passes.HolderKey | undefined => {
  if (userId !== undefined && service !== undefined) throw new BadInput('service: must be absent where userId is given')
  if (userId !== undefined) return { is: 'User', userId }
  return service === undefined ? undefined : { is: 'Service', service }
}

const placeIn = (cursor: string): PassPlace => {
  const [, expires, selector] = /^(\d{1,15}) (\S+)$/.exec(cursor) ?? []
  if (selector === undefined) throw new BadInput('after: is not a place in this list')
  return { expires: Number(expires), selector }
}

const administered = (pass: Pass): AdministeredPass => {
  const { owner } = pass
  return owner.is === 'User'
    ? { ...listedPass(pass), user: { userId: owner.userId, userIdent: owner.userIdent } }
    : { ...listedPass(pass), service: owner.service }
}

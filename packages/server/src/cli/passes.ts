import * as audit from '../audit/audit.store.ts'
import { loadConfiguredRules } from '../config/load-rules.ts'
import { readPassRequest } from '../forward-auth/pass-request.ts'
import { createRuleSet } from '../forward-auth/rules/rule-set.ts'
import { limits } from '../limits.ts'
import type { Pass } from '../passes/pass.ts'
import { addServicePass, countPasses, endPass, listPasses, targetOf } from '../passes/passes.store.ts'
import { isService, serviceForm } from '../passes/service-name.ts'
import type { Deps } from './deps.ts'
import { UsageError } from './usage-error.ts'

const listOf = (text: string | undefined) => (text ?? '').split(',').flatMap(word => (word.trim() === '' ? [] : [word.trim()]))

/** Creates a pass for a service, a program that belongs to no user. Users create their own on the account page. */
export const addPass = async ({ args: [service = ''], options, config, database: { db, clock }, write, data }: Deps) => {
  if (!isService(service)) throw new UsageError(`SERVICE: ${serviceForm}`)
  const { rules } = await loadConfiguredRules(config)
  const request = {
    name: options.get('name') ?? service,
    to: listOf(options.get('to')),
    methods: listOf(options.get('methods')),
    from: listOf(options.get('from')),
    days: Number(options.get('days') ?? '90'),
  }
  const read = readPassRequest(request, createRuleSet(rules))
  if ('problem' in read) throw new UsageError(`--${read.field}: ${read.problem}`)
  const now = clock.now()
  const { name, scope, lifetime } = read
  const pass = await db.transaction().execute(async tx => {
    if ((await countPasses(tx, now, 'services')) >= limits.pass.services)
      throw new UsageError(`Services have ${limits.pass.services} passes, the maximum. End one first.`)
    const added = await addServicePass({ tx, userId: 'cli' }, { service, name, scope, now, expires: now + lifetime })
    const target = targetOf({ is: 'Service', service })
    await audit.record(tx, { event: 'pass-created', result: 'successful', actor: 'cli', target, now }, undefined)
    return added
  })
  data({ pass, expires: new Date(now + lifetime).toISOString() })
  write(pass)
  write(`This is the only time the pass is shown. It ends on ${new Date(now + lifetime).toISOString()}.`)
}

export const listAllPasses = async ({ database: { db, clock }, write, data }: Deps) => {
  const passes = (await listPasses(db, clock.now())).map(rowOf)
  data(passes)
  if (passes.length === 0) write('There are no passes.')
  for (const { id, owner, name, to, expires, used } of passes)
    write([id, owner, name, to.join(' '), `ends ${expires}`, used === null ? 'never used' : `used ${used}`].join('  '))
}

const rowOf = ({ selector, owner, name, scope, expires, used, usedFrom }: Pass) => ({
  id: selector,
  owner: owner.is === 'User' ? owner.userIdent : `service ${owner.service}`,
  name,
  ...scope,
  expires: new Date(Number(expires)).toISOString(),
  used: used === null ? null : new Date(Number(used)).toISOString(),
  usedFrom,
})

export const endOnePass = async ({ args: [id = ''], database: { db, clock }, write }: Deps) => {
  const ended = await db.transaction().execute(async tx => {
    const pass = await endPass(tx, id)
    if (!pass) return undefined
    const event = { event: 'pass-ended', result: 'successful', actor: 'cli', target: pass.target, now: clock.now() } as const
    await audit.record(tx, event, undefined)
    return pass
  })
  if (!ended) throw new UsageError(`There is no pass ${id}. List them: pass list`)
  write(`Ended the pass ${ended.name}. Every server refuses it from now on.`)
}

import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { KeptMail } from '../../../src/mail/mailbox.ts'
import type { Hasher } from '../../../src/passwords/hash-threads.ts'
import { createMemoryMailbox } from '../../../src/testing/memory-mailbox.ts'
import { startServer } from '../../support/harness.ts'
import { type Chance, createChance } from './chance.ts'
import { type Identity, type Policy, pauses, type Visitor } from './model.ts'
import { canShowPasskey } from './passkeys.ts'
import { createScenario, type Party, protectedOrigins, type Scenario, type Server } from './scenario.ts'
import { actions } from './steps.ts'
import type { Action } from './turn.ts'
import { startWalkProvider, type WalkProvider } from './walk-provider.ts'

/** Steps per account and per server. */
const perAccount = 150
const perServer = 20_000

/** A hash that takes no time, in the format that the server stores. */
const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const hashed = (password: string) => `$argon2id$v=19$m=8,t=1,p=1$${createHash('sha256').update(password).digest('base64url')}`
const hasher: Hasher = {
  cost,
  threads: 1,
  atOnce: 1,
  hash: async password => hashed(password),
  verify: async (password, stored) => stored === hashed(password),
  close: async () => {},
}

/**
 * Performs random actions of an owner and an attacker on an account and compares each answer with the model. While the account has a second
 * factor of its owner, what the attacker holds never suffices. An attacker may take over an account that lost its factors, until the owner
 * sets up the next factor.
 * @returns how often the owner set up that next factor, and how often the server gave each answer to each action
 * @throws with the seed and the last steps
 */
const walk = async (seed: number, count: number, idp: WalkProvider, policy: Policy) => {
  const chance = createChance(seed)
  const trace: string[] = []
  const answers = new Map<string, number>()
  let done = 0
  let resumed = 0
  let server: Server | undefined
  try {
    while (done < count) {
      if (!server || done % perServer === 0) server = await open(idp, policy)
      const scenario = await createScenario(server, idp, chance, `walker${done}`, policy)
      trace.length = 0
      let isProtected = scenario.model.hasFactor()
      for (let i = 0; i < perAccount && done < count; i++, done++) {
        const hadFactor = scenario.model.hasFactor()
        // A step with nothing to act on does not count.
        while (!(await move(scenario, chance, { trace, answers })));
        isProtected &&= scenario.model.hasFactor()
        if (!isProtected && !hadFactor && isOwners(scenario)) {
          resume(scenario)
          isProtected = true
          resumed++
        }
        if (isProtected) checkProtected(scenario)
        if (i % 25 === 0) await compareState(scenario)
      }
      await compareState(scenario)
    }
    return { resumed, answers }
  } catch (error) {
    const last = trace.slice(-40).join('\n')
    throw new Error(`seed ${seed}, step ${done}: ${error instanceof Error ? error.message : String(error)}\n${last}`, { cause: error })
  }
}

/**
 * Walks from a seed. GATEHOUSE_TEST_WALK_SEED overrides it, to reproduce a failure.
 * @param seed defaults to the time
 * @returns how often the owner set up a factor after the account had lost all its factors, and how often the server gave each answer
 */
export const walkFor = async (policy: Policy, count: number, seed = Date.now() % 1_000_000) => {
  const idp = await startWalkProvider()
  onTestFinished(idp.stop)
  return await walk(Number(process.env.GATEHOUSE_TEST_WALK_SEED ?? seed), count, idp, policy)
}

const open = async (idp: WalkProvider, policy: Policy): Promise<Server> => {
  const env = {
    GATEHOUSE_SECOND_FACTOR: policy,
    GATEHOUSE_PROTECTED_ORIGINS: protectedOrigins(policy),
    GATEHOUSE_SSO_TRUSTED: 'pak',
    ...idp.env('GOOGLE'),
    ...idp.env('PAK'),
  }
  const mails: KeptMail[] = []
  // Durability after a crash is tested elsewhere.
  const server = await startServer({ env, hasher, inMemory: true, mailbox: createMemoryMailbox('', mail => mails.push(mail)) })
  return { ...server, takeMails: () => mails.splice(0) }
}

type Notes = { trace: string[]; answers: Map<string, number> }

/** Takes one step of the owner or the attacker, or advances the clock. */
const move = async (scenario: Scenario, chance: Chance, { trace, answers }: Notes): Promise<boolean> => {
  if (chance.is(0.12)) {
    const ms = chance.pick(pauses)
    scenario.clock.advance(ms)
    trace.push(`${ms / 1000} s pass`)
    return true
  }
  const party = chance.is(0.6) ? scenario.owner : scenario.attacker
  const { name, step, shows } = chance.weighted(party === scenario.owner ? actions : attackerActions)
  const able = party.visitors.filter(visitor => canShow(scenario, party, visitor, shows))
  // Rarely take a step that cannot succeed: its refusal is soon covered.
  if (able.length === 0 && !chance.is(0.04)) return false
  const visitor = chance.pick(able.length > 0 && chance.is(0.95) ? able : party.visitors)
  const said: string[] = []
  const outcome = await step({ scenario, party, visitor, said })
  trace.push(`${visitor.id} ${[name, ...said].join(', ')}: ${outcome?.answered ?? 'done'}`)
  if (!outcome) return false
  if (outcome.expected !== outcome.answered)
    throw new Error(`${name}: expected ${outcome.expected}, the server answered ${outcome.answered}`)
  const key = `${party.actor} ${name}: ${outcome.answered}`
  answers.set(key, (answers.get(key) ?? 0) + 1)
  return true
}

const attackerActions = actions.map(action => ({ ...action, weight: action.attackers ?? action.weight }))

const canShow = (
  { model, now, captured }: Scenario,
  { actor, passwords, devices }: Party,
  visitor: Visitor,
  what: Action['shows'],
): boolean => {
  const { ticket, handOver } = visitor
  const hasTicket = ticket?.alive === true && ticket.expires > now()
  const knowsPassword = model.account.password !== null && passwords.includes(model.account.password)
  switch (what) {
    case undefined:
      return true
    case 'password':
      return knowsPassword
    case 'first factor':
      return knowsPassword || hasTicket
    case 'waiting factor':
      return (knowsPassword || hasTicket) && (model.pending() !== undefined || model.former().length > 0)
    case 'ticket':
      return hasTicket
    case 'hand-over':
      return handOver?.alive === true && handOver.expires > now()
    case 'session':
      return model.isAlive(visitor)
    case 'no password':
      return model.isAlive(visitor) && model.account.password === null
    case 'passkey':
    case 'set-up':
    case 'upgrade':
      return canShowPasskey(visitor, devices.length + captured.length, what, now())
    case 'OneTimeLink':
    case 'PasswordReset':
    case 'FactorReset':
    case 'EmailChange':
      return model.links.some(link => link.kind === what && link.is === 'newest' && link.expires > now() && link.readers.has(actor))
  }
}

/** Whether the account has second factors, all of them the owner's, and is not at an address of the attacker. */
const isOwners = ({ model }: Scenario) =>
  model.hasFactor() && model.required().every(factor => factor.by === 'owner') && !model.account.address.startsWith('attacker-')

/**
 * Call it after the owner has set up a factor on an account that had lost all its factors. The new factor ends everything that the
 * attacker opened. Passwords and identities remain, but do not suffice.
 */
const resume = (scenario: Scenario) => {
  const { model, attacker, now } = scenario
  for (const visitor of attacker.visitors) {
    if (visitor.handOver?.alive && visitor.handOver.expires > now()) violated(attacker, 'can still enter by an old sign-in')
    visitor.handOver = undefined
    if (model.isAlive(visitor)) violated(attacker, 'still has a session')
    if (visitor.ticket?.alive && visitor.ticket.expires > now()) violated(attacker, 'still has a ticket')
  }
  if (model.passkeys().some(({ by }) => by === 'attacker')) violated(attacker, 'has a passkey')
  if (model.recoveryCodes().size > 0) violated(attacker, 'may have recovery codes')
  attacker.recoveryCodes = []
  scenario.planted = model.linked.pak?.by === 'attacker' ? model.linked.pak : undefined
}

const violated = (attacker: Party, what: string) => {
  throw new Error(`the attacker holds ${[...attacker.holds].join(', ')}, and ${what}`)
}

/** What an attacker must never get from an account with a second factor. */
const checkProtected = ({ model, owner, attacker, planted }: Scenario) => {
  const { pak } = model.linked
  if (pak?.by === 'attacker' && pak !== planted) violated(attacker, 'has linked an identity')
  if (pak?.by === 'attacker' && pak.vouched) violated(attacker, 'has an identity that counts as a second factor')
  if (model.verified().some(factor => factor.by !== 'owner')) violated(attacker, 'has replaced or added a second factor')
  if (attacker.visitors.some(({ handOver }) => handOver)) violated(attacker, 'was let in')
  if (model.account.address.startsWith('attacker-')) violated(attacker, 'has moved the address')
  if (attacker.recoveryCodes.length > 3) violated(attacker, 'has made recovery codes')
  if (!owner.visitors[0]) violated(attacker, 'the owner is gone')
  for (const { session } of attacker.visitors)
    if (session && model.isAlive({ ...attackerOf(attacker), session }) && model.isFresh(session.of))
      violated(attacker, 'has a fresh session')
}

const attackerOf = ({ visitors: [visitor] }: Scenario['attacker']) => {
  if (!visitor) throw new Error('no visitor')
  return visitor
}

/** Compares the database with the model. */
const compareState = async ({ server: { db }, userId, model, identityOf }: Scenario) => {
  const user = await db.selectFrom('users').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow()
  const factors = await db
    .selectFrom('factors')
    .select(['factorUUID', 'factorOptional'])
    .where('factorIdentity', '=', userId)
    .where('factorStatus', '=', 'Verified')
    .execute()
  const codes = await db.selectFrom('recovery_codes').select('recoveryCodeHash').where('recoveryCodeUser', '=', userId).execute()
  const { google, pak } = model.linked
  const linkedAs = (id: string | null, vouched: string | null) => `${id}${id !== null && vouched === id ? ' vouched' : ''}`
  const shouldBe = (identity: Identity | undefined) =>
    linkedAs(identity ? identityOf(identity.sub) : null, identity?.vouched ? identityOf(identity.sub) : null)
  const is = {
    address: user.userIdent,
    byMail: user.userPasswordByMail === 1,
    forcedReset: user.userForcedReset === 1,
    google: linkedAs(user.userGoogleId, user.userGoogleVouched),
    pak: linkedAs(user.userPakId, user.userPakVouched),
    factors: factors.map(row => `${row.factorUUID} ${row.factorOptional}`).toSorted(),
    codes: codes.length,
  }
  const { address, byMail, forcedReset } = model.account
  const should = {
    address,
    byMail,
    forcedReset,
    google: shouldBe(google),
    pak: shouldBe(pak),
    factors: model
      .verified()
      .map(({ uuid, passkey }) => `${uuid} ${passkey?.optional ? 1 : 0}`)
      .toSorted(),
    codes: model.recoveryCodes().size,
  }
  if (JSON.stringify(is) !== JSON.stringify(should))
    throw new Error(`the database holds ${JSON.stringify(is)}, the model ${JSON.stringify(should)}`)
}

/** The steps of an owner with a passkey. If a walk never completes a step, it does not test that step. */
export const passkeySteps = [
  'adds a passkey',
  'adds a passkey automatically',
  'confirms the session by passkey',
  'opens an application',
  'sets up a passkey first',
  'shows a passkey as second factor',
  'signs in by passkey',
]
export const successesOfOwner = (answers: ReadonlyMap<string, number>): string[] =>
  passkeySteps.filter(step => ['200', 'AuthSuccessful'].some(answer => answers.has(`owner ${step}: ${answer}`)))

import type { AuthOutcome } from '@gatehouse/wire'
import { limits } from '../../../src/limits.ts'
import { codeOf } from './codes.ts'
import type { Answer, Factor, How, Link, Visitor } from './model.ts'
import { answerOf, type Party, type Scenario } from './scenario.ts'

/** The model's answer and the server's. */
export type Outcome = { expected: Answer; answered: Answer }
/** `said`: details for the trace of a failure. */
export type Turn = { scenario: Scenario; party: Party; visitor: Visitor; said: string[] }
/** An action. `shows`: what a visitor must have for the action to have an effect. The walk prefers such visitors. */
export type Action = {
  weight: number
  /** The attacker's weight, if different. */
  attackers?: number
  name: string
  step: Step
  shows?:
    | 'password'
    | 'first factor'
    | 'waiting factor'
    | 'ticket'
    | 'hand-over'
    | 'session'
    | 'no password'
    | 'passkey'
    | 'set-up'
    | 'upgrade'
    | Link['kind']
}
export type Step = (turn: Turn) => Promise<Outcome | undefined>

/** For the steps of a page that handles passkeys. */
export const aware = { passkeys: true }

/** For steps without an answer to compare. */
export const done: Outcome = { expected: 'done', answered: 'done' }

export const same = (expected: Answer, outcome: AuthOutcome): Outcome => ({ expected, answered: answerOf(outcome) })

export const typedBy = (turn: Turn): string => {
  const typed = choosePassword(turn)
  turn.said.push(JSON.stringify(typed))
  return typed
}
const choosePassword = ({ scenario: { chance }, party }: Turn): string => {
  if (party.passwords.length === 0 || chance.is(0.08)) return 'not the password'
  // Prefer the newest password, which this side set itself.
  return chance.is(0.7) ? (party.passwords.at(-1) ?? '') : chance.pick(party.passwords)
}
export const howOf = (turn: Turn): How => {
  const { visitor, party, scenario } = turn
  if (!visitor.ticket || (party.passwords.length > 0 && scenario.chance.is(0.5))) return { typed: typedBy(turn) }
  turn.said.push('by ticket')
  return 'ticket'
}

/** Returns a code, usually an unused one, of a secret that this party knows; sometimes a random code. */
export const codeBy = ({ scenario, party }: Turn, candidates: readonly Factor[]): number => {
  const { chance } = scenario
  const step = Math.floor(scenario.now() / limits.totp.step)
  const known = candidates.filter(factor => scenario.knows(party, factor))
  if (known.length > 0 && !chance.is(0.1)) {
    const { secret = '', lastStep } = chance.pick(known)
    const unused = [step, step + 1, step - 1].find(one => one > lastStep)
    return codeOf(secret, unused !== undefined && chance.is(0.9) ? unused : step - chance.below(4))
  }
  return chance.below(1_000_000)
}

export const linkFor = ({ scenario: { model, chance }, party }: Turn, kind: Link['kind']): Link | undefined => {
  const known = model.links.filter(link => link.kind === kind && link.readers.has(party.actor))
  // Prefer the newest link; sometimes try an old one.
  return chance.is(0.9) ? known.at(-1) : known.length > 0 ? chance.pick(known) : undefined
}

/** Whether a link is valid. For an older link the server's answer decides. */
export const isGood = (
  {
    scenario: {
      now,
      model: { links },
    },
  }: Turn,
  link: Link,
  took: boolean,
): boolean => {
  const good = link.is === 'older' ? took && link.expires > now() : link.is === 'newest' && link.expires > now()
  // Using a link invalidates all others of its kind.
  if (good) for (const other of links) if (other.kind === link.kind) other.is = 'dead'
  return good
}

/** The status and error of an account call. */
export const statusOf = async (visitor: Visitor, route: { path: string }, body: unknown) => {
  const answer = await visitor.browser.send('POST', route.path, body)
  return {
    answered: answer.statusCode === 200 ? '200' : `${answer.statusCode} ${(answer.json() as { error?: string }).error}`,
    json: answer.json() as unknown,
  }
}

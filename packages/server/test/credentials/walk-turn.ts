import type { AuthOutcome } from '@gatehouse/wire'
import { limits } from '../../src/limits.ts'
import { type Answer, codeOf, type Factor, type How, type Link, type Visitor } from './walk-model.ts'
import { answerOf, type Party, type Stage } from './walk-scenario.ts'

/** What the model says and what the server answered. */
export type Outcome = { expected: Answer; answered: Answer }
/** `said`: what is told of the step where something goes wrong. */
export type Turn = { stage: Stage; party: Party; visitor: Visitor; said: string[] }
/** What can be done. `shows`: what it is of no use without, so that those who have it do it more often. */
export type Action = {
  weight: number
  /** The weight for attackers, where it differs. */
  attackers?: number
  name: string
  step: Step
  shows?: 'password' | 'first factor' | 'waiting factor' | 'ticket' | 'hand-over' | 'session' | Link['kind']
}
export type Step = (turn: Turn) => Promise<Outcome | undefined>

/** Of what has no answer to compare. */
export const done: Outcome = { expected: 'done', answered: 'done' }

export const same = (expected: Answer, outcome: AuthOutcome): Outcome => ({ expected, answered: answerOf(outcome) })

export const typedBy = (turn: Turn): string => {
  const typed = choosePassword(turn)
  turn.said.push(JSON.stringify(typed))
  return typed
}
const choosePassword = ({ stage: { chance }, party }: Turn): string => {
  if (party.passwords.length === 0 || chance.is(0.08)) return 'not the password'
  // Mostly the newest: that is the one they set themselves.
  return chance.is(0.7) ? (party.passwords.at(-1) ?? '') : chance.pick(party.passwords)
}
export const howOf = (turn: Turn): How => {
  const { visitor, party, stage } = turn
  if (!visitor.ticket || (party.passwords.length > 0 && stage.chance.is(0.5))) return { typed: typedBy(turn) }
  turn.said.push('by ticket')
  return 'ticket'
}

/** A code of a secret that the party knows, mostly a fresh one, or one that is wrong. */
export const codeBy = ({ stage, party }: Turn, candidates: readonly Factor[]): number => {
  const { chance } = stage
  const step = Math.floor(stage.now() / limits.totp.step)
  const known = candidates.filter(factor => stage.knows(party, factor))
  if (known.length > 0 && !chance.is(0.1)) {
    const { secret = '', lastStep } = chance.pick(known)
    const unused = [step, step + 1, step - 1].find(one => one > lastStep)
    return codeOf(secret, unused !== undefined && chance.is(0.9) ? unused : step - chance.below(4))
  }
  return chance.below(1_000_000)
}

export const linkFor = ({ stage: { model, chance }, party }: Turn, kind: Link['kind']): Link | undefined => {
  const known = model.links.filter(link => link.kind === kind && link.readers.has(party.actor))
  // Mostly the newest; old ones are tried as well.
  return chance.is(0.9) ? known.at(-1) : known.length > 0 ? chance.pick(known) : undefined
}

/** Whether a link is good, by the model or, of an older one, by what the server did. */
export const isGood = (
  {
    stage: {
      now,
      model: { links },
    },
  }: Turn,
  link: Link,
  took: boolean,
): boolean => {
  const good = link.is === 'older' ? took && link.expires > now() : link.is === 'newest' && link.expires > now()
  // One is used, and with it go all of its kind.
  if (good) for (const other of links) if (other.kind === link.kind) other.is = 'dead'
  return good
}

/** What an answer of the account page's calls is. */
export const statusOf = async (visitor: Visitor, route: { path: string }, body: unknown) => {
  const answer = await visitor.browser.send('POST', route.path, body)
  return {
    answered: answer.statusCode === 200 ? '200' : `${answer.statusCode} ${(answer.json() as { error?: string }).error}`,
    json: answer.json() as unknown,
  }
}

import { browserRuleChecks } from './checks/browser-rules.ts'
import { featureChecks } from './checks/features.ts'
import { hostileChecks } from './checks/hostile-bodies.ts'
import { floodChecks, lockoutChecks, withoutFlood } from './checks/lockout.ts'
import { mailChecks } from './checks/mail.ts'
import { observedChecks } from './checks/observed.ts'
import { secondFactorChecks } from './checks/second-factor.ts'
import { sessionChecks } from './checks/session.ts'
import { signInChecks } from './checks/sign-in.ts'
import { timingChecks } from './checks/timing.ts'
import { createClient } from './client.ts'
import { type Check, createRun } from './run.ts'
import type { Target } from './target.ts'
import { Broken, NotChecked } from './verdict.ts'

/** The result of one rule. `found` says what the server did, or why the rule was not checked. */
export type Row = {
  id: string
  /** The paragraph of the specification, or the heading of docs/wire.md for what Gatehouse adds to it. */
  section: string
  rule: string
  result: 'passed' | 'failed' | 'not checked'
  found: string
}

/** What to run, besides the checks that always run. */
export type Options = {
  /**
   * Runs only rules whose id or section contains one of these texts. Rules about all responses then
   * see fewer responses.
   */
  only?: readonly string[] | undefined
  /** Runs only the rules of the specification, for servers without Gatehouse's additions. */
  specificationOnly?: boolean | undefined
  /** How many sign-ins of each kind to time. 0 turns timing off. */
  timingSamples?: number | undefined
  /** Whether to send sign-ins until the server limits them. */
  flood?: boolean | undefined
  /** Receives a line when the run waits for the server. */
  say?: ((line: string) => void) | undefined
}

/** Every rule, in the order of a run: the rules about all responses come last. */
const allChecks = ({ timingSamples = 0, flood = false }: Options = {}): Check[] => [
  ...signInChecks,
  ...secondFactorChecks,
  ...sessionChecks,
  ...mailChecks,
  ...featureChecks,
  ...browserRuleChecks,
  ...hostileChecks,
  ...lockoutChecks,
  ...timingChecks(timingSamples),
  ...(flood ? floodChecks : withoutFlood),
  ...observedChecks,
]

/** Runs every check against a server. Never throws because of what the server does. */
export const checkServer = async (target: Target, options: Options = {}): Promise<Row[]> => {
  const { only, specificationOnly = false, say } = options
  const run = createRun(target, createClient(target, say))
  const wanted = allChecks(options).filter(
    ({ id, section }) =>
      (!only || only.some(text => id.includes(text) || section.includes(text))) && (!specificationOnly || section.startsWith('§')),
  )
  const rows: Row[] = []
  for (const { id, section, rule, check } of wanted) {
    const { result, found } = await judge(() => check(run))
    rows.push({ id, section, rule, result, found })
  }
  return rows
}

const judge = async (check: () => Promise<void> | void): Promise<Pick<Row, 'result' | 'found'>> => {
  try {
    await check()
    return { result: 'passed', found: '' }
  } catch (error) {
    if (error instanceof Broken) return { result: 'failed', found: error.message }
    if (error instanceof NotChecked) return { result: 'not checked', found: error.message }
    throw error
  }
}

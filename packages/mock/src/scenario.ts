import { decode, SocketMessage, shape } from '@gatehouse/wire'
import * as v from 'valibot'
import { type Call, callNamed, type Response } from './calls.ts'

const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000))
/** The name of an outcome, or a response written out. */
const step = v.union([
  v.string(),
  v.strictObject({
    outcome: v.optional(v.string()),
    status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
    body: v.optional(v.unknown()),
    headers: v.optional(v.record(v.string(), v.string())),
    delay: v.optional(milliseconds),
  }),
])
const frame = v.strictObject({ after: milliseconds, message: v.optional(v.unknown()), close: v.optional(v.number()) })

const ScenarioFile = shape(
  'Scenario',
  v.strictObject({
    delay: v.optional(milliseconds),
    calls: v.optional(v.record(v.string(), v.union([step, v.array(step)]))),
    sockets: v.optional(v.array(frame)),
  }),
)

/** The name of an outcome, or a response written out. `delay` is in milliseconds. */
export type Step =
  | string
  | {
      outcome?: string | undefined
      status?: number | undefined
      body?: unknown
      headers?: Record<string, string> | undefined
      delay?: number | undefined
    }

/** What happens on each WebSocket `after` milliseconds after it opened: the mock sends a message, closes the socket, or both. */
export type Frame = { after: number; message?: unknown; close?: number | undefined }

/** What the mock does without a choice: a delay, the steps of each call in order, and messages on sockets. */
export type Scenario = { delay: number; calls: ReadonlyMap<string, readonly Step[]>; sockets: readonly Frame[] }

/** The scenario in which every call succeeds at once. */
export const usualScenario: Scenario = { delay: 0, calls: new Map(), sockets: [] }

/** Reads a scenario file. The error names the first call, outcome or message that does not exist. */
export const readScenario = (file: unknown): { ok: true; value: Scenario } | { ok: false; error: string } => {
  const decoded = decode(ScenarioFile, file)
  if (!decoded.ok) return decoded
  const { delay = 0, calls = {}, sockets = [] } = decoded.value
  const steps = new Map(Object.entries(calls).map(([name, one]) => [name, [one].flat()]))
  for (const [name, list] of steps) {
    const call = callNamed(name)
    if (!call) return { ok: false, error: `${name}: there is no such call` }
    for (const step of list) {
      const outcome = typeof step === 'string' ? step : step.outcome
      if (outcome !== undefined && !call.outcomes.has(outcome)) return { ok: false, error: `${name}: there is no outcome ${outcome}` }
    }
  }
  for (const { message } of sockets) {
    if (message === undefined) continue
    const known = decode(SocketMessage, message)
    if (!known.ok) return { ok: false, error: `sockets: ${known.error}` }
  }
  return { ok: true, value: { delay, calls: steps, sockets } }
}

/** A response, and how many milliseconds to wait before it. */
export type Chosen = { outcome: string; response: Response; delay: number }

/** What a page, a header or a query parameter chooses for a call: the name of an outcome, and a delay. */
export type Choice = { outcome?: string | undefined; delay?: number | undefined }

/** Decides the response to each call: a choice for this request, else one made on the page, else the next step of the scenario. */
export const createChooser = (scenario: Scenario) => {
  const taken = new Map<string, number>()
  const chosen = new Map<string, Choice>()

  const fromScenario = (call: Call): Chosen => {
    const steps = scenario.calls.get(call.name) ?? []
    const at = taken.get(call.name) ?? 0
    // The last step repeats.
    taken.set(call.name, Math.min(at + 1, Math.max(0, steps.length - 1)))
    const step = steps[at] ?? call.usual
    if (typeof step === 'string') return { outcome: step, response: responseOf(call, step), delay: scenario.delay }
    const { status, body, headers = {}, delay = scenario.delay } = step
    const outcome = step.outcome ?? (status === undefined && body === undefined ? call.usual : 'written out')
    const base = responseOf(call, step.outcome ?? call.usual)
    const response = { ...base, status: status ?? base.status, body: body ?? base.body, headers: { ...base.headers, ...headers } }
    return { outcome, response, delay }
  }

  return {
    /** The response to a call. Undefined if the request chooses an outcome that the call does not have. */
    next: (call: Call, { outcome: wanted, delay }: Choice): Chosen | undefined => {
      const choice = { outcome: wanted ?? chosen.get(call.name)?.outcome, delay: delay ?? chosen.get(call.name)?.delay }
      if (choice.outcome === undefined) {
        const next = fromScenario(call)
        return { ...next, delay: choice.delay ?? next.delay }
      }
      const response = call.outcomes.get(choice.outcome)
      return response && { outcome: choice.outcome, response, delay: choice.delay ?? scenario.delay }
    },
    /** Chooses for all later requests. Without an outcome, the scenario decides again. */
    choose: (call: Call, choice: Choice) => void chosen.set(call.name, choice),
    choiceOf: (call: Call): Choice => chosen.get(call.name) ?? {},
    /** Forgets all choices, and starts every sequence again. */
    reset: () => {
      taken.clear()
      chosen.clear()
    },
  }
}

const responseOf = (call: Call, outcome: string): Response => call.outcomes.get(outcome) ?? { status: 200, body: {}, headers: {} }

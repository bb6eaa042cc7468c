import { nextAddress } from '../packages/server/test/support/next-address.ts'
import { type Answer, type Client, createClient } from './client.ts'
import { startDelayingProxy } from './delaying-proxy.ts'
import type { Call, Class } from './timing-calls.ts'

/** How many unmeasured requests to send first, over all classes. They warm up the compiler, the caches and the server's estimate of how long a refusal takes. */
const warmUp = 500

/** A call with the names of each class. Requests for the names in `control` go through the delaying proxy. */
export type Group = { call: Call; classes: readonly Named[]; control: readonly Named[] }
type Named = Class & { names: readonly string[] }

export type Measured = {
  classes: Map<string, number[]>
  control: Map<string, number[]>
  /** Each distinct response, without its variable headers, and the classes that received it. One entry means that no class differs. */
  answers: Map<string, Set<string>>
}

/** The number of requests to send for each class to get `samples` measurements. */
export const requestsOfEach = (call: Call, samples: number): number => warmUpOfEach(call) + samples

const warmUpOfEach = (call: Call) => Math.ceil(warmUp / (call.classes.length + call.planted.length))

/** Sends requests of all classes in random order, one at a time, and measures each. */
export const measure = async (serverPort: number, group: Group, samples: number): Promise<Measured> => {
  const { call } = group
  const withAccount = new Set([...group.classes, ...group.control].flatMap(one => (one.kind === 'no account' ? [] : one.names)))
  const proxy = await startDelayingProxy(serverPort, body => withAccount.has(/[\w]+@example\.com/.exec(body)?.[0] ?? ''))
  const [direct, planted] = [createClient(serverPort), createClient(proxy.port)]
  const sources = [
    ...group.classes.map(named => ({ named, client: direct, kept: [] as number[] })),
    ...group.control.map(named => ({ named, client: planted, kept: [] as number[] })),
  ]
  const answers: Measured['answers'] = new Map()
  const plan = (from: number, to: number) =>
    shuffled(sources.flatMap(source => Array.from({ length: to - from }, (_, i) => ({ source, turn: from + i }))))
  const first = warmUpOfEach(call)
  try {
    for (const { source, turn } of [...plan(0, first), ...plan(first, requestsOfEach(call, samples))]) {
      const { named, client, kept } = source
      const name = named.names[Math.floor(turn / call.triesPerName)] ?? ''
      const answer = await client.post(call.path, JSON.stringify(call.body(name)), nextAddress())
      if (answer.status !== 200) throw new Error(`${call.path} answered ${answer.status} to ${named.name}: ${answer.body}`)
      if (client === direct) note(answers, bytesOf(answer), named.name)
      if (turn >= first) kept.push(answer.took)
    }
  } finally {
    direct.close()
    planted.close()
    proxy.close()
  }
  const keptBy = (client: Client) =>
    new Map(sources.filter(source => source.client === client).map(({ named, kept }) => [named.name, kept]))
  return { classes: keptBy(direct), control: keptBy(planted), answers }
}

const note = (answers: Measured['answers'], bytes: string, name: string) => {
  answers.set(bytes, (answers.get(bytes) ?? new Set()).add(name))
}

/** The response as text, without the headers that differ in every response, and with a placeholder for each random cookie value. */
const bytesOf = ({ status, headers, body }: Answer): string => {
  const kept = headers.filter(([name]) => name !== 'date' && name !== 'x-request-id')
  const lines = kept.map(([name, value]) => `${name}: ${name === 'set-cookie' ? hideCookie(value) : value}`)
  return [status, ...lines, '', body].join('\n')
}

/** Keeps the length, name and attributes of a cookie, which must not depend on the account either. */
const hideCookie = (cookie: string) => cookie.replace(/(?<==)[^;]*/, value => `${value.length} characters`)

const shuffled = <T>(items: T[]): T[] => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const [a, b] = [items[i] as T, items[j] as T]
    items[i] = b
    items[j] = a
  }
  return items
}

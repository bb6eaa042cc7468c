import { nextAddress } from '../packages/server/test/support/next-address.ts'
import type { Call, Class } from './calls.ts'
import { type Answer, type Client, createClient } from './client.ts'
import { startInBetween } from './in-between.ts'

/** Sent before anything is kept: compilers, caches and the server's memory of what refusals take get warm by it. */
const warmUp = 500

/** A call with names for its classes, and names for the two of the control, which go through the in-between. */
export type Group = { call: Call; classes: readonly Named[]; control: readonly Named[] }
type Named = Class & { names: readonly string[] }

export type Measured = {
  classes: Map<string, number[]>
  control: Map<string, number[]>
  /** Every answer that was seen, without what differs in each, with the classes that got it. One, if all is well. */
  answers: Map<string, Set<string>>
}

/** How many requests each class gets for so many samples. */
export const requestsOfEach = (call: Call, samples: number): number => warmUpOfEach(call) + samples

const warmUpOfEach = (call: Call) => Math.ceil(warmUp / (call.classes.length + call.planted.length))

/** Sends one request after the other, of all classes in random order, and notes what each took. */
export const measure = async (serverPort: number, group: Group, samples: number): Promise<Measured> => {
  const { call } = group
  const somebody = new Set([...group.classes, ...group.control].flatMap(one => (one.kind === 'nobody' ? [] : one.names)))
  const between = await startInBetween(serverPort, body => somebody.has(/[\w]+@example\.com/.exec(body)?.[0] ?? ''))
  const [direct, planted] = [createClient(serverPort), createClient(between.port)]
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
    between.close()
  }
  const keptBy = (client: Client) =>
    new Map(sources.filter(source => source.client === client).map(({ named, kept }) => [named.name, kept]))
  return { classes: keptBy(direct), control: keptBy(planted), answers }
}

const note = (answers: Measured['answers'], bytes: string, name: string) => {
  answers.set(bytes, (answers.get(bytes) ?? new Set()).add(name))
}

/** What an answer says, all but what is another in each: the time and the request's number. */
const bytesOf = ({ status, headers, body }: Answer): string =>
  [status, ...headers.filter(([name]) => name !== 'date' && name !== 'x-request-id').map(pair => pair.join(': ')), '', body].join('\n')

const shuffled = <T>(items: T[]): T[] => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const [a, b] = [items[i] as T, items[j] as T]
    items[i] = b
    items[j] = a
  }
  return items
}

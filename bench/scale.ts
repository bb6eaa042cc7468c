// Measures how sign-ins and session checks change with the number of people and sessions. Started by `npm run bench -- scale`.
import { parseArgs } from 'node:util'
import { addCrowd } from '../packages/server/test/crowd.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { type Engine, engines, makePlace, startServer } from './server.ts'
import { addPeople, ourCheck, ourSignIn } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => process.stderr.write(`  ${line}\n`)

const usage = `Usage: npm run bench -- scale [--engine ${engines.join('|')}] [--people 1000,1000000] [--sessions-each 5] [--rounds 15] [--write]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      people: { type: 'string', default: '1000,1000000' },
      'sessions-each': { type: 'string', default: '5' },
      rounds: { type: 'string', default: '15' },
      write: { type: 'boolean', default: false },
    },
  })
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  const [people, sessionsEach, rounds] = [values.people.split(',').map(Number), Number(values['sessions-each']), Number(values.rounds)]
  const isWhole = (n: number | undefined, least: number) => Number.isInteger(n) && Number(n) >= least
  if (wanted.length === 0 || people.length < 2 || !people.every(n => isWhole(n, 1000)) || !isWhole(sessionsEach, 1) || !isWhole(rounds, 1))
    throw new Error(usage)
  return { wanted, people, sessionsEach, rounds, writes: values.write }
}

/** Each round this many, one after the other: what is asked is how long one takes, not how many go at once. */
const perRound = { signIn: 30, check: 600 }
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** A server on a database of so many people, and what is asked of it. */
const openHouse = async (engine: Engine, people: number, sessions: number) => {
  const place = await makePlace(engine)
  const start = performance.now()
  const cookies = await place.inDatabase(async db => {
    const first = await addPeople(db, 1000)
    await addCrowd(db, engine, { firstPeople: 1000, people, sessions: sessions - 1000 })
    return first
  })
  tell(`${names[engine]}: ${people} people with ${sessions} sessions are there after ${Math.round((performance.now() - start) / 1000)} s`)
  const server = await startServer(place, { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_ADMIN_PASSWORD: '' })
  /** Only then: a connection on which nothing comes for a while is closed. */
  const connect = async () => ({ signIn: await ourSignIn(server.port, people).open(), check: await ourCheck(server.port, cookies).open() })
  const stop = async () => {
    await server.stop()
    await place.stop()
  }
  return { people, sessions, connect, stop }
}
type House = Awaited<ReturnType<typeof openHouse>>
type Connection = Awaited<ReturnType<House['connect']>>

/** Milliseconds of each of so many, one after the other. */
const times = async ({ once }: Connection['check'], count: number): Promise<number[]> => {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    await once()
    took.push(performance.now() - start)
  }
  return took
}

const measure = async (engine: Engine, { people, sessionsEach, rounds }: ReturnType<typeof readArguments>) => {
  const houses: House[] = []
  try {
    for (const one of people) houses.push(await openHouse(engine, one, one * sessionsEach))
    const connected = await Promise.all(houses.map(async house => ({ ...house, ...(await house.connect()) })))
    const kept = new Map(connected.map(house => [house, { signIn: [] as number[][], check: [] as number[][] }]))
    for (let round = -1; round < rounds; round++)
      for (const house of round % 2 ? connected.toReversed() : connected)
        for (const what of ['signIn', 'check'] as const) {
          const took = await times(house[what], perRound[what])
          if (round >= 0) kept.get(house)?.[what].push(took)
        }
    for (const { signIn, check } of connected) for (const { close } of [signIn, check]) close()
    const [smallest] = [...kept.values()]
    const rows = [...kept].map(([house, { signIn, check }]) => {
      const cells = ([all, beside]: [number[][], number[][] | undefined]) => {
        const ratio = median(all.map((took, i) => median(took) / median(beside?.[i] ?? [Number.NaN])))
        const ordered = sorted(all.flat())
        return [quantile(ordered, 0.5).toFixed(2), quantile(ordered, 0.99).toFixed(2), ratio.toFixed(2)]
      }
      return [
        `${house.people.toLocaleString('en')} people, ${house.sessions.toLocaleString('en')} sessions`,
        ...cells([signIn, smallest?.signIn]),
        ...cells([check, smallest?.check]),
      ]
    })
    const bars = [...kept].map(([house, { check }], i): Bar => {
      const at = median(check.flat())
      return { name: `${names[engine]}, ${house.people.toLocaleString('en')}`, value: at, text: `${at.toFixed(2)} ms`, ours: i > 0 }
    })
    const heading = `**${names[engine]}**, ${rounds} rounds of ${perRound.signIn} sign-ins and ${perRound.check} checks, one after the other`
    return { text: `${heading}\n\n${table(headings, rows)}`, bars }
  } finally {
    for (const house of houses) await house.stop()
  }
}

const headings = ['', 'sign-in, ms', 'p99', 'ratio', 'check, ms', 'p99', 'ratio']

try {
  const wanted = readArguments()
  const on = machine()
  say(`Sign-ins and session checks in small and large houses\n${on}\n`)
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  for (const engine of wanted.wanted) {
    const one = await measure(engine, wanted)
    say(`${one.text}\n`)
    measured.push(one)
  }
  const note = 'The ratio is to the smallest house, of the medians of the same round.'
  say(`${note}\n\nLoad at the end: ${load()}`)
  if (wanted.writes) {
    writeChart(
      'scale',
      'Median of a session check, by how many people there are',
      measured.flatMap(({ bars }) => bars),
    )
    writePart(
      'scale',
      [on, ...measured.map(({ text }) => text), note, '![Checks by the number of people](performance-scale.svg)'].join('\n\n'),
    )
  }
  process.exit(0)
} catch (error) {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

// Measures how sign-ins and session checks change with the number of people and sessions. Started by `npm run bench -- scale`.
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { hashSecret, randomSecret } from '../packages/server/src/keys/secrets.ts'
import { addManyUsers } from '../packages/server/test/support/many-users.ts'
import { runOn } from './cores.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { type Engine, engines, makePlace, startServer } from './server.ts'
import { addPeople, ourCheck, ourSignIn, userOf } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => process.stderr.write(`  ${line}\n`)

const usage = `Usage: npm run bench -- scale [--engine ${engines.join('|')}] [--people 1000,1000000] [--sessions-each 5] [--rounds 40] [--write]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      people: { type: 'string', default: '1000,1000000' },
      'sessions-each': { type: 'string', default: '5' },
      rounds: { type: 'string', default: '40' },
      write: { type: 'boolean', default: false },
    },
  })
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  const [people, sessionsEach, rounds] = [values.people.split(',').map(Number), Number(values['sessions-each']), Number(values.rounds)]
  const isWhole = (n: number | undefined, least: number) => Number.isInteger(n) && Number(n) >= least
  if (wanted.length === 0 || people.length < 2 || !people.every(n => isWhole(n, 1000)) || !isWhole(sessionsEach, 1) || !isWhole(rounds, 2))
    throw new Error(usage)
  return { wanted, people, sessionsEach, rounds, writes: values.write }
}

/** Each round this many, one after the other: what is asked is how long one takes, not how many go at once. */
const perRound = { signIn: 10, check: 200 }
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Cookies of a thousand people evenly among all, one session each, so that checks read from all over the tables and indexes. */
const cookiesFromAllOver = async (db: Db, people: number): Promise<string[]> => {
  const found = await db
    .selectFrom('sessions')
    .select(e => [e.fn.max('sessionSelector').as('selector')])
    .where(
      'sessionUser',
      'in',
      Array.from({ length: 1000 }, (_, i) => userOf(Math.floor((i * people) / 1000))),
    )
    .groupBy('sessionUser')
    .execute()
  const selectors = found.map(({ selector }) => selector)
  const validator = randomSecret(256)
  await db
    .updateTable('sessions')
    .set({ sessionHash: hashSecret(validator) })
    .where('sessionSelector', 'in', selectors)
    .execute()
  return selectors.map(selector => `gatehouse-session=${selector}.${validator}`)
}

/** A database of so many people, and what its server is asked. */
const makeHouse = async (engine: Engine, people: number, sessions: number) => {
  const place = await makePlace(engine)
  const start = performance.now()
  const cookies = await place.inDatabase(async db => {
    await addPeople(db, 1000)
    await addManyUsers(db, engine, { firstUser: 1000, users: people, sessions: sessions - 1000 })
    return cookiesFromAllOver(db, people)
  })
  tell(`${names[engine]}: ${people} people with ${sessions} sessions are there after ${Math.round((performance.now() - start) / 1000)} s`)
  const open = async () => {
    const server = await startServer(place, { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_ADMIN_PASSWORD: '' })
    /** Only then: a connection on which nothing comes for a while is closed. */
    const connect = async () => ({
      signIn: await ourSignIn(server.port, people).open(),
      check: await ourCheck(server.port, cookies).open(),
    })
    return { connect, stop: server.stop }
  }
  return { people, sessions, open, stop: place.stop, signIn: [] as number[][], check: [] as number[][] }
}
type House = Awaited<ReturnType<typeof makeHouse>>
type Connection = Awaited<ReturnType<Awaited<ReturnType<House['open']>>['connect']>>

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

/** The houses' servers, started one after the other in this order, take turns for so many rounds. */
const sit = async (houses: readonly House[], rounds: number) => {
  runOn('other cores')
  const servers: (Awaited<ReturnType<House['open']>> & { house: House })[] = []
  try {
    for (const house of houses) servers.push({ house, ...(await house.open()) })
    runOn('first core')
    const connected = await Promise.all(servers.map(async ({ house, connect }) => ({ house, ...(await connect()) })))
    for (let round = -1; round < rounds; round++)
      for (const { house, ...connection } of round % 2 ? connected.toReversed() : connected)
        for (const what of ['signIn', 'check'] as const) {
          const took = await times(connection[what], perRound[what])
          if (round >= 0) house[what].push(took)
        }
    for (const { signIn, check } of connected) for (const { close } of [signIn, check]) close()
  } finally {
    for (const server of servers) await server.stop()
  }
}

const measure = async (engine: Engine, { people, sessionsEach, rounds }: ReturnType<typeof readArguments>) => {
  const houses: House[] = []
  try {
    runOn('other cores')
    for (const one of people) houses.push(await makeHouse(engine, one, one * sessionsEach))
    await sit(houses, Math.ceil(rounds / 2))
    await sit(houses.toReversed(), Math.floor(rounds / 2))
    const [smallest] = houses
    const rows = houses.map(house => {
      const cells = (what: 'signIn' | 'check') => {
        const ratio = median(house[what].map((took, i) => median(took) / median(smallest?.[what][i] ?? [Number.NaN])))
        const ordered = sorted(house[what].flat())
        return [quantile(ordered, 0.5).toFixed(2), quantile(ordered, 0.99).toFixed(2), ratio.toFixed(2)]
      }
      const name = `${house.people.toLocaleString('en')} people, ${house.sessions.toLocaleString('en')} sessions`
      return [name, ...cells('signIn'), ...cells('check')]
    })
    const bars = houses.map((house, i): Bar => {
      const at = median(house.check.flat())
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
  if (!runOn('other cores'))
    tell('Servers and client share the cores: there is no taskset, or one core only. Ratios then differ by a fifth from run to run.')
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

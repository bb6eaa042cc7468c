// Measures sign-ins and session checks of our server beside the bare hash and beside Better Auth. Started by `npm run bench -- server`.
import { parseArgs } from 'node:util'
import { startBetterAuth } from './better-auth.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { engines, makePlace, startServer } from './server.ts'
import { addPeople, bareVerify, ourCheck, ourSignIn, type Subject, theirCheck, theirSignIn } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const usage = `Usage: npm run bench -- server [--engine ${engines.join('|')}] [--rounds 9] [--seconds 3] [--people 1000,100000,1000000] [--no-peer] [--write]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '3' },
      people: { type: 'string', default: '1000' },
      'no-peer': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  const people = values.people.split(',').map(Number)
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  if (wanted.length === 0 || !(rounds >= 1) || !(seconds > 0) || !people.every(count => count >= 1)) throw new Error(usage)
  return { wanted, rounds, seconds, people, peer: !values['no-peer'], writes: values.write }
}

type Round = { rate: number; p50: number; p99: number }

/** Does it over and over, as many at once as it says, for so long. */
const run = async ({ atOnce, open }: Subject, ms: number): Promise<Round> => {
  const took: number[] = []
  const workers = await Promise.all(Array.from({ length: atOnce }, open))
  const start = performance.now()
  const work = async ({ once }: (typeof workers)[number]) => {
    while (performance.now() - start < ms) {
      const before = performance.now()
      await once()
      took.push(performance.now() - before)
    }
  }
  await Promise.all(workers.map(work))
  const passed = (performance.now() - start) / 1000
  for (const { close } of workers) close()
  const ordered = sorted(took)
  return { rate: took.length / passed, p50: quantile(ordered, 0.5), p99: quantile(ordered, 0.99) }
}

/** All subjects in turn, forward and backward, so that none always follows the same one; after a round that is not kept. */
const interleave = async (subjects: readonly Subject[], rounds: number, ms: number) => {
  for (const subject of subjects) await run(subject, Math.min(ms, 1000))
  const kept = new Map<Subject, Round[]>(subjects.map(subject => [subject, []]))
  for (let round = 0; round < rounds; round++)
    for (const subject of round % 2 ? subjects.toReversed() : subjects) kept.get(subject)?.push(await run(subject, ms))
  return kept
}

const rateOf = (rounds: readonly Round[]) => median(rounds.map(({ rate }) => rate))

const row = (name: string, rounds: readonly Round[], beside?: readonly Round[]): string[] => {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const ratio = beside ? median(rounds.map(({ rate }, i) => rate / (beside[i]?.rate ?? Number.NaN))).toFixed(2) : ''
  return [name, rateOf(rounds).toFixed(0), of(({ p50 }) => p50).toFixed(2), of(({ p99 }) => p99).toFixed(2), ratio]
}

const headings = ['', 'each second', 'p50, ms', 'p99, ms', 'ratio']
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const measure = async (engine: (typeof engines)[number], people: number, options: ReturnType<typeof readArguments>) => {
  const place = await makePlace(engine)
  const cookies = await place.inDatabase(db => addPeople(db, people))
  const server = await startServer(place, { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_ADMIN_PASSWORD: '' })
  const peer = options.peer
    ? await startBetterAuth(place.folder, engine === 'postgres' ? await place.another('better_auth') : undefined)
    : undefined
  try {
    const bare = await bareVerify()
    const [signIn, check] = [ourSignIn(server.port, people), ourCheck(server.port, cookies)]
    const [peerSignIn, peerCheck] = peer ? [theirSignIn(peer.port), await theirCheck(peer.port)] : []
    const ms = options.seconds * 1000
    const kept = await interleave(
      [bare, signIn, check, ...(peerSignIn ? [peerSignIn] : []), ...(peerCheck ? [peerCheck] : [])],
      options.rounds,
      ms,
    )
    // How checks fare while others flood us with sign-ins.
    const [flood, flooded] = await Promise.all([run({ ...signIn, atOnce: 32 }, 2 * ms), run(check, 2 * ms)])
    const besideOf = new Map<Subject | undefined, Subject | undefined>([
      [signIn, bare],
      [peerSignIn, bare],
      [check, peerCheck],
    ])
    const rows = [...kept].map(([subject, rounds]) => {
      const beside = besideOf.get(subject)
      return row(subject.name, rounds, beside && kept.get(beside))
    })
    rows.push(row('Gatehouse, check in flood', [flooded]), row('Gatehouse, the flood', [flood]))
    const heading = `**${names[engine]}**, ${people} people with a session each, medians of ${options.rounds} rounds of ${options.seconds} s`
    const bars = [...kept].map(
      ([{ name }, rounds]): Bar => ({
        name: `${name}, ${names[engine]}`,
        value: rateOf(rounds),
        text: rateOf(rounds).toFixed(0),
        ours: name.startsWith('Gatehouse'),
      }),
    )
    return { text: `${heading}\n\n${table(headings, rows)}`, bars }
  } finally {
    peer?.stop()
    await server.stop()
    await place.stop()
  }
}

try {
  const wanted = readArguments()
  const on = machine()
  say(`Sign-ins and session checks, beside the bare hash and Better Auth\n${on}\n`)
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  for (const engine of wanted.wanted)
    for (const people of wanted.people) {
      const one = await measure(engine, people, wanted)
      say(`${one.text}\n`)
      measured.push(one)
    }
  const note = 'The ratio of a sign-in is to the bare hash, that of a check to Better Auth’s, in the same rounds.'
  say(`${note}\n\nLoad at the end: ${load()}`)
  if (wanted.writes) {
    const bars = measured.flatMap(one => one.bars).filter(({ name }) => !name.includes('check'))
    writeChart('server', 'Password sign-ins each second', bars)
    writePart('server', [on, ...measured.map(({ text }) => text), note, '![Sign-ins each second](performance-server.svg)'].join('\n\n'))
  }
  process.exit(0)
} catch (error) {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

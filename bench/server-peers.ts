// Measures sign-ins and session checks of our server beside the bare hash and beside Better Auth. Started by `npm run bench -- server`.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startBetterAuth } from './better-auth.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { type Course, interleave, type Round, rateOf, run } from './rounds.ts'
import { type Engine, engines, makePlace, startServer } from './server.ts'
import { addPeople, bareVerify, ourCheck, ourSignIn, theirCheck, theirSignIn, threadsOf } from './server-subjects.ts'
import { median } from './statistics.ts'

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

const row = (name: string, rounds: readonly Round[], ratios: readonly number[] = []): string[] => {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const ratio = ratios.length > 0 ? median(ratios).toFixed(2) : ''
  return [name, rateOf(rounds).toFixed(0), of(({ p50 }) => p50).toFixed(2), of(({ p99 }) => p99).toFixed(2), ratio]
}

const headings = ['', 'each second', 'p50, ms', 'p99, ms', 'ratio']
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const cores = availableParallelism()
/** As it starts by itself, and with a thread for each core. */
const settings = cores > 1 ? [cores - 1, cores] : [cores]

/** Our server with so many hash threads, on a database of its own. */
const startOurs = async (engine: Engine, people: number, threads: number) => {
  const place = await makePlace(engine)
  const cookies = await place.inDatabase(db => addPeople(db, people))
  const { port, stop } = await startServer(place, {
    GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000',
    GATEHOUSE_ADMIN_PASSWORD: '',
    GATEHOUSE_HASH_THREADS: String(threads),
  })
  const end = async () => {
    await stop()
    await place.stop()
  }
  return { threads, place, bare: await bareVerify(threads), signIn: ourSignIn(port, people, threads), check: ourCheck(port, cookies), end }
}
type Ours = Awaited<ReturnType<typeof startOurs>>

const measure = async (engine: Engine, people: number, { rounds, seconds, peer: wantsPeer }: ReturnType<typeof readArguments>) => {
  const ours: Ours[] = []
  for (const threads of settings) ours.push(await startOurs(engine, people, threads))
  const [first, last = first] = ours
  if (!first || !last) throw new Error('No server was started')
  const peer = wantsPeer
    ? await startBetterAuth(first.place.folder, engine === 'postgres' ? await first.place.another('better_auth') : undefined)
    : undefined
  try {
    const check: Course = { subject: first.check }
    const peerCheck: Course | undefined = peer && { subject: await theirCheck(peer.port) }
    const ms = seconds * 1000
    const kept = await interleave(
      [
        ...ours.map(({ signIn, bare }) => ({ subject: signIn, beside: bare })),
        check,
        ...(peer ? [{ subject: theirSignIn(peer.port), beside: last.bare }] : []),
        ...(peerCheck ? [peerCheck] : []),
      ],
      rounds,
      ms,
    )
    const peerChecks = peerCheck && kept.get(peerCheck)?.rounds
    const checkRatios = peerChecks && kept.get(check)?.rounds.map(({ rate }, i) => rate / (peerChecks[i]?.rate ?? Number.NaN))
    const figures: { name: string; rounds: Round[]; ratios?: number[] | undefined }[] = [
      ...ours.map(({ bare }) => ({
        name: bare.name,
        rounds: [...kept].flatMap(([{ beside }, one]) => (beside === bare ? one.beside : [])),
      })),
      ...[...kept].map(([course, { rounds, ratios }]) => ({
        name: course.subject.name,
        rounds,
        ratios: course === check ? checkRatios : ratios,
      })),
    ]
    const rows = figures.map(figure => row(figure.name, figure.rounds, figure.ratios))
    // How checks fare while others flood us with sign-ins.
    for (const { threads, signIn, check } of ours) {
      const [flood, flooded] = await Promise.all([run({ ...signIn, atOnce: 32 }, 2 * ms), run(check, 2 * ms)])
      rows.push(
        row(`Gatehouse, check in flood, ${threadsOf(threads)}`, [flooded]),
        row(`Gatehouse, the flood, ${threadsOf(threads)}`, [flood]),
      )
    }
    const heading = `**${names[engine]}**, ${people} people with a session each, medians of ${rounds} rounds of ${seconds} s`
    const bars = figures.map(
      ({ name, rounds }): Bar => ({
        name: `${name}, ${names[engine]}`,
        value: rateOf(rounds),
        text: rateOf(rounds).toFixed(0),
        ours: name.startsWith('Gatehouse'),
      }),
    )
    return { text: `${heading}\n\n${table(headings, rows)}`, bars }
  } finally {
    peer?.stop()
    for (const { end } of ours) await end()
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
  const note =
    'The ratio of a sign-in is to the bare hash on as many threads, in slices right before and after; where those are all cores, whatever else a sign-in takes is taken from them. Better Auth’s is to that on all cores. That of a check is to Better Auth’s, in the same rounds.'
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

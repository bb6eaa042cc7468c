// Measures sign-ins and session checks of our server beside the bare hash and beside Better Auth. Started by `npm run bench -- server`.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startBetterAuth } from './better-auth.ts'
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { type Course, interleave, type Round, rateOf, run } from './rounds.ts'
import { type Engine, engines, makePlace, startServer } from './server.ts'
import { addPeople, bareVerify, ourCheck, ourSignIn, theirCheck, theirSignIn } from './server-subjects.ts'
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

/** @param ratios to what is named in the note below the table, by rate and by CPU time */
const row = (name: string, rounds: readonly Round[], ratios: readonly number[] = [], cpuRatios: readonly number[] = []): string[] => {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const ratioOf = (all: readonly number[]) => (all.length > 0 ? median(all).toFixed(2) : '')
  const cpu = of(({ cpu }) => cpu)
  return [
    name,
    rateOf(rounds).toFixed(0),
    of(({ p50 }) => p50).toFixed(2),
    of(({ p99 }) => p99).toFixed(2),
    ratioOf(ratios),
    Number.isNaN(cpu) ? '' : cpu.toFixed(2),
    ratioOf(cpuRatios),
  ]
}

const headings = ['', 'each second', 'p50, ms', 'p99, ms', 'ratio', 'CPU, ms', 'CPU ratio']
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const cores = availableParallelism()

/** Our server as it starts by itself, with no variable about its speed set, on a database of its own. */
const startOurs = async (engine: Engine, people: number) => {
  const place = await makePlace(engine)
  const cookies = await place.inDatabase(db => addPeople(db, people))
  const { port, pid, stop } = await startServer(place, {
    GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000',
    GATEHOUSE_ADMIN_PASSWORD: '',
  })
  const end = async () => {
    await stop()
    await place.stop()
  }
  const cpuTime = () => cpuTimeOf(pid) + (engine === 'postgres' ? cpuTimeOfPostgres() : 0)
  return { place, bare: await bareVerify(cores), signIn: ourSignIn(port, people, cpuTime), check: ourCheck(port, cookies), end }
}

const measure = async (engine: Engine, people: number, { rounds, seconds, peer: wantsPeer }: ReturnType<typeof readArguments>) => {
  const { place, bare, signIn, check, end } = await startOurs(engine, people)
  const peer = wantsPeer
    ? await startBetterAuth(place.folder, engine === 'postgres' ? await place.another('better_auth') : undefined)
    : undefined
  try {
    const checks: Course = { subject: check }
    const peerChecks: Course | undefined = peer && { subject: await theirCheck(peer.port) }
    const peerCpuTime = () => cpuTimeOf(peer?.pid ?? 0) + (engine === 'postgres' ? cpuTimeOfPostgres() : 0)
    const ms = seconds * 1000
    const kept = await interleave(
      [
        { subject: signIn, beside: bare },
        checks,
        ...(peer ? [{ subject: theirSignIn(peer.port, peerCpuTime), beside: bare }] : []),
        ...(peerChecks ? [peerChecks] : []),
      ],
      rounds,
      ms,
    )
    const peerRounds = peerChecks && kept.get(peerChecks)?.rounds
    const checkRatios = peerRounds && kept.get(checks)?.rounds.map(({ rate }, i) => rate / (peerRounds[i]?.rate ?? Number.NaN))
    const figures: { name: string; rounds: Round[]; ratios?: number[] | undefined; cpuRatios?: number[] }[] = [
      { name: bare.name, rounds: [...kept.values()].flatMap(({ beside }) => beside) },
      ...[...kept].map(([course, { rounds, ratios, cpuRatios }]) => ({
        name: course.subject.name,
        rounds,
        ratios: course === checks ? checkRatios : ratios,
        cpuRatios,
      })),
    ]
    const rows = figures.map(figure => row(figure.name, figure.rounds, figure.ratios, figure.cpuRatios))
    // How checks fare while others flood the server with sign-ins, beside a server that is idle otherwise.
    const idle: Round[] = []
    const flooded: Round[] = []
    const floods: Round[] = []
    for (let round = 0; round < rounds; round++) {
      idle.push(await run(check, ms))
      const [flood, checksInIt] = await Promise.all([run({ ...signIn, atOnce: 32 }, ms), run(check, ms)])
      floods.push(flood)
      flooded.push(checksInIt)
    }
    const p99Ratio = median(flooded.map(({ p99 }, i) => p99 / (idle[i]?.p99 ?? Number.NaN)))
    rows.push(row('Gatehouse, check in flood', flooded), row('Gatehouse, the flood', floods))
    const heading = `**${names[engine]}**, ${people} people with a session each, medians of ${rounds} rounds of ${seconds} s`
    const inFlood = `In the flood the p99 of a check is ${p99Ratio.toFixed(1)} times that of the idle server.`
    const bars = figures.map(
      ({ name, rounds }): Bar => ({
        name: `${name}, ${names[engine]}`,
        value: rateOf(rounds),
        text: rateOf(rounds).toFixed(0),
        ours: name.startsWith('Gatehouse'),
      }),
    )
    return { text: `${heading}\n\n${table(headings, rows)}\n\n${inFlood}`, bars }
  } finally {
    peer?.stop()
    await end()
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
    'The servers run as they start by themselves. The ratio of a sign-in is to the rate of the bare hash on all cores, in slices right before and after. “CPU” is the CPU time of the server, and of PostgreSQL, for each sign-in, the client left out; its ratio is the CPU time of the bare hash over that, in the same slices. The ratio of a check is to Better Auth’s, in the same rounds.'
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

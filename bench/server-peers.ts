// `npm run bench -- server`: measures sign-ins and session checks, compared with the bare hash and with Better Auth.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startBetterAuth } from './better-auth.ts'
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { type Entry, interleave, type Round, rateOf, run } from './rounds.ts'
import { checkout, createData, type Engine, engines, startServer } from './server.ts'
import { addUsers, bareVerify, ourCheck, ourSignIn, type Subject, theirCheck, theirSignIn } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const usage = `Usage: npm run bench -- server [--engine ${engines.join('|')}] [--rounds 9] [--seconds 3] [--users 1000,100000,1000000] [--no-peer] [--previous FOLDER] [--write]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '3' },
      users: { type: 'string', default: '1000' },
      'no-peer': { type: 'boolean', default: false },
      previous: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  const users = values.users.split(',').map(Number)
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  if (wanted.length === 0 || !(rounds >= 1) || !(seconds > 0) || !users.every(count => count >= 1)) throw new Error(usage)
  return { wanted, rounds, seconds, users, peer: !values['no-peer'], previous: values.previous, writes: values.write }
}

/**
 * Sign-ins and checks of this build, each compared with the previous build in the slices before and after.
 * @returns the medians of the ratios, as a sentence
 */
const measurePrevious = async (
  engine: Engine,
  { signIn, check }: { signIn: Subject; check: Subject },
  { folder, users, rounds, ms }: { folder: string; users: number; rounds: number; ms: number },
) => {
  const previous = await startGatehouse(engine, users, resolve(folder))
  try {
    const entries: Entry[] = [
      { subject: signIn, beside: previous.signIn },
      { subject: check, beside: previous.check },
    ]
    const kept = await interleave(entries, rounds, ms)
    const [signIns, checks] = entries.map(entry => kept.get(entry))
    const text = (figures: readonly number[] = []) => {
      const ordered = sorted(figures)
      return `${median(figures).toFixed(3)} (quartiles ${quantile(ordered, 0.25).toFixed(2)} and ${quantile(ordered, 0.75).toFixed(2)})`
    }
    const cpu = text(signIns?.cpuRatios)
    return `Relative to the previous build: sign-ins per second ${text(signIns?.ratios)}, previous CPU time of one by today's ${cpu}, checks per second ${text(checks?.ratios)}.`
  } finally {
    await previous.end()
  }
}

/** `ratios` and `cpuRatios` are explained in the note below the table. */
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

const headings = ['', 'per second', 'p50, ms', 'p99, ms', 'ratio', 'CPU, ms', 'CPU ratio']
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const cores = availableParallelism()

const settings = { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_ADMIN_PASSWORD: '' }

/** Starts a Gatehouse server with its own database and without second factors, from this checkout or another one. */
const startGatehouse = async (engine: Engine, users: number, from = checkout) => {
  const data = await createData(engine)
  const started = await startServer(data, settings, from)
  const cookies = await data.inMigrated(db => addUsers(db, users))
  // Restart, so that the server plans its queries for the filled tables.
  await started.stop()
  const { port, pid, stop } = await startServer(data, settings, from)
  const end = async () => {
    await stop()
    await data.stop()
  }
  const cpuTime = () => cpuTimeOf(pid) + (engine === 'postgres' ? cpuTimeOfPostgres() : 0)
  return { data, bare: await bareVerify(cores), signIn: ourSignIn(port, users, cpuTime), check: ourCheck(port, cookies), end }
}

const measure = async (engine: Engine, users: number, { rounds, seconds, peer: wantsPeer, previous }: ReturnType<typeof readArguments>) => {
  const { data, bare, signIn, check, end } = await startGatehouse(engine, users)
  const peer = wantsPeer
    ? await startBetterAuth(data.folder, engine === 'postgres' ? await data.another('better_auth') : undefined)
    : undefined
  try {
    const checks: Entry = { subject: check }
    const peerChecks: Entry | undefined = peer && { subject: await theirCheck(peer.port) }
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
      ...[...kept].map(([entry, { rounds, ratios, cpuRatios }]) => ({
        name: entry.subject.name,
        rounds,
        ratios: entry === checks ? checkRatios : ratios,
        cpuRatios,
      })),
    ]
    const rows = figures.map(figure => row(figure.name, figure.rounds, figure.ratios, figure.cpuRatios))
    // Checks while 32 connections sign in, compared with checks on an idle server.
    const idle: Round[] = []
    const loaded: Round[] = []
    const loads: Round[] = []
    for (let round = 0; round < rounds; round++) {
      idle.push(await run(check, ms))
      const [signIns, checksUnderLoad] = await Promise.all([run({ ...signIn, atOnce: 32 }, ms), run(check, ms)])
      loads.push(signIns)
      loaded.push(checksUnderLoad)
    }
    const beside = previous && (await measurePrevious(engine, { signIn, check }, { folder: previous, users, rounds, ms }))
    const p99Ratio = median(loaded.map(({ p99 }, i) => p99 / (idle[i]?.p99 ?? Number.NaN)))
    rows.push(row('Gatehouse, check under load', loaded), row('Gatehouse, 32 sign-ins at once', loads))
    const heading = `**${names[engine]}**, ${users} users with a session each, medians of ${rounds} rounds of ${seconds} s`
    const underLoad = `Under load, the p99 of a check is ${p99Ratio.toFixed(1)} times that of an idle server.`
    const bars = figures.map(
      ({ name, rounds }): Bar => ({
        name: `${name}, ${names[engine]}`,
        value: rateOf(rounds),
        text: rateOf(rounds).toFixed(0),
        ours: name.startsWith('Gatehouse'),
      }),
    )
    return { text: [heading, table(headings, rows), underLoad, ...(beside ? [beside] : [])].join('\n\n'), bars }
  } finally {
    peer?.stop()
    await end()
  }
}

try {
  const wanted = readArguments()
  const on = machine()
  print(`Sign-ins and session checks, compared with the bare hash and Better Auth\n${on}\n`)
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  for (const engine of wanted.wanted)
    for (const users of wanted.users) {
      const one = await measure(engine, users, wanted)
      print(`${one.text}\n`)
      measured.push(one)
    }
  const note =
    'All servers run with default settings. *ratio* of a sign-in: its rate divided by the rate of the bare hash on all cores, measured right before and after it. *ratio* of a check: its rate divided by the rate of Better Auth in the same round. Ratios are medians of the rounds, so they can differ from the quotient of two rates in the table. *CPU*: CPU time of the server and of PostgreSQL per sign-in, without the client. *CPU ratio*: CPU time of the bare hash divided by *CPU*.'
  print(`${note}\n\nLoad at the end: ${load()}`)
  if (wanted.writes) {
    const bars = measured.flatMap(one => one.bars).filter(({ name }) => !name.includes('check'))
    writeChart('server', 'Password sign-ins per second', bars)
    writePart('server', [on, ...measured.map(({ text }) => text), note, '![Sign-ins per second](performance-server.svg)'].join('\n\n'))
  }
  process.exit(0)
} catch (error) {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

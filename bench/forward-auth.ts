// `npm run bench -- forward-auth`: measures the rate of forward-auth checks, by cookie and by pass, compared with a plain response of the same server.
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addServicePass } from '../packages/server/src/passes/passes.store.ts'
import { openConnection, requestFor } from './connections.ts'
import { load, machine } from './machine.ts'
import { checkout, createData, type Engine, engines, startServer } from './server.ts'
import { addUsers } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const usage = `Usage: npm run bench -- forward-auth [--engine ${engines.join('|')}] [--rounds 9] [--seconds 2] [--connections 16] [--previous FOLDER]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '16' },
      previous: { type: 'string' },
    },
  })
  const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number)
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  if (wanted.length === 0 || !rounds || !seconds || !connections || rounds < 1) throw new Error(usage)
  return { wanted, rounds, seconds, connections, previous: values.previous }
}

type Round = { rate: number; p50: number; p99: number }

/** What a connection sends next, and to which server. */
type Subject = { name: string; port: number; next: () => Buffer }

/** Sends requests for `ms` milliseconds. Each connection sends the next one when it has received the response. */
const run = async ({ port, next }: Subject, connections: number, ms: number): Promise<Round> => {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const took: number[] = []
  const start = performance.now()
  await Promise.all(
    open.map(async ({ ask }) => {
      while (performance.now() - start < ms) took.push(await ask(next()))
    }),
  )
  const passed = (performance.now() - start) / 1000
  for (const { close } of open) close()
  const ordered = sorted(took)
  return { rate: took.length / passed, p50: quantile(ordered, 0.5), p99: quantile(ordered, 0.99) }
}

const row = (name: string, rounds: readonly Round[]): string => {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const rates = sorted(rounds.map(({ rate }) => rate))
  const spread = `${rates[0]?.toFixed(0)} to ${rates.at(-1)?.toFixed(0)}`
  const rate = of(round => round.rate)
  const times = `p50 ${of(round => round.p50).toFixed(2)} ms, p99 ${of(round => round.p99).toFixed(2)} ms`
  return ['', name.padEnd(14), `${rate.toFixed(0).padStart(6)} /s`, `(${spread})`.padEnd(18), times].join('  ')
}

/** Sends the requests in turn. */
const inTurn = (requests: readonly Buffer[]) => {
  let sent = 0
  return () => requests[sent++ % requests.length] ?? Buffer.alloc(0)
}

const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/d/abc?x=1' }
const headers = { ...asked, accept: '*/*', 'user-agent': 'bench' }
const checkWith = (more: Record<string, string>) => requestFor('/auth/request', { ...headers, ...more })

/** Starts a server, of this checkout or another one, on a new database with 1,000 users who have a session each. */
const startFilled = async (engine: Engine, settingsIn: (folder: string) => Promise<Record<string, string>>, from = checkout) => {
  const data = await createData(engine)
  const settings = { GATEHOUSE_ADMIN_PASSWORD: '', ...(await settingsIn(data.folder)) }
  const first = await startServer(data, settings, from)
  const cookies = await data.inMigrated(db => addUsers(db, 1000))
  // Restart, so that the server plans its queries for the filled tables.
  await first.stop()
  const server = await startServer(data, settings, from)
  const stop = async () => {
    await server.stop()
    await data.stop()
  }
  return { data, port: server.port, cookies, stop }
}

const startToday = async (engine: Engine) => {
  const started = await startFilled(engine, async folder => {
    const rules = join(folder, 'rules.yaml')
    await writeFile(rules, 'rules:\n  - { to: http://localhost:3000/*, allow: [users, pass] }\n')
    return { GATEHOUSE_RULES: rules }
  })
  const { data, port, cookies, stop } = started
  const now = Date.now()
  const scope = { to: ['http://localhost:3000/*'], methods: null, from: null }
  const asService = { service: 'bench', name: 'bench', scope, now, expires: now + 3_600_000 }
  const pass = await data.inMigrated(db => db.transaction().execute(tx => addServicePass({ tx, userId: 'cli' }, asService)))
  const [cookie = ''] = cookies
  const subjects = {
    cookie: { name: '/auth/request', port, next: inTurn([checkWith({ cookie })]) },
    sessions: { name: '1,000 sessions', port, next: inTurn(cookies.map(cookie => checkWith({ cookie }))) },
    pass: { name: 'with a pass', port, next: inTurn([checkWith({ authorization: `Bearer ${pass}` })]) },
    plain: { name: '/healthz', port, next: inTurn([requestFor('/healthz', { ...headers, cookie })]) },
  }
  return { subjects, stop }
}

/** The previous build, and this one with the same settings. An older build may not support rules files, so neither build uses one. */
const startPair = async (engine: Engine, folder: string) => {
  const settings = async () => ({ GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' })
  const start = async (name: string, from: string) => {
    const { port, cookies, stop } = await startFilled(engine, settings, from)
    return { subject: { name, port, next: inTurn(cookies.map(cookie => checkWith({ cookie }))) } satisfies Subject, stop }
  }
  const before = await start('previous build', resolve(folder))
  const after = await start('without rules', checkout)
  return { before, after }
}

const measure = async (engine: Engine, { rounds, seconds, connections, previous: folder }: ReturnType<typeof readArguments>) => {
  const today = await startToday(engine)
  const pair = folder === undefined ? undefined : await startPair(engine, folder)
  const { cookie, sessions, pass, plain } = today.subjects
  const subjects: Subject[] = [cookie, sessions, ...(pair ? [pair.before.subject, pair.after.subject] : []), pass, plain]
  const kept = new Map<Subject, Round[]>(subjects.map(subject => [subject, []]))
  try {
    for (const subject of [...subjects, ...subjects]) await run(subject, connections, 1000)
    for (let round = 0; round < rounds; round++)
      // Alternate the order, so that other load on the machine affects all equally.
      for (const subject of round % 2 ? subjects.toReversed() : subjects)
        kept.get(subject)?.push(await run(subject, connections, seconds * 1000))
    const ratio = (subject: Subject, to: Subject) =>
      median((kept.get(subject) ?? []).map(({ rate }, i) => rate / (kept.get(to)?.[i]?.rate ?? Number.NaN))).toFixed(2)
    print(`${engine}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`)
    for (const [{ name }, all] of kept) print(row(name, all))
    print(`  check rate ÷ plain response rate: ${ratio(cookie, plain)}`)
    print(`  check rate with 1,000 sessions ÷ with one: ${ratio(sessions, cookie)}`)
    if (pair)
      print(
        `  check rate without rules, 1,000 sessions ÷ the same in the previous build: ${ratio(pair.after.subject, pair.before.subject)}`,
      )
    print(`  check rate with a pass ÷ with a cookie: ${ratio(pass, cookie)}\n`)
  } finally {
    await Promise.all([pair?.before.stop(), pair?.after.stop()])
    await today.stop()
  }
}

try {
  const wanted = readArguments()
  print(`Forward-auth checks with a valid session\n${machine()}\n`)
  for (const engine of wanted.wanted) await measure(engine, wanted)
  print(`Load at the end: ${load()}`)
  process.exit(0)
} catch (error) {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

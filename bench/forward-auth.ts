// `npm run bench -- forward-auth`: measures the rate of forward-auth checks, compared with a plain response of the same server.
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { startSession } from '../packages/server/src/sessions/sessions.store.ts'
import * as accounts from '../packages/server/src/users/users.store.ts'
import { openConnection, requestFor } from './connections.ts'
import { load, machine } from './machine.ts'
import { createData, engines, startServer } from './server.ts'
import { median, quantile, sorted } from './statistics.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '16' },
    },
  })
  const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number)
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  if (wanted.length === 0 || !rounds || !seconds || !connections || rounds < 1)
    throw new Error(`Usage: npm run bench -- forward-auth [--engine ${engines.join('|')}] [--rounds 9] [--seconds 2] [--connections 16]`)
  return { wanted, rounds, seconds, connections }
}

/** Adds 1,000 users with a session each, so that a check uses the index of a realistic table. Returns the cookie of the last one. */
const addSessions = async (db: Db): Promise<string> => {
  let session = ''
  for (let n = 0; n < 1000; n++) {
    const now = Date.now()
    const user = await accounts.addAccount(db, { userIdent: `user-${n}@example.com`, userPassword: null, userTZLabel: 'UTC', now })
    if (!user) throw new Error('the user exists already')
    session = await startSession(db, { user, factor: null }, { userAgent: 'bench', address: '127.0.0.1' }, now)
  }
  return `gatehouse-session=${session}`
}

type Round = { rate: number; p50: number; p99: number }

/** Sends requests for `ms` milliseconds. Each connection sends the next one when it has received the response. */
const run = async (port: number, request: Buffer, connections: number, ms: number): Promise<Round> => {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const took: number[] = []
  const start = performance.now()
  await Promise.all(
    open.map(async ({ ask }) => {
      while (performance.now() - start < ms) took.push(await ask(request))
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

const measure = async (engine: (typeof engines)[number], { rounds, seconds, connections }: ReturnType<typeof readArguments>) => {
  const data = await createData(engine)
  const cookie = await data.inDatabase(db => db.transaction().execute(addSessions))
  const server = await startServer(data, { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' })
  const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/d/abc?x=1' }
  const headers = { ...asked, cookie, accept: '*/*', 'user-agent': 'bench' }
  const [check, plain] = [requestFor('/auth/request', headers), requestFor('/healthz', headers)]
  try {
    for (const request of [check, plain, check, plain]) await run(server.port, request, connections, 1000)
    const [checks, plains]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      // Alternate the order, so that other load on the machine affects both equally.
      for (const which of round % 2 ? (['plain', 'check'] as const) : (['check', 'plain'] as const)) {
        const [request, into] = which === 'check' ? [check, checks] : [plain, plains]
        into.push(await run(server.port, request, connections, seconds * 1000))
      }
    }
    const ratio = median(checks.map(({ rate }, i) => rate / (plains[i]?.rate ?? Number.NaN)))
    print(`${engine}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`)
    print(row('/auth/request', checks))
    print(row('/healthz', plains))
    print(`  ratio of the rates: ${ratio.toFixed(2)}\n`)
  } finally {
    await server.stop()
    await data.stop()
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

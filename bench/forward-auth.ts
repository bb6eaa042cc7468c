// `npm run bench -- forward-auth`: measures the rate of forward-auth checks, by cookie and by pass, compared with a plain response of the same server.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { addServicePass } from '../packages/server/src/passes/passes.store.ts'
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

const names = { cookie: '/auth/request', pass: 'with a pass', plain: '/healthz' }
const kinds = ['cookie', 'pass', 'plain'] as const

const measure = async (engine: (typeof engines)[number], { rounds, seconds, connections }: ReturnType<typeof readArguments>) => {
  const data = await createData(engine)
  const [cookie, pass] = await data.inDatabase(db =>
    db.transaction().execute(async tx => {
      const scope = { to: ['http://localhost:3000/*'], methods: null, from: null }
      const now = Date.now()
      const added = await addServicePass({ tx, userId: 'cli' }, { service: 'bench', name: 'bench', scope, now, expires: now + 3_600_000 })
      return [await addSessions(tx), added]
    }),
  )
  const rules = join(data.folder, 'rules.yaml')
  await writeFile(rules, 'rules:\n  - { to: http://localhost:3000/*, allow: [users, pass] }\n')
  const server = await startServer(data, { GATEHOUSE_RULES: rules })
  const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/d/abc?x=1' }
  const headers = { ...asked, accept: '*/*', 'user-agent': 'bench' }
  const requests = {
    cookie: requestFor('/auth/request', { ...headers, cookie }),
    pass: requestFor('/auth/request', { ...headers, authorization: `Bearer ${pass}` }),
    plain: requestFor('/healthz', { ...headers, cookie }),
  }
  const kept: Record<(typeof kinds)[number], Round[]> = { cookie: [], pass: [], plain: [] }
  try {
    for (const kind of [...kinds, ...kinds]) await run(server.port, requests[kind], connections, 1000)
    for (let round = 0; round < rounds; round++)
      // Alternate the order, so that other load on the machine affects all equally.
      for (const kind of round % 2 ? kinds.toReversed() : kinds)
        kept[kind].push(await run(server.port, requests[kind], connections, seconds * 1000))
    const ratio = (kind: 'cookie' | 'pass', to: 'cookie' | 'plain') =>
      median(kept[kind].map(({ rate }, i) => rate / (kept[to][i]?.rate ?? Number.NaN))).toFixed(2)
    print(`${engine}, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`)
    for (const kind of kinds) print(row(names[kind], kept[kind]))
    print(`  rate of a check by that of a plain response: ${ratio('cookie', 'plain')}`)
    print(`  rate of a check with a pass by that with a cookie: ${ratio('pass', 'cookie')}\n`)
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

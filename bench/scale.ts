// `npm run bench -- scale`: measures sign-ins and session checks with few and with many users and sessions.
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { hashSecret, randomSecret } from '../packages/server/src/keys/secrets.ts'
import { addManyUsers } from '../packages/server/test/support/many-users.ts'
import { runOn } from './cores.ts'
import { load, machine } from './machine.ts'
import { type Bar, table, writeChart, writePart } from './performance-doc.ts'
import { createData, type Engine, engines, startServer } from './server.ts'
import { addUsers, ourCheck, ourSignIn, userOf } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => process.stderr.write(`  ${line}\n`)

const usage = `Usage: npm run bench -- scale [--engine ${engines.join('|')}] [--users 1000,1000000] [--sessions-each 5] [--rounds 40] [--write]`

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      users: { type: 'string', default: '1000,1000000' },
      'sessions-each': { type: 'string', default: '5' },
      rounds: { type: 'string', default: '40' },
      write: { type: 'boolean', default: false },
    },
  })
  const wanted = engines.filter(engine => values.engine === 'both' || values.engine === engine)
  const [users, sessionsEach, rounds] = [values.users.split(',').map(Number), Number(values['sessions-each']), Number(values.rounds)]
  const isWhole = (n: number | undefined, least: number) => Number.isInteger(n) && Number(n) >= least
  if (wanted.length === 0 || users.length < 2 || !users.every(n => isWhole(n, 1000)) || !isWhole(sessionsEach, 1) || !isWhole(rounds, 2))
    throw new Error(usage)
  return { wanted, users, sessionsEach, rounds, writes: values.write }
}

/** Operations per round. They run one at a time, because this benchmark measures latency, not throughput. */
const perRound = { signIn: 10, check: 200 }
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Session cookies of 1,000 users, evenly spread, so that checks read from all parts of the tables and indexes. */
const spreadCookies = async (db: Db, users: number): Promise<string[]> => {
  const found = await db
    .selectFrom('sessions')
    .select(e => [e.fn.max('sessionSelector').as('selector')])
    .where(
      'sessionUser',
      'in',
      Array.from({ length: 1000 }, (_, i) => userOf(Math.floor((i * users) / 1000))),
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

/** Creates a database with the given numbers of users and sessions. */
const createInstallation = async (engine: Engine, users: number, sessions: number) => {
  const data = await createData(engine)
  const start = performance.now()
  const cookies = await data.inDatabase(async db => {
    await addUsers(db, 1000)
    await addManyUsers(db, engine, { firstUser: 1000, users, sessions: sessions - 1000 })
    return spreadCookies(db, users)
  })
  log(`${names[engine]}: ${users} users with ${sessions} sessions, created in ${Math.round((performance.now() - start) / 1000)} s`)
  const open = async () => {
    const server = await startServer(data, { GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000', GATEHOUSE_ADMIN_PASSWORD: '' })
    // Connect late: the server closes idle connections.
    const connect = async () => ({
      signIn: await ourSignIn(server.port, users).open(),
      check: await ourCheck(server.port, cookies).open(),
    })
    return { connect, stop: server.stop }
  }
  return { users, sessions, open, stop: data.stop, signIn: [] as number[][], check: [] as number[][] }
}
type Installation = Awaited<ReturnType<typeof createInstallation>>
type Connection = Awaited<ReturnType<Awaited<ReturnType<Installation['open']>>['connect']>>

/** The duration of each of `count` operations, in milliseconds. */
const times = async ({ once }: Connection['check'], count: number): Promise<number[]> => {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    await once()
    took.push(performance.now() - start)
  }
  return took
}

/** Starts the servers in the given order, and measures them in turn. */
const measureInTurn = async (installations: readonly Installation[], rounds: number) => {
  runOn('other cores')
  const servers: (Awaited<ReturnType<Installation['open']>> & { installation: Installation })[] = []
  try {
    for (const installation of installations) servers.push({ installation, ...(await installation.open()) })
    runOn('first core')
    const connected = await Promise.all(servers.map(async ({ installation, connect }) => ({ installation, ...(await connect()) })))
    for (let round = -1; round < rounds; round++)
      for (const { installation, ...connection } of round % 2 ? connected.toReversed() : connected)
        for (const what of ['signIn', 'check'] as const) {
          const took = await times(connection[what], perRound[what])
          if (round >= 0) installation[what].push(took)
        }
    for (const { signIn, check } of connected) for (const { close } of [signIn, check]) close()
  } finally {
    for (const server of servers) await server.stop()
  }
}

const measure = async (engine: Engine, { users, sessionsEach, rounds }: ReturnType<typeof readArguments>) => {
  const installations: Installation[] = []
  try {
    runOn('other cores')
    for (const one of users) installations.push(await createInstallation(engine, one, one * sessionsEach))
    await measureInTurn(installations, Math.ceil(rounds / 2))
    await measureInTurn(installations.toReversed(), Math.floor(rounds / 2))
    const [smallest] = installations
    const rows = installations.map(installation => {
      const cells = (what: 'signIn' | 'check') => {
        const ratio = median(installation[what].map((took, i) => median(took) / median(smallest?.[what][i] ?? [Number.NaN])))
        const ordered = sorted(installation[what].flat())
        return [quantile(ordered, 0.5).toFixed(2), quantile(ordered, 0.99).toFixed(2), ratio.toFixed(2)]
      }
      const name = `${installation.users.toLocaleString('en')} users, ${installation.sessions.toLocaleString('en')} sessions`
      return [name, ...cells('signIn'), ...cells('check')]
    })
    const bars = installations.map((installation, i): Bar => {
      const at = median(installation.check.flat())
      return { name: `${names[engine]}, ${installation.users.toLocaleString('en')}`, value: at, text: `${at.toFixed(2)} ms`, ours: i > 0 }
    })
    const heading = `**${names[engine]}**, ${rounds} rounds of ${perRound.signIn} sign-ins and ${perRound.check} checks, one at a time`
    return { text: `${heading}\n\n${table(headings, rows)}`, bars }
  } finally {
    for (const installation of installations) await installation.stop()
  }
}

const headings = ['', 'sign-in, ms', 'p99', 'ratio', 'check, ms', 'p99', 'ratio']

try {
  const wanted = readArguments()
  const on = machine()
  if (!runOn('other cores'))
    log('Servers and client share the cores, because taskset or a second core is missing. Ratios vary by 20 % between runs.')
  print(`Sign-ins and session checks by number of users\n${on}\n`)
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  for (const engine of wanted.wanted) {
    const one = await measure(engine, wanted)
    print(`${one.text}\n`)
    measured.push(one)
  }
  const note =
    '*ratio*: the median of a round divided by the median of the same round with the fewest users; the table shows the median of the rounds.'
  print(`${note}\n\nLoad at the end: ${load()}`)
  if (wanted.writes) {
    writeChart(
      'scale',
      'Median duration of a session check, by number of users',
      measured.flatMap(({ bars }) => bars),
    )
    writePart(
      'scale',
      [on, ...measured.map(({ text }) => text), note, '![Duration of a check by number of users](performance-scale.svg)'].join('\n\n'),
    )
  }
  process.exit(0)
} catch (error) {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

// `npm run bench -- administration`: measures the calls of the administration page with many users.
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createAdministration } from '../packages/server/src/admin/administration.ts'
import { createPasswordLink } from '../packages/server/src/admin/password-link.ts'
import { type Administered, createAdminister } from '../packages/server/src/admin/permission.ts'
import { createUserActs } from '../packages/server/src/admin/user-acts.ts'
import { countStretch } from '../packages/server/src/audit/audit-counts.store.ts'
import type { OpenDatabase } from '../packages/server/src/db/open.ts'
import { createKeyring } from '../packages/server/src/keys/keyring.ts'
import { days } from '../packages/server/src/limits.ts'
import { createMail } from '../packages/server/src/mail/mail.ts'
import { createServerLanguages } from '../packages/server/src/texts/server-languages.ts'
import { fillLargeDatabase } from '../packages/server/test/support/large-database.ts'
import { createData, engines } from './server.ts'
import { quantile, sorted } from './statistics.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => process.stderr.write(`  ${line}\n`)

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      users: { type: 'string', default: '100000' },
      rows: { type: 'string', default: '1000000' },
      times: { type: 'string', default: '100' },
    },
  })
  const engine = engines.find(one => one === values.engine)
  const [users, rows, times] = [Number(values.users), Number(values.rows), Number(values.times)]
  if (!engine || ![users, rows, times].every(n => Number.isInteger(n) && n > 0))
    throw new Error(
      `Usage: npm run bench -- administration [--engine ${engines.join('|')}] [--users 100000] [--rows 1000000] [--times 100]`,
    )
  return { engine, users, rows, times }
}

const clocked = async <T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> => {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

const createCalls = (db: OpenDatabase['db'], now: () => number): Record<string, () => Promise<Administered<unknown>>> => {
  const keyring = createKeyring(() => [Buffer.alloc(32, 1)])
  const administrators = new Set(['user-1@example.com'])
  const mail = createMail({ keyring, now, administrators: [...administrators], texts: createServerLanguages([], 'en') })
  const rules = { policy: 'skippable', groupsOf: () => [], isAdministrator: (ident: string) => administrators.has(ident) } as const
  const administer = createAdminister({ db, ...rules, passkeyDue: () => undefined, now })
  const acts = createUserActs({ mail, now })
  const passwordLink = createPasswordLink({ mail, publicUrl: 'http://localhost', now })
  const administration = createAdministration({
    ceremonies: undefined,
    db,
    keyring,
    administer,
    acts,
    passwordLink,
    administrators,
    ...rules,
    now,
  })
  const caller = {
    sessionSelector: 'bench',
    sessionCreated: now(),
    sessionConfirmed: now(),
    sessionFactorAt: now(),
    userLanguage: null,
    userGroups: '',
    userProviderGroups: '',
    sessionCheckSelector: null,
    sessionSeen: now(),
    sessionExpires: now() + days(1),
    sessionFactor: 'TOTP' as const,
    userId: 'user-1',
    userIdent: 'user-1@example.com',
  }
  const visitor = {
    address: '',
    userAgent: '',
    requestId: '',
    browser: undefined,
    ticket: undefined,
    push: undefined,
    mailWait: undefined,
    passkey: undefined,
    knowsPasskeys: false,
  }
  const by = [caller, visitor] as const
  return {
    overview: () => administration.overview(...by),
    'users, first page': () => administration.users({}, ...by),
    'users, by last sign-in': () => administration.users({ sort: 'LastSignIn', descending: true }, ...by),
    'users, by day added': () => administration.users({ sort: 'Added', descending: true }, ...by),
    'users, a later page': () => administration.users({ after: 'begins user-9@example.com' }, ...by),
    'search, start of an address': () => administration.users({ search: 'user-77' }, ...by),
    'search, part of many addresses': () => administration.users({ search: '777@' }, ...by),
    'search, no match': () => administration.users({ search: 'nobody' }, ...by),
    'filter: no second factor': () => administration.users({ filter: 'WithoutFactor' }, ...by),
    'filter: skipped': () => administration.users({ filter: 'Skipped' }, ...by),
    'filter: locked': () => administration.users({ filter: 'Locked' }, ...by),
    'filter: must reset': () => administration.users({ filter: 'ForcedReset' }, ...by),
    'one user': () => administration.user('user-4242', ...by),
    'queued emails': () => administration.mails(...by),
    'board, 24 hours': () => administration.board('Day', ...by),
    'board, 7 days': () => administration.board('Week', ...by),
    'board, 30 days': () => administration.board('Month', ...by),
    'board, 90 days': () => administration.board('Quarter', ...by),
  }
}

const run = async () => {
  const { engine, users, rows, times } = readArguments()
  const data = await createData(engine)
  try {
    await data.inDatabase(async db => {
      const end = Date.now()
      const now = () => end
      log(`creating ${users} users and ${rows} audit entries with ${engine} …`)
      await fillLargeDatabase(db, { users, rows, end })
      const calls = createCalls(db, now)
      // Without the counts, a query may exceed PostgreSQL's statement timeout of 1.5 s.
      const raw = await clocked(async () => calls['board, 90 days']?.()).catch(() => undefined)
      log('counting the entries …')
      const stretches: number[] = []
      for (;;) {
        const { ms, result } = await clocked(() => db.transaction().execute(tx => countStretch(tx, end)))
        if (!result) break
        stretches.push(ms)
      }
      const counts = await db
        .selectFrom('audit_counts')
        .select(e => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
      print(`The administration page on ${engine}: ${users} users, ${rows} audit entries over 90 days, ${times} measurements of each call`)
      print(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores; Node ${process.version}; load ${loadavg()[0]?.toFixed(2)}\n`)
      print(`  ${'call'.padEnd(32)} ${'p50'.padStart(9)} ${'p99'.padStart(9)}`)
      let quarter = 0
      for (const [name, call] of Object.entries(calls)) {
        const samples: number[] = []
        if (!('done' in (await call()))) throw new Error(`${name} was refused`)
        for (let i = 0; i < times; i++) samples.push((await clocked(call)).ms)
        const ordered = sorted(samples)
        quarter = quantile(ordered, 0.5)
        print(`  ${name.padEnd(32)} ${inMs(quarter)} ${inMs(quantile(ordered, 0.99))}`)
      }
      const ordered = sorted(stretches)
      print(`\n  ${'counting six hours of entries'.padEnd(32)} ${inMs(quantile(ordered, 0.5))} ${inMs(quantile(ordered, 0.99))}`)
      print(`\n  ${counts.n} counts for ${rows} entries: one for every ${(rows / Number(counts.n)).toFixed(1)}.`)
      const took = raw ? `${raw.ms.toFixed(0)} ms, ${(raw.ms / quarter).toFixed(1)} times as long` : 'longer than the statement timeout'
      print(`  Without counts, the board of 90 days took ${took}.`)
    })
  } finally {
    await data.stop()
  }
}

const inMs = (ms: number) => `${ms.toFixed(1)} ms`.padStart(9)

try {
  await run()
  process.exit(0)
} catch (error) {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

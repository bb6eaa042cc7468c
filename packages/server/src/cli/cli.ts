import { parseArgs } from 'node:util'
import { ConfigProblems, readConfig } from '../config/config.ts'
import { openDatabase } from '../db/open.ts'
import { examine, examineAddress } from '../doctor/doctor.ts'
import { reasonOf } from '../doctor/finding.ts'
import type { Deps } from './deps.ts'
import { migrate } from './migrate.ts'
import { rotateKey } from './rotate-key.ts'
import { UsageError } from './usage-error.ts'
import { listUsers, userActs } from './users.ts'

const usage = `Usage: npm run cli -- COMMAND

  user add ADDRESS           adds a user; the password is read from standard input
  user list                  lists all users and their locks
  user unlock ADDRESS        unlocks a user's password and second factor
  user force-reset ADDRESS   signs a user out everywhere and requires a new password
  user reset-factor ADDRESS  removes all second factors of a user who lost them
  user delete ADDRESS        deletes a user and ends all their sessions
  doctor                     checks the configuration, database, clock, mail and more
  doctor ADDRESS             requests an address behind a proxy as a browser would, and reports problems
  migrate                    updates the database tables
  rotate-key                 rotates the master key and re-encrypts everything
`

const write = (line: string) => void process.stdout.write(`${line}\n`)

const commands: ReadonlyMap<string, (deps: Deps) => Promise<void>> = new Map([
  ['user list', listUsers],
  ['migrate', migrate],
  ['rotate-key', rotateKey],
])

const commandOf = (words: string[]): ((deps: Deps) => Promise<void>) => {
  const command = commands.get(words.join(' '))
  if (command) return command
  const [noun, verb = '', address, ...more] = words
  const act = noun === 'user' && more.length === 0 ? userActs.get(verb) : undefined
  if (!act || !address) throw new UsageError(usage)
  return deps => act(deps, address)
}

/**
 * Prints one line for each finding.
 * @returns false if one of them is a problem
 */
const doctor = async (address: string | undefined): Promise<boolean> => {
  let isHealthy = true
  for await (const { level, about, says } of address === undefined ? examine(process.env) : examineAddress(address, process.env)) {
    write(`${level.padEnd(8)} ${about.padEnd(14)} ${says}`)
    if (level === 'problem') isHealthy = false
  }
  return isHealthy
}

const run = async () => {
  // A database file that this command creates must be readable by our user only.
  process.umask(0o077)
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return write(usage)
  const [first, address, ...more] = positionals
  if (first === 'doctor' && more.length === 0) {
    // The doctor checks what the other commands require.
    if (!(await doctor(address))) process.exitCode = 1
    return
  }
  const command = commandOf(positionals)
  const config = readConfig(process.env)
  const database = await openDatabase(config.databaseUrl)
  try {
    await command({ config, database, write })
  } finally {
    await database.close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigProblems ? error.problems.join('\n') : reasonOf(error)}\n`)
  process.exitCode = 1
}

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { countOldPasswords } from '../../db/old-password-kinds.ts'
import type { Db } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import { canonicalUsername } from '../../users/username.ts'
import { listByIdents } from '../../users/users.store.ts'
import type { Deps } from '../deps.ts'
import { UsageError } from '../usage-error.ts'
import { readAuthelia, type TextFile } from './authelia.ts'
import { createCreator } from './create.ts'
import { readCsv } from './csv.ts'
import { readHtpasswd } from './htpasswd.ts'
import { compare, createPlanner, type Plan, type Rules } from './plan.ts'
import { createReport } from './report.ts'
import type { BadLine, Source, SourceUser } from './source.ts'

const { usersAtOnce, usersMost, fileBytes, yamlBytes } = limits.import

const readText = (name: string): TextFile => {
  checkFile(name, yamlBytes)
  return { name, text: readFileSync(name, 'utf8') }
}

const checkFile = (name: string, bytesMost: number = fileBytes) => {
  if (!existsSync(name) || !statSync(name).isFile()) throw new UsageError(`${name} is not a file.`)
  if (statSync(name).size > bytesMost)
    throw new UsageError(`${name} is larger than ${bytesMost / 1024 ** 2} MB. Nothing was imported. Import it in parts.`)
}

/** Imports the users in Authelia's file, with the exports of its storage. */
export const importAuthelia = async (deps: Deps) => {
  const { args, options } = deps
  const files = {
    users: readText(args[0] ?? ''),
    totp: options.has('totp') ? readText(options.get('totp') ?? '') : undefined,
    passkeys: options.has('webauthn') ? readText(options.get('webauthn') ?? '') : undefined,
  }
  // Parsing YAML takes most of the time and memory, so the lines are read once and kept.
  const lines: (SourceUser | BadLine)[] = []
  for await (const line of readAuthelia(files)) lines.push(line)
  return importUsers(deps, () => lines)
}

export const importHtpasswd = async (deps: Deps) => {
  const file = deps.args[0] ?? ''
  checkFile(file)
  return importUsers(deps, () => readHtpasswd(file))
}

export const importCsv = async (deps: Deps) => {
  const file = deps.args[0] ?? ''
  checkFile(file)
  return importUsers(deps, () => readCsv(createReadStream(file), file))
}

/** Plans all lines of a file, a batch at a time. */
async function* planned(db: Db, rules: Rules, source: Source): AsyncGenerator<Plan[]> {
  const planner = createPlanner(rules, [...(await countOldPasswords(db)).keys()])
  let batch: Plan[] = []
  for await (const line of source) {
    batch.push(planner.read(line))
    if (batch.length < usersAtOnce) continue
    yield await compared(db, batch)
    batch = []
  }
  yield await compared(db, batch)
}

/** Compares the plans with existing users. An import does not change existing users. */
const compared = async (db: Db, batch: readonly Plan[]): Promise<Plan[]> => {
  const accounts = await listByIdents(
    db,
    batch.flatMap(({ address }) => address ?? []),
  )
  const byIdent = new Map(accounts.map(account => [account.userIdent, account]))
  return batch.map(plan => {
    const account = byIdent.get(plan.address ?? '')
    return account ? compare(plan, account) : plan
  })
}

/** Reads the whole file before the first change, so that a truncated file, or one that is too long, changes nothing. */
const readToEnd = async (source: Source): Promise<void> => {
  let lines = 0
  for await (const _ of source) {
    if (++lines > usersMost)
      throw new UsageError(`The file has more than ${usersMost.toLocaleString('en')} users. Nothing was imported. Import it in parts.`)
  }
}

/** @throws UsageError for a text that is not a domain */
const readDomain = (domain: string | undefined): string | undefined => {
  if (domain !== undefined && canonicalUsername(`a@${domain}`) === undefined)
    throw new UsageError('--domain must be the part of an email address after the @, such as example.com.')
  return domain
}

/**
 * Plans the import, and creates users only with `--apply`. A batch of users is created in one transaction, so each user has everything or
 * does not exist, and a run after an interrupted one creates the rest.
 */
const importUsers = async (deps: Deps, open: () => Source): Promise<void> => {
  const { options, config, database, write, data } = deps
  const { db, clock } = database
  const { passkeys } = config
  const rules: Rules = {
    domain: readDomain(options.get('domain')),
    rpId: passkeys.is === 'On' ? passkeys.relyingParty.rpId : undefined,
    kindsMost: limits.password.old.kindsMost,
    millisMost: limits.password.old.millisMost,
    administrators: config.admins,
  }
  await readToEnd(open())
  const report = createReport(write)
  if (options.has('apply')) {
    const create = await createCreator({ config, db, now: clock.now, invites: options.has('invite') })
    for await (const batch of planned(db, rules, open())) report.add(await create(batch))
  } else {
    for await (const batch of planned(db, rules, open())) report.add(batch)
  }
  const oldKinds = options.has('apply') ? await countOldPasswords(db) : report.kinds()
  data({ applied: options.has('apply'), ...report.result(), oldPasswords: Object.fromEntries(oldKinds) })
  const bad = report.end(options.has('apply'), oldKinds)
  if (bad > 0) throw new UsageError(`${bad === 1 ? 'One line' : `${bad} lines`} can't be imported, see 'bad' above.`)
}

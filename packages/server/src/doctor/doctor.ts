import { createDatabaseRotation } from '../cli/key-rotation.ts'
import { type Config, ConfigProblems, readConfig } from '../config/config.ts'
import { sqliteFile } from '../db/open.ts'
import { createKeyring } from '../keys/keyring.ts'
import { examineAdministrators, examinePolicy } from './administrators.ts'
import { clockFinding, nothingToCompare } from './clock.ts'
import { examineDatabase } from './database.ts'
import { examinePushKeys, examinePushServers } from './devices.ts'
import { about, type Finding, reasonOf } from './finding.ts'
import { examineIdentityKeys, examineOutageGrace } from './forward-auth.ts'
import { examineLiveUpdates } from './live-updates.ts'
import { examineMailServer, examineOutbox, examineRefused } from './mail.ts'
import { examineKeyFile, examineSealed } from './master-key.ts'
import { examineOldPasswords } from './old-passwords.ts'
import { examineOpenDoors } from './open-door.ts'
import { examinePasskeys, examineRpId } from './passkeys.ts'
import { examineProtectedAddress } from './protected-address.ts'
import { examinePublicUrl } from './public-url.ts'
import { examineRules } from './rules.ts'
import { examineSeenAddress } from './seen-address.ts'
import { examineProviders } from './single-sign-on.ts'

const { ok, problem } = about('configuration')

const read = (environment: NodeJS.ProcessEnv): { config?: Config; problems: Finding[] } => {
  try {
    return { config: readConfig(environment), problems: [] }
  } catch (error) {
    return { problems: (error instanceof ConfigProblems ? error.problems : [reasonOf(error)]).map(problem) }
  }
}

/** Checks one protected address, as a browser without a session requests it. */
export async function* examineAddress(address: string, environment: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const { config, problems } = read(environment)
  yield* problems
  if (!config) return
  const rules = await examineRules(config)
  yield* rules.findings
  if (!rules.ruleSet) return
  const { opened } = await examineDatabase(config.databaseUrl)
  try {
    const isReadable = opened !== undefined && opened.waiting.length === 0
    yield* await examineProtectedAddress(address, config, rules.ruleSet, isReadable ? opened.db : undefined, opened?.clock.now ?? Date.now)
    yield await examineLiveUpdates(config)
  } finally {
    await opened?.close()
  }
}

/** Checks everything that the server depends on, without changing it. */
export async function* examine(environment: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const { config, problems } = read(environment)
  yield* problems
  if (!config) return
  yield ok(`The configuration is valid, for ${config.production ? 'production' : 'development (NODE_ENV is not production)'}.`)
  const rules = await examineRules(config)
  yield* rules.findings
  yield* examineOutageGrace(config)
  yield examineKeyFile(config)
  yield examinePolicy(config)
  yield* examinePasskeys(config)
  yield await examineMailServer(config)
  yield* await examineProviders(config)
  yield* await examinePushServers(config)

  const { opened, findings } = await examineDatabase(config.databaseUrl)
  yield* findings
  const onPostgres = !sqliteFile(config.databaseUrl)
  if (opened) {
    try {
      if (onPostgres) yield clockFinding(opened.clock.ahead(), 'the database')
      if (opened.waiting.length === 0) yield* examineTables(config, opened)
    } finally {
      await opened.close()
    }
  }
  const reached = await examinePublicUrl(config)
  yield* reached.findings
  if (reached.isOurs) {
    yield await examineSeenAddress(config)
    yield await examineLiveUpdates(config)
    if (rules.ruleSet && rules.ruleSet.origins.length > 0) yield await examineIdentityKeys(config)
  }
  if (rules.ruleSet) yield* await examineOpenDoors(config, rules.ruleSet, opened?.clock.now ?? Date.now)
  if (!onPostgres) yield reached.ahead === undefined ? nothingToCompare : clockFinding(reached.ahead, 'the public URL')
}

async function* examineTables(
  config: Config,
  { db, clock: { now } }: NonNullable<Awaited<ReturnType<typeof examineDatabase>>['opened']>,
): AsyncGenerator<Finding> {
  const keyring = createKeyring(config.masterKeys)
  const rotation = createDatabaseRotation({ db, keyring, now, wait: async () => {} })
  yield examineSealed(await rotation.tally())
  yield await examinePushKeys(db, keyring)
  yield* await examineRpId(db, config)
  yield* await examineAdministrators(db, config)
  yield* await examineOldPasswords(db)
  yield await examineOutbox(db, now())
  yield* await examineRefused(db)
}

import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Config, readConfig } from '../config/config.ts'
import { writeBackupFile } from '../db/backup-file.ts'
import { inspectDatabase, sqliteFile } from '../db/open.ts'
import { createKeyring } from '../keys/keyring.ts'
import type { Call } from './command.ts'
import { createDatabaseRotation } from './key-rotation.ts'
import { UsageError } from './usage-error.ts'

/** Writes the database into one file while servers run, and opens that file to check it. */
export const backup = async ({ args: [name = ''], options, write, data }: Call) => {
  const config = readConfig(process.env)
  const file = resolve(name)
  const keyFile = options.get('with-key') === undefined ? undefined : resolve(options.get('with-key') ?? '')
  for (const one of [file, keyFile]) if (one && existsSync(one)) throw new UsageError(`${one} exists already. Nothing was written.`)
  if (keyFile === file) throw new UsageError('The master key needs a separate file. Nothing was written.')
  await refuseOldTables(config)
  let undecryptable = 0
  const copied = await writeBackupFile(config.databaseUrl, file, async db => {
    const rotation = createDatabaseRotation({ db, keyring: createKeyring(config.masterKeys), now: Date.now, wait: setTimeout })
    undecryptable = (await rotation.tally()).missing
  })
  if (keyFile) writeKeys(config, keyFile)
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0)
  write(`Wrote ${rows} rows of ${copied.size} tables to ${file}, and opened it to check it.`)
  write(keyFile ? `Wrote the master key to ${keyFile}. Keep it in another place than the backup.` : withoutKey(config))
  if (undecryptable > 0)
    write(`Warning: ${undecryptable} secrets and emails are encrypted with a master key that this server does not have.`)
  data({ file, keyFile: keyFile ?? null, undecryptable, rows: Object.fromEntries(copied) })
}

/**
 * Refuses a PostgreSQL database whose tables are not up to date: the backup has the tables of this version, and a backup must not update
 * the database.
 */
const refuseOldTables = async ({ databaseUrl }: Config) => {
  const file = sqliteFile(databaseUrl)
  if (file && !existsSync(file)) throw new UsageError(`${file} does not exist, so there is nothing to back up.`)
  const { waiting, close } = await inspectDatabase(databaseUrl)
  await close()
  if (waiting.length > 0 && !file)
    throw new UsageError(`The tables lack ${waiting.join(', ')}. Back up with the version of Gatehouse that runs on them.`)
}

const writeKeys = (config: Config, file: string) => {
  const keys = config.masterKeys().map(key => `${key.toString('base64')}\n`)
  writeFileSync(file, keys.join(''), { mode: 0o600, flag: 'wx', flush: true })
}

const withoutKey = ({ masterKeyFile }: Config) =>
  `The backup does not contain the master key (${masterKeyFile ?? 'GATEHOUSE_MASTER_KEY'}). Without it, authenticator apps and Web Push notifications do not work after a restore. Passkeys, phone approvals and recovery codes do.`

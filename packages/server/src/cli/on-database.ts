import { readConfig } from '../config/config.ts'
import { openDatabase } from '../db/open.ts'
import type { Command } from './command.ts'
import type { Deps } from './deps.ts'

/** Runs a command with the configuration and the open database. */
export const onDatabase =
  (load: () => Promise<(deps: Deps) => Promise<void>>): Command['run'] =>
  async call => {
    const run = await load()
    const config = readConfig(process.env)
    const database = await openDatabase(config.databaseUrl)
    try {
      await run({ ...call, config, database })
    } finally {
      await database.close()
    }
  }

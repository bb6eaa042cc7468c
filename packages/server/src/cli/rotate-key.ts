import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { addMasterKey } from '../config/master-key.ts'
import type { Tally } from '../keys/key-rotation.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import { commandLine } from '../program.ts'
import * as accounts from '../users/users.store.ts'
import type { Deps } from './deps.ts'
import { createDatabaseRotation } from './key-rotation.ts'
import { UsageError } from './usage-error.ts'

/** Adds a new master key and encrypts everything with it, while servers run. The next run finishes an interrupted one. */
export const rotateKey = async ({ config, database, write, data }: Deps) => {
  const { db, clock } = database
  const keyring = createKeyring(config.masterKeys)
  const rotation = createDatabaseRotation({ db, keyring, now: clock.now, wait: setTimeout })
  const before = await rotation.tally()
  if (before.missing > 0)
    throw new UsageError(
      `${before.missing} secrets and emails are encrypted with a master key that is not in ${nameOf(config)}. Put that key back, after the others, and run this command again. Nothing was changed.`,
    )
  write(addNewKey(config, keyring, before))
  write('Re-encrypting everything with it. This takes a few seconds, until every server uses the new key …')
  const { secrets, mails, unreadable, finished } = await rotation.run()
  write(`Re-encrypted ${secrets} authenticator secrets and ${mails} emails.`)
  const found = await Promise.all([...new Set(unreadable)].map(userId => accounts.findById(db, userId)))
  const lost = found.flatMap(account => (account ? [account.userIdent] : []))
  for (const userIdent of lost)
    write(
      `No key can decrypt the authenticator of ${userIdent}. Remove it, so that the user can set up another: ${commandLine} user reset-factor ${userIdent}`,
    )
  data({ secrets, mails, unreadable: lost, finished })
  if (!finished)
    throw new UsageError(
      `A server still encrypts with an old key. Restart every server with the keys of ${nameOf(config)}, and run this command again.`,
    )
  write(config.masterKeyFile ? nextSteps(config.masterKeyFile) : nextStepsForVariable)
}

const nextSteps = (file: string) =>
  `Nothing is encrypted with an old key any longer. When you no longer need backups from before now, remove the old keys from ${file}: all but the first.`

// This command cannot detect an idle server that knows only the old key.
const nextStepsForVariable = `Nothing is encrypted with an old key at this moment. But a server that was not restarted with the new key in front still uses its own key: make sure that every server was restarted. When ${commandLine} doctor, run with both keys, still finds nothing encrypted with an old key, and you no longer need backups from before now, remove the old keys from GATEHOUSE_MASTER_KEY: all but the first.`

const nameOf = ({ masterKeyFile }: Config) => masterKeyFile ?? 'GATEHOUSE_MASTER_KEY'

/** @returns a sentence that says what was done, without revealing a key */
const addNewKey = (config: Config, keyring: Keyring, before: Tally): string => {
  if (before.old > 0) return `${nameOf(config)} already contains a new master key, but not everything is encrypted with it yet.`
  if (config.masterKeyFile) {
    addMasterKey(config.masterKeyFile)
    keyring.reload()
    return `Added a new master key in front of the others in ${config.masterKeyFile}.`
  }
  if (config.masterKeys().length > 1) return 'GATEHOUSE_MASTER_KEY already contains a new master key.'
  throw new UsageError(
    'GATEHOUSE_MASTER_KEY contains one key. Create a new one (openssl rand -base64 32) and put it in front, separated by a comma (new,old). Restart every server with both, and run this command again with both.',
  )
}

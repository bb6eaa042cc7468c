import { setTimeout } from 'node:timers/promises'
import * as accounts from '../accounts.ts'
import type { Config } from '../config.ts'
import { createKeyRotation, type Tally } from '../key-rotation.ts'
import type { Keyring } from '../keyring.ts'
import { addMasterKey } from '../master-key.ts'
import { type Deps, openOutbox } from './deps.ts'
import { Wrong } from './wrong.ts'

/**
 * Puts a new master key in front and has everything sealed with it, while servers run. A rotation that was cut off is
 * finished by the next.
 */
export const rotateKey = async ({ config, database, write }: Deps) => {
  const { db, clock } = database
  const { keyring, mail } = openOutbox(config, clock.now)
  const rotation = createKeyRotation({ db, keyring, mail, now: clock.now, wait: setTimeout })
  const before = await rotation.tally()
  if (before.missing > 0)
    throw new Wrong(
      `${before.missing} secrets and mails are sealed with a master key that is not in ${nameOf(config)}. Put that key back, behind the others, and run this again. Nothing was changed.`,
    )
  write(bringNewKey(config, keyring, before))
  write(`Sealing everything with it; it takes a few seconds until the last server has taken it up …`)
  const { secrets, mails, unreadable, finished } = await rotation.run()
  write(`Sealed anew: ${secrets} secrets of authenticators, ${mails} mails.`)
  for (const userId of new Set(unreadable)) {
    const account = await accounts.findById(db, userId)
    if (account)
      write(
        `The authenticator of ${account.userIdent} cannot be read by any key. Let the user set up another: npm run cli -- user reset-factor ${account.userIdent}`,
      )
  }
  if (!finished)
    throw new Wrong(
      `Some server goes on sealing with an old key. Restart every server with the keys of ${nameOf(config)}, and run this again.`,
    )
  write(config.masterKeyFile ? lastWords(config.masterKeyFile) : lastWordsForVariable)
}

const lastWords = (file: string) =>
  `Nothing is sealed with an old key any longer. Once you need no backup from before now, take the old keys out of ${file}: all but the first.`

// A server that was started with the old key alone cannot be seen from here while nobody uses it.
const lastWordsForVariable =
  'Nothing is sealed with an old key at this moment; a server that was not restarted with the new one in front goes on with its own. See that all were. Once npm run cli -- doctor, run with both, still finds nothing sealed with an old key, and you need no backup from before now, take the old keys out of GATEHOUSE_MASTER_KEY: all but the first.'

const nameOf = ({ masterKeyFile }: Config) => masterKeyFile ?? 'GATEHOUSE_MASTER_KEY'

/** @returns what was done, in a sentence that tells nothing of a key */
const bringNewKey = (config: Config, keyring: Keyring, before: Tally): string => {
  if (before.old > 0) return `There is a new master key in ${nameOf(config)} already, with which not everything is sealed.`
  if (config.masterKeyFile) {
    addMasterKey(config.masterKeyFile)
    keyring.reload()
    return `Put a new master key in front of the others in ${config.masterKeyFile}.`
  }
  if (config.masterKeys().length > 1) return 'There is a new master key in GATEHOUSE_MASTER_KEY already.'
  throw new Wrong(
    'GATEHOUSE_MASTER_KEY holds one key. Make a new one (openssl rand -base64 32), put it in front with a comma between (new,old), restart every server with both, and run this again with both.',
  )
}

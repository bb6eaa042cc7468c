import type { Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { createKeyring } from '../keys/keyring.ts'
import { createMail } from '../mail/mail.ts'

/** What a command works with. */
export type Deps = { config: Config; database: OpenDatabase; write: (line: string) => void }

/** Keys and outbox, as the server has them. */
export const openOutbox = (config: Config, now: () => number) => {
  const keyring = createKeyring(config.masterKeys)
  return { keyring, mail: createMail({ keyring, now, administrators: [...config.admins] }) }
}

import * as audit from '../audit/audit.store.ts'
import { addKey, listKeys, removeOldKeys } from '../forward-auth/assertions/signing-keys.store.ts'
import { createKeyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import type { Deps } from './deps.ts'
import { UsageError } from './usage-error.ts'

/**
 * Adds a key that signs users' identities, while servers run. Servers publish the key before they sign with it, so that no application
 * refuses an assertion. `--now` is for a stolen key: it removes all older keys, and applications may refuse assertions for a few minutes.
 */
export const rotateAssertionKey = async ({ config, database, options, write }: Deps) => {
  const isStolen = options.has('now')
  const { db, clock } = database
  const keyring = createKeyring(config.masterKeys)
  const now = clock.now()
  const active = isStolen ? now : now + limits.assertion.keyAhead
  const [seen] = await listKeys(db, keyring)
  if (!(await addKey(db, keyring, { seen, now, active })))
    throw new UsageError('Another rotation runs at the same time. Nothing was changed.')
  if (isStolen) await removeOldKeys(db)
  await audit.record(db, { event: 'assertion-key-rotated', result: 'successful', actor: 'cli', target: null, now }, undefined)
  write(
    isStolen
      ? 'Added a new key and removed all others. Every server signs with it within a minute. Applications that cache the old keys refuse assertions until they load /.well-known/jwks.json again.'
      : `Added a new key. Servers publish it now and sign with it from ${new Date(active).toISOString()} on.`,
  )
}

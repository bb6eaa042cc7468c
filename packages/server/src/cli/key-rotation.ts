import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Tables } from '../db/schema.ts'
import * as pushKeys from '../factors/push/push-keys.store.ts'
import * as totpFactors from '../factors/totp/totp.store.ts'
import * as signingKeys from '../forward-auth/assertions/signing-keys.store.ts'
import { createKeyRotation } from '../keys/key-rotation.ts'
import type { Keyring } from '../keys/keyring.ts'
import * as outbox from '../mail/outbox.store.ts'

/** A key rotation over every table that holds encrypted values. */
export const createDatabaseRotation = (deps: {
  db: Kysely<Tables>
  keyring: Keyring
  now: () => number
  wait: (ms: number) => Promise<unknown>
}) => {
  const { db, keyring, now, wait } = deps
  return createKeyRotation({
    keyring,
    wait,
    sealed: {
      secrets: {
        count: () => totpFactors.countSecretsByKey(db),
        reseal: (after, most) => totpFactors.resealSecrets(db, keyring, after, most),
      },
      mails: { count: () => outbox.countByKey(db), reseal: (after, most) => outbox.reseal(db, keyring, after, most) },
      signingKeys: {
        count: () => signingKeys.countByKey(db),
        reseal: (after, most) => signingKeys.reseal(db, keyring, after, most),
      },
      pushKeys: { count: () => pushKeys.countKeysByKey(db), reseal: after => pushKeys.resealKeys(db, keyring, after) },
    },
    recordEnd: () =>
      audit.record(db, { event: 'master-key-rotated', result: 'successful', actor: 'cli', target: null, now: now() }, undefined),
  })
}

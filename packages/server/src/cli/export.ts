import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Db } from '../db/schema.ts'
import { listVerifiedOf } from '../factors/factors.store.ts'
import { listPasskeysOf } from '../factors/passkey/passkeys.store.ts'
import { readSecretsOf } from '../factors/totp/totp.store.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import { readVersion } from '../program.ts'
import { storedPassword } from '../users/stored-password.ts'
import { type Account, listAccountsAfter } from '../users/users.store.ts'
import type { Deps } from './deps.ts'
import { UsageError } from './usage-error.ts'

/** How many users' rows are in memory at the same time. */
const usersAtOnce = 500

/** The version of the format, see docs/exporting.md. It increases with every change that can break programs that read the file. */
const format = 1

/** Writes all users into a JSON file, one per line. */
export const exportUsers = async ({ args: [name = ''], options, config, database: { db, clock }, write }: Deps) => {
  const file = resolve(name)
  if (existsSync(file)) throw new UsageError(`${file} exists already. Nothing was written.`)
  const keyring = options.has('with-secrets') ? createKeyring(config.masterKeys) : undefined
  const part = `${file}.part`
  rmSync(part, { force: true })
  const handle = openSync(part, 'wx', 0o600)
  let users = 0
  try {
    const head = { gatehouse: readVersion(), format, exported: instant(clock.now()), secrets: keyring !== undefined }
    writeSync(handle, `${JSON.stringify(head).slice(0, -1)},"users":[\n`)
    for await (const page of pagesOf(db)) {
      for (const user of await describe(db, page, keyring)) writeSync(handle, `${users++ === 0 ? '' : ',\n'}${JSON.stringify(user)}`)
    }
    writeSync(handle, '\n]}\n')
    fsyncSync(handle)
    // Creating a hard link fails if the name is taken meanwhile. A rename would replace the other file.
    linkSync(part, file)
  } finally {
    closeSync(handle)
    rmSync(part, { force: true })
  }
  write(`Exported ${users} users to ${file}.`)
  if (keyring) write('The file contains password hashes and the secrets of authenticator apps. Anyone who reads it can sign in with them.')
}

async function* pagesOf(db: Db): AsyncGenerator<Account[]> {
  for (let after = ''; ; ) {
    const page = await listAccountsAfter(db, after, usersAtOnce)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.userIdent
  }
}

const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const words = (text: string) => text.split(' ').filter(Boolean)

/** Describes users for the export. Includes secrets only with a keyring. */
const describe = async (db: Db, accounts: readonly Account[], keyring: Keyring | undefined) => {
  const ids = accounts.map(({ userId }) => userId)
  const factors = Map.groupBy(await listVerifiedOf(db, ids), ({ factorIdentity }) => factorIdentity)
  const passkeys = new Map((await listPasskeysOf(db, ids)).map(passkey => [passkey.passkeyFactor, passkey]))
  const totpSecrets = keyring && (await readSecretsOf(db, keyring, ids))
  const publicKeyOf = (factorUUID: string) => {
    const passkey = passkeys.get(factorUUID)
    return (
      passkey && {
        credentialId: passkey.passkeyCredentialId,
        publicKey: passkey.passkeyPublicKey,
        counter: passkey.passkeyCounter,
        transports: passkey.passkeyTransports.split(',').filter(Boolean),
        domain: passkey.passkeyRpId,
        userHandle: passkey.passkeyHandle,
      }
    )
  }
  return accounts.map(user => ({
    id: user.userId,
    address: user.userIdent,
    created: instant(user.userCreated),
    timeZone: user.userTZLabel,
    language: user.userLanguage,
    groups: words(user.userGroups),
    mustResetPassword: user.userForcedReset === 1,
    hasPassword: user.userPassword !== null,
    ...(keyring && { passwordHash: user.userPassword, passwordHashOf: storedPassword(user)?.old ?? null }),
    providers: { google: user.userGoogleId, microsoft: user.userAzureId, pak: user.userPakId },
    factors: (factors.get(user.userId) ?? []).map(factor => ({
      id: factor.factorUUID,
      type: factor.factorFactorType,
      name: factor.factorFriendlyName,
      created: instant(factor.factorDateCreated),
      lastUsed: instant(factor.factorDateLastUsed),
      ...(totpSecrets?.has(factor.factorUUID) && { secret: totpSecrets.get(factor.factorUUID) ?? null }),
      ...(keyring && passkeys.has(factor.factorUUID) && { passkey: publicKeyOf(factor.factorUUID) }),
    })),
  }))
}

import { availableParallelism } from 'node:os'
import { unnamedAuthenticator } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tables } from '../db/schema.ts'
import { demand } from '../factors/credential-permits.ts'
import { insertImported } from '../factors/factors.store.ts'
import { bindPasskey, ensureHandle } from '../factors/passkey/passkeys.store.ts'
import { importSecret } from '../factors/totp/totp.store.ts'
import { groupNameForm, isGroupName } from '../forward-auth/rules/group-names.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import { limits } from '../limits.ts'
import { createPoolHasher } from '../passwords/hash-threads.ts'
import { createPasswords, thisMachine } from '../passwords/passwords.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { SeededUser, SeedUser } from './protocol.ts'

/** Thrown with a sentence that says why a test user cannot be created. */
export class SeedProblem extends Error {}

/** Creates users for tests, with the hashes and the statements that a server uses. Passwords can be weak. */
export const createSeeder = async ({ config, db, now }: { config: Config; db: Kysely<Tables>; now: () => number }) => {
  const keyring = createKeyring(config.masterKeys)
  const passwords = await createPasswords(1, undefined, createPoolHasher(availableParallelism(), limits.password.argon2id))

  const hashAll = (users: readonly SeedUser[]) =>
    passwords.inTurn(thisMachine, turn =>
      Promise.all(users.map(async ({ password }) => (password === null ? null : await turn.hash(password)))),
    )

  const createUser = async (tx: Db, user: SeedUser, userPassword: string | null): Promise<SeededUser> => {
    const userIdent = checkedIdent(user, config)
    const userId = await accounts.addAccount(tx, { userIdent, userPassword, groups: user.groups, userTZLabel: 'UTC', now: now() })
    if (userId === undefined) throw new SeedProblem(`A user ${userIdent} already exists.`)
    await audit.record(tx, { event: 'user-added', result: 'successful', actor: 'cli', target: userId, now: now() }, undefined)
    const passkeyHandle = await addFactors(tx, user, { userId, keyring, config, now: now() })
    return { id: userId, email: userIdent, passkeyHandle }
  }

  /** Creates all of these users, or none. @throws SeedProblem */
  const addUsers = async (users: readonly SeedUser[]): Promise<SeededUser[]> => {
    const hashes = await hashAll(users)
    return db.transaction().execute(async tx => {
      const added: SeededUser[] = []
      for (const [i, user] of users.entries()) added.push(await createUser(tx, user, hashes[i] ?? null))
      return added
    })
  }
  return { addUsers }
}

const checkedIdent = ({ email, groups, passkey }: SeedUser, { passkeys }: Config): string => {
  const userIdent = canonicalUsername(email)
  if (userIdent === undefined) throw new SeedProblem(`${JSON.stringify(email)} is not an email address.`)
  const badGroup = groups.find(group => !isGroupName(group))
  if (badGroup !== undefined) throw new SeedProblem(`${userIdent}: the group ${JSON.stringify(badGroup)} ${groupNameForm}.`)
  if (passkey && passkeys.is === 'Off') throw new SeedProblem(`${userIdent} cannot have a passkey: ${passkeys.why}.`)
  return userIdent
}

/** @returns the user's handle, if the user has a passkey */
const addFactors = async (
  tx: Db,
  { totpSecret, passkey }: SeedUser,
  { userId, keyring, config, now }: { userId: string; keyring: Keyring; config: Config; now: number },
): Promise<string | null> => {
  if (totpSecret === null && passkey === null) return null
  const account = await accounts.lockAccount(tx, userId)
  if (!account) throw new Error('a user who was just added is gone')
  const permit = await demand(tx, account, 'import-factors', { administrator: true })
  if (totpSecret !== null) {
    const factorUUID = await insertImported(permit, { type: 'TOTP', name: unnamedAuthenticator, now })
    await importSecret(permit, keyring, factorUUID, totpSecret)
  }
  if (passkey === null || config.passkeys.is === 'Off') return null
  const handle = await ensureHandle(tx, userId)
  await bindPasskey(permit, {
    passkeyFactor: await insertImported(permit, { type: 'Passkey', name: 'Passkey', now }),
    passkeyCredentialId: passkey.credentialId,
    passkeyPublicKey: passkey.publicKey,
    passkeyCounter: 0,
    passkeyTransports: 'internal,hybrid',
    passkeyAaguid: '00000000-0000-0000-0000-000000000000',
    passkeySynced: 1,
    passkeyRpId: config.passkeys.relyingParty.rpId,
  })
  return handle
}

import { availableParallelism } from 'node:os'
import { unnamedAuthenticator } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { createPasswordLink } from '../../admin/password-link.ts'
import * as audit from '../../audit/audit.store.ts'
import type { Config } from '../../config/config.ts'
import type { Db, Tables } from '../../db/schema.ts'
import { demand } from '../../factors/credential-permits.ts'
import { insertImported } from '../../factors/factors.store.ts'
import { bindPasskey, ensureHandle, findPasskey } from '../../factors/passkey/passkeys.store.ts'
import { importSecret } from '../../factors/totp/totp.store.ts'
import { createKeyring, type Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import { createMail } from '../../mail/mail.ts'
import { createPoolHasher } from '../../passwords/hash-threads.ts'
import { createPasswords, thisMachine } from '../../passwords/passwords.ts'
import { shippedLanguages } from '../../texts/shipped-languages.ts'
import * as accounts from '../../users/users.store.ts'
import type { NewUser, Plan } from './plan.ts'
import { shown } from './shown.ts'

type Created = NewUser & { hash: string | null }

const base64url = (text: string) => Buffer.from(text, 'base64').toString('base64url')

/** Creates the users of a batch in one transaction. */
export const createCreator = async ({
  config,
  db,
  now,
  invites,
}: {
  config: Config
  db: Kysely<Tables>
  now: () => number
  invites: boolean
}) => {
  const keyring = createKeyring(config.masterKeys)
  const texts = shippedLanguages(config.language)
  const mail = createMail({ keyring, now, administrators: [...config.admins], texts })
  const publicUrl = config.publicUrl.origin + config.publicUrl.path
  const passwordLink = createPasswordLink({ mail, publicUrl, now })
  const cores = availableParallelism()
  const passwords = await createPasswords(1, undefined, createPoolHasher(cores, limits.password.argon2id))

  /** Hashes the digests of other programs with Argon2id, so the database never contains the digests themselves. */
  const hashAll = (users: readonly NewUser[]): Promise<Created[]> =>
    passwords.inTurn(thisMachine, turn =>
      Promise.all(users.map(async user => ({ ...user, hash: user.password ? await turn.hash(user.password.digest) : null }))),
    )

  /** @returns remarks; undefined if the user was added meanwhile */
  const createUser = async (tx: Db, { userIdent, password, hash, groups, totp, passkeys }: Created): Promise<string[] | undefined> => {
    const old = password && { kind: password.kind, salt: password.salt }
    const account = { userIdent, userPassword: hash, ...(old && { old }), groups, userTZLabel: 'UTC', now: now() }
    const userId = await accounts.addAccount(tx, account)
    if (userId === undefined) return undefined
    await audit.record(tx, { event: 'user-added', result: 'successful', actor: 'cli', target: userId, now: now() }, undefined)
    const notes = totp.length + passkeys.length === 0 ? [] : await addFactors(tx, keyring, userId, { totp, passkeys, now: now() })
    if (invites && hash === null) await passwordLink.invite(tx, { userId, userIdent })
    return notes
  }

  return async (batch: readonly Plan[]): Promise<Plan[]> => {
    const users = new Map((await hashAll(batch.flatMap(({ user }) => user ?? []))).map(user => [user.userIdent, user]))
    return db.transaction().execute(async tx => {
      const done: Plan[] = []
      for (const plan of batch) {
        const user = users.get(plan.user?.userIdent ?? '')
        const notes = user ? await createUser(tx, user) : []
        const taken: Plan = { ...plan, what: 'differs', notes: ['was added while this command ran'] }
        done.push(notes ? { ...plan, notes: [...plan.notes, ...notes] } : taken)
      }
      return done
    })
  }
}

const addFactors = async (
  tx: Db,
  keyring: Keyring,
  userId: string,
  { totp, passkeys, now }: Pick<NewUser, 'totp' | 'passkeys'> & { now: number },
): Promise<string[]> => {
  const account = await accounts.lockAccount(tx, userId)
  if (!account) throw new Error('a user who was just added is gone')
  const permit = await demand(tx, account, 'import-factors', { administrator: true })
  for (const secret of totp) {
    const factorUUID = await insertImported(permit, { type: 'TOTP', name: unnamedAuthenticator, now })
    await importSecret(permit, keyring, factorUUID, secret)
  }
  if (passkeys.length > 0) await ensureHandle(tx, userId)
  const notes: string[] = []
  for (const passkey of passkeys) {
    const name = shown(passkey.name) || 'Passkey'
    const passkeyCredentialId = base64url(passkey.credentialId)
    if (await findPasskey(tx, passkeyCredentialId)) {
      notes.push('without passkey: another user has it')
      continue
    }
    const factorUUID = await insertImported(permit, { type: 'Passkey', name, now })
    await bindPasskey(permit, {
      passkeyFactor: factorUUID,
      passkeyCredentialId,
      passkeyPublicKey: base64url(passkey.publicKey),
      passkeyCounter: passkey.counter,
      passkeyTransports: passkey.transports.filter(one => /^[a-z-]{1,32}$/.test(one)).join(),
      passkeyAaguid: passkey.aaguid,
      passkeySynced: passkey.isSynced ? 1 : 0,
      passkeyRpId: passkey.rpId,
      passkeyImported: 1,
    })
  }
  return notes
}

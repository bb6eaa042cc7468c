import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import type { OpenDatabase } from '../../src/db/open.ts'
import { keyId } from '../../src/keys/keyring.ts'
import { seconds } from '../../src/limits.ts'
import { createPasswords, thisMachine } from '../../src/passwords/passwords.ts'
import * as accounts from '../../src/users/users.store.ts'
import { bindingOf, codeAt, openClient, otp, outcomeOf, signIn } from '../credentials/deployment.ts'
import type { makeInstallation } from './processes.ts'

export const password = 'a password for rotating'
export const newKey = () => randomBytes(32).toString('base64')
export const idOf = (key: string) => keyId(Buffer.from(key, 'base64'))
export const keysIn = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter(Boolean)

/** The number of encrypted values in the tables, and the ids of all keys that encrypt them. */
export const idsInUse = async (inDatabase: <T>(work: (db: OpenDatabase['db']) => Promise<T>) => Promise<T>) => {
  const sealed = await inDatabase(async db => [
    ...(await db.selectFrom('totp_bindings').select('factorTOTPBindingSecret as sealed').execute()),
    ...(await db.selectFrom('outbox').select('mailContent as sealed').execute()),
    ...(await db.selectFrom('push_keys').select('pushKeyPrivate as sealed').execute()),
  ])
  return { count: sealed.length, ids: [...new Set(sealed.map(row => row.sealed.split('.')[0]))] }
}

/** Users with authenticator apps. A code works once, so a user must wait between sign-ins. */
export const openUsersAt = (url: string) => {
  const secretOf = new Map<string, { secret: string; step: number }>()
  const step = () => Math.floor(Date.now() / seconds(30))
  const user = (username: string) => ({ username, password })
  const enroll = async (username: string) => {
    const client = openClient([url])
    const { factorUUID, secret } = bindingOf(await signIn(client, user(username)))
    // Enroll with the code of the previous step, so two newer ones remain. Wait if that step is about to become too old.
    const left = seconds(30) - (Date.now() % seconds(30))
    if (left < seconds(3)) await setTimeout(left + 10)
    const used = step() - 1
    const code = await codeAt(secret, used * seconds(30))
    const outcome = outcomeOf(await client.post(routes.setupOTP.path, otp(user(username), code, factorUUID)))
    if (outcome.tag === 'AuthSuccessful') secretOf.set(username, { secret, step: used })
    return outcome.tag
  }
  /** Signs in with the next unused code; `undefined` if the user has to wait for one. */
  const enter = async (username: string, at = url) => {
    const known = secretOf.get(username)
    if (!known || known.step > step()) return undefined
    const next = Math.max(known.step + 1, step())
    known.step = next
    const client = openClient([at])
    const first = await signIn(client, user(username))
    if (first.tag !== 'AuthRequires2FA') return first.tag
    return outcomeOf(await client.post(routes.verifyOTP.path, otp(user(username), await codeAt(known.secret, next * seconds(30))))).tag
  }
  return { enroll, enter }
}

export const addUsers = async (installation: Awaited<ReturnType<typeof makeInstallation>>, names: readonly string[]) => {
  const passwords = await createPasswords(1)
  const userPassword = await passwords.inTurn(thisMachine, turn => turn.hash(password))
  await installation.inDatabase(async db => {
    for (const userIdent of names) await accounts.addAccount(db, { userIdent, userPassword, userTZLabel: 'UTC', now: Date.now() })
  })
}
export const usernames = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}${n}@example.com`)

export const unreachableSmtp = 'smtp://127.0.0.1:9'

import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountRoutes, routes } from '@gatehouse/wire'
import type { ParsedMail } from 'mailparser'
import { expect, inject, onTestFinished } from 'vitest'
import { openUpToDate } from '../../src/db/open.ts'
import {
  bindingOf,
  type Client,
  type Credentials,
  codeAt,
  enroll,
  openClient,
  otp,
  outcomeOf,
  signIn,
  tokenOf,
} from '../credentials/deployment.ts'
import { recipientOf } from '../mail/smtp-sink.ts'
import type { Earlier } from '../support/earlier-version.ts'
import { copyDatabase, makeEmptyDatabase } from '../support/engine.ts'
import { freePort } from '../support/free-port.ts'
import { runCli } from './processes.ts'

const password = 'a password for upgrades'
const named = (name: string): Credentials => ({ username: `${name}@example.com`, password })
export const [ada, bob, grace, mallory, admin] = [named('ada'), named('bob'), named('grace'), named('mallory'), named('admin')] as const

/** A data folder and a database without tables on this run's engine. */
export const makeEmptyInstallation = async (smtp: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-'))
  const { url, drop } = await makeEmptyDatabase(folder)
  onTestFinished(async () => {
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  return installationAt(folder, url, smtp)
}

const installationAt = async (folder: string, url: string, smtp: string) => ({
  folder,
  url,
  env: {
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_DATABASE_URL: url,
    GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}`,
    GATEHOUSE_SECOND_FACTOR: 'skippable',
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_ADMINS: admin.username,
    GATEHOUSE_SMTP_URL: smtp,
  } as Record<string, string>,
})
export type Installation = Awaited<ReturnType<typeof installationAt>>

/** Copies an installation as an operator does: the data folder and the database, while no server runs. */
export const copyInstallation = async ({ folder, url, env }: Installation): Promise<Installation> => {
  const copy = await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-'))
  await cp(folder, copy, { recursive: true })
  const database = await copyDatabase(url, folder, copy)
  onTestFinished(async () => {
    await database.drop()
    await rm(copy, { recursive: true, force: true })
  })
  return installationAt(copy, database.url, env.GATEHOUSE_SMTP_URL ?? '')
}

/** Adds users with the earlier version's command, and many more for traffic by copying a row. */
export const addEarlierUsers = async ({ url, env }: Installation, earlier: Earlier, count: number): Promise<Credentials[]> => {
  for (const { username } of [ada, bob, grace, mallory, admin])
    expect((await runCli(env, ['user', 'add', username], `${password}\n`, earlier.commands)).stderr).toBe('')
  const users = Array.from({ length: count }, (_, n) => named(`user${n}`))
  const { db, close } = await openUpToDate(url)
  try {
    // The row has the columns that the earlier version knows.
    const row = await db.selectFrom('users').selectAll().where('userIdent', '=', ada.username).executeTakeFirstOrThrow()
    const rows = users.map(({ username }) => ({ ...row, userId: randomUUID(), userIdent: username }))
    for (let i = 0; i < rows.length; i += 50)
      await db
        .insertInto('users')
        .values(rows.slice(i, i + 50))
        .execute()
  } finally {
    await close()
  }
  return users
}

/** Sets up an authenticator app, opens a session and creates recovery codes. */
export const settle = async (url: string, user: Credentials) => {
  const deployment = { open: () => openClient([url]), now: Date.now, addUser: async () => '', mails: async () => [] }
  const { client, secret, token } = await enroll(deployment, user)
  await enter(client, token)
  const { status, body } = await client.post(accountRoutes.userRecoveryCodes.path, {})
  expect(status).toBe(200)
  const codes: string[] = Object(body).recoveryCodes
  return { user, client, secret, codes }
}
export type Settled = Awaited<ReturnType<typeof settle>>

/** Redeems a hand-over code for a session. */
export const enter = async (client: Client, token: object) => {
  expect((await client.post(routes.plowlogin.path, token)).status).toBe(200)
  return client
}

/** Waits for the next time step, and returns its code. No server has seen that code. */
export const freshCode = async ({ secret }: Settled) => {
  const step = Math.floor(Date.now() / 30_000)
  await expect.poll(() => Math.floor(Date.now() / 30_000), { timeout: 40_000, interval: 200 }).toBeGreaterThan(step)
  return codeAt(secret, Date.now())
}

/** Signs in with the password and a code. */
export const enterByCode = async (url: string, settled: Settled, code: number) => {
  const client = openClient([url])
  expect((await signIn(client, settled.user)).tag).toBe('AuthRequires2FA')
  return enter(client, tokenOf(outcomeOf(await client.post(routes.verifyOTP.path, otp(settled.user, code)))))
}

/** Signs in with a recovery code. @returns the client and the outcome */
export const byRecoveryCode = async (url: string, { username, password: otpPassword }: Credentials, otpRecoveryCode = '') => {
  const client = openClient([url])
  const request = { otpUsername: username, otpPassword, otpRecoveryCode }
  return { client, outcome: outcomeOf(await client.post(routes.recoveryCode.path, request)) }
}

/** Skips the set-up of a second factor. @returns the tag of the outcome */
export const skip = async (url: string, user: Credentials) => {
  const client = openClient([url])
  const { factorUUID } = bindingOf(await signIn(client, user))
  return outcomeOf(await client.post(routes.setupOTP.path, otp(user, null, factorUUID))).tag
}

/** Asks for a mailed link. @returns its selector and token */
export const askForLink = async (
  url: string,
  mails: readonly ParsedMail[],
  page: 'new-password' | 'one-time-link',
  { username }: Credentials,
) => {
  const before = mails.length
  const client = openClient([url])
  const answer =
    page === 'new-password'
      ? await client.post(routes.sendPasswordResetEmail.path, { useremail: username })
      : await client.post(routes.magiclinkSend.path, [{ email: username, redirect: { tag: 'RedirectDashboard' } }])
  expect(answer.status).toBe(200)
  const find = () =>
    mails
      .slice(before)
      .flatMap(mail => (recipientOf(mail) === username ? [new RegExp(`/${page}#([\\w-]+)\\.([\\w-]+)`).exec(mail.text ?? '')] : []))
      .find(found => found !== null)
  await expect.poll(find).toBeTruthy()
  const [, selector = '', token = ''] = find() ?? []
  return { selector, token }
}

/** Sets a new password with a mailed link. @returns the status of the answer */
export const resetByLink = async (
  url: string,
  username: string,
  { selector, token }: { selector: string; token: string },
  newpassword: string,
) => {
  const request = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: newpassword }
  return (await openClient([url]).post(routes.resetPassword.path, request)).status
}

export const isOnPostgres = () => inject('postgres') !== ''

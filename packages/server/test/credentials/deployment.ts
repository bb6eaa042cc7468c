import { join } from 'node:path'
import { type AuthOutcome, type AuthToken, routes } from '@gatehouse/wire'
import { TOTP } from 'totp-generator'
import { seconds } from '../../src/limits.ts'
import { createMailbox, type KeptMail } from '../../src/mail/mailbox.ts'
import { createPasswords, thisMachine } from '../../src/passwords/passwords.ts'
import * as accounts from '../../src/users/users.store.ts'
import type { makeInstallation } from '../processes/processes.ts'
import { startServer } from '../support/harness.ts'
import { nextAddress } from '../support/next-address.ts'

export type Answer = { status: number; body: unknown; location: string | undefined; retryAfter: string | undefined }
export type Credentials = { username: string; password: string }

/** A browser with its cookies. Each request comes from a new address, so the limits per address do not interfere. */
export type Client = {
  jar: Map<string, string>
  get: (path: string) => Promise<Answer>
  post: (path: string, body: unknown) => Promise<Answer>
}

/** One or several servers on one database, seen from outside. Works for servers in this process and for real processes. */
export type Deployment = {
  open: (jar?: ReadonlyMap<string, string>) => Client
  addUser: (user: Credentials) => Promise<string>
  /** The server's clock, in epoch milliseconds. */
  now: () => number
  /** All mails so far, newest first. */
  mails: () => Promise<KeptMail[]>
}

/** A server in this process with a stopped clock. It hashes up to eight passwords at once. */
export const startInProcess = async (
  env: Record<string, string> = {},
): Promise<Deployment & { server: Awaited<ReturnType<typeof startServer>> }> => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env }, slots: 8 })
  const open = (jar: ReadonlyMap<string, string> = new Map()): Client => {
    const browser = server.openBrowser()
    for (const [name, value] of jar) browser.jar.set(name, value)
    const send = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
      const response = await browser.send(method, path, body, method === 'GET' ? { accept: 'text/html' } : {})
      const { location, 'retry-after': retryAfter } = response.headers
      return { status: response.statusCode, body: parsed(response.body), location, retryAfter: retryAfter?.toString() }
    }
    return { jar: browser.jar, get: path => send('GET', path), post: (path, body) => send('POST', path, body) }
  }
  return { server, open, addUser: user => server.addUser(user), now: () => server.clock.at, mails: server.deliver }
}

/** An HTTP client with cookies, for real servers. It sends each request to the next server in turn. */
export const openClient = (urls: readonly string[], from: ReadonlyMap<string, string> = new Map()): Client => {
  const jar = new Map(from)
  const send = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch((urls[turn++ % urls.length] ?? '') + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-forwarded-for': nextAddress(),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // Read the body first: a client that is cut off before the end of an answer keeps its old cookies.
    const text = await response.text()
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const header = (name: string) => response.headers.get(name) ?? undefined
    return { status: response.status, body: parsed(text), location: header('location'), retryAfter: header('retry-after') }
  }
  return { jar, get: path => send('GET', path), post: (path, body) => send('POST', path, body) }
}
let turn = 0

/** Servers that run as processes on one installation. */
export const deploymentOf = async (
  urls: readonly string[],
  { env, inDatabase }: Awaited<ReturnType<typeof makeInstallation>>,
): Promise<Deployment> => {
  const passwords = await createPasswords(1)
  const addUser = async ({ username, password }: Credentials) => {
    const userPassword = await passwords.inTurn(thisMachine, hashing => hashing.hash(password))
    const account = { userIdent: username, userPassword, userTZLabel: 'UTC', now: Date.now() }
    const userId = await inDatabase(db => accounts.addAccount(db, account))
    if (!userId) throw new Error(`${username} is there already`)
    return userId
  }
  const mailbox = createMailbox(join(env.GATEHOUSE_DATA_DIR ?? '', 'mail'), '')
  return { open: jar => openClient(urls, jar), addUser, now: Date.now, mails: mailbox.list }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The outcome of a sign-in call. */
export const outcomeOf = ({ status, body }: Answer): AuthOutcome => {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as AuthOutcome
}

export const signIn = async (client: Client, user: Credentials) =>
  outcomeOf(await client.post(routes.getAuthTokenWithError.path, { ...user, useragent: '' }))

/** The code of an authenticator, computed by a second implementation of RFC 6238. */
export const codeAt = async (secret: string, timestamp: number) => Number((await TOTP.generate(secret, { timestamp })).otp)

/** The secret of a new factor, which a sign-in shows once. */
export const bindingOf = (outcome: AuthOutcome) => {
  if (outcome.tag !== 'AuthRequiresFactorCreation') throw new Error(`no factor to set up, but ${outcome.tag}`)
  const { factorUUID, factorBinding } = outcome.contents
  if (factorBinding?.tag !== 'TOTPBinding') throw new Error('nothing to scan')
  return { factorUUID, secret: factorBinding.contents.factorTOTPBindingSecret }
}

export const tokenOf = (outcome: AuthOutcome): AuthToken => {
  if (outcome.tag !== 'AuthSuccessful') throw new Error(`not signed in, but ${JSON.stringify(outcome)}`)
  return outcome.contents
}

export const otp = (user: Credentials, otpVerification: number | null, otpFactorUUID: string | null = null) => ({
  otpUsername: user.username,
  otpPassword: user.password,
  otpVerification,
  otpFactorUUID,
})

/** Enrolls an authenticator; `token` is the unused hand-over code. The server already accepts `nextCode`, but no later code. */
export const enroll = async (deployment: Deployment, user: Credentials) => {
  const client = deployment.open()
  const { factorUUID, secret } = bindingOf(await signIn(client, user))
  const code = await codeAt(secret, deployment.now())
  const token = tokenOf(outcomeOf(await client.post(routes.setupOTP.path, otp(user, code, factorUUID))))
  return { client, secret, token, nextCode: () => codeAt(secret, deployment.now() + seconds(30)) }
}

/** The token of the newest link to a page in a user's mail; waits for the mail. */
export const mailedLink = async (deployment: Deployment, to: string, page: string) => {
  for (const start = Date.now(); Date.now() < start + seconds(20); await new Promise(resolve => setTimeout(resolve, 50))) {
    for (const mail of await deployment.mails()) {
      const [, selector = '', token = ''] = new RegExp(`/${page}#([\\w-]+)\\.([\\w-]+)`).exec(mail.text) ?? []
      if (mail.to === to && selector) return { selector, token }
    }
  }
  throw new Error(`${to} has got no mail with /${page}`)
}

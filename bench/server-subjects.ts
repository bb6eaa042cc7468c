import { hash, verify } from '@node-rs/argon2'
import type { Db } from '../packages/server/src/db/schema.ts'
import { hashSecret, randomSecret } from '../packages/server/src/keys/secrets.ts'
import { limits } from '../packages/server/src/limits.ts'
import { nextAddress } from '../packages/server/test/support/next-address.ts'
import { routes } from '../packages/wire/src/index.ts'
import { openConnection, requestFor } from './connections.ts'

const password = 'correct horse battery'

/** An operation to measure, and how many run in parallel. */
export type Subject = {
  name: string
  atOnce: number
  /** CPU time of the server processes so far, in milliseconds. */
  cpuTime?: (() => number) | undefined
  open: () => Promise<{ once: () => Promise<unknown>; close: () => void }>
}

const threadsOf = (threads: number) => `${threads} hash thread${threads === 1 ? '' : 's'}`

/** The password hash alone. No sign-in can be faster than this with the same number of threads. */
export const bareVerify = async (threads: number): Promise<Subject> => {
  const stored = await hash(password, limits.password.argon2id)
  return {
    name: `bare Argon2id, ${threadsOf(threads)}`,
    atOnce: threads,
    // This process does nothing else in the meantime.
    cpuTime: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    open: async () => ({ once: () => verify(stored, password), close: () => {} }),
  }
}

export const userOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Adds users with the same password and one session each. Returns the session cookies of the first thousand. */
export const addUsers = async (db: Db, count: number): Promise<string[]> => {
  const userPassword = await hash(password, limits.password.argon2id)
  const now = Date.now()
  const shown: string[] = []
  for (let first = 0; first < count; first += 500) {
    const numbers = Array.from({ length: Math.min(500, count - first) }, (_, i) => first + i)
    await db
      .insertInto('users')
      .values(
        numbers.map(n => ({
          userId: userOf(n),
          userIdent: `user-${n}@example.com`,
          userPassword,
          userForcedReset: 0 as const,
          userPasswordByMail: 0 as const,
          userTZLabel: 'UTC',
          userAzureId: null,
          userGoogleId: null,
          userPakId: null,
          userCreated: now,
        })),
      )
      .execute()
    const sessions = numbers.map(n => ({ n, selector: randomSecret(128), validator: randomSecret(256) }))
    await db
      .insertInto('sessions')
      .values(
        sessions.map(({ n, selector, validator }) => ({
          sessionSelector: selector,
          sessionHash: hashSecret(validator),
          sessionUser: userOf(n),
          sessionCreated: now,
          sessionSeen: now,
          sessionExpires: now + limits.session.absolute,
          sessionConfirmed: now,
          sessionUserAgent: 'bench',
          sessionAddress: '127.0.0.1',
          sessionFactor: null,
        })),
      )
      .execute()
    if (shown.length < 1000) shown.push(...sessions.map(({ selector, validator }) => `gatehouse-session=${selector}.${validator}`))
  }
  return shown
}

const atOnce = 16
const anyOf = (count: number) => Math.floor(Math.random() * count)

/** Sends requests, each worker over its own connection. */
const asking = (name: string, port: number, next: () => Buffer, cpuTime?: () => number): Subject => ({
  name,
  atOnce,
  cpuTime,
  open: async () => {
    const { ask, close } = await openConnection(port)
    return { once: () => ask(next()), close }
  },
})

export const ourSignIn = (port: number, users: number, cpuTime?: () => number): Subject =>
  asking(
    'Gatehouse, sign-in',
    port,
    () => {
      const username = `user-${anyOf(users)}@example.com`
      return requestFor(routes.getAuthTokenWithError.path, { 'x-forwarded-for': nextAddress() }, { username, password, useragent: '' })
    },
    cpuTime,
  )

export const ourCheck = (port: number, cookies: readonly string[]): Subject => {
  const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/' }
  return asking('Gatehouse, check', port, () => requestFor('/auth/request', { ...asked, cookie: cookies[anyOf(cookies.length)] ?? '' }))
}

const theirPath = '/api/auth/sign-in/email'

export const theirSignIn = (port: number, cpuTime: () => number): Subject => {
  const headers = { origin: `http://127.0.0.1:${port}` }
  return asking(
    'Better Auth, sign-in',
    port,
    () => requestFor(theirPath, headers, { email: `user-${anyOf(20)}@example.com`, password }),
    cpuTime,
  )
}

export const theirCheck = async (port: number): Promise<Subject> => {
  const origin = `http://127.0.0.1:${port}`
  const body = JSON.stringify({ email: 'user-0@example.com', password })
  const answer = await fetch(origin + theirPath, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body })
  const cookie = answer.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  if (!cookie) throw new Error(`Better Auth refused the sign-in: ${answer.status}`)
  return asking('Better Auth, check', port, () => requestFor('/api/auth/get-session', { cookie }))
}

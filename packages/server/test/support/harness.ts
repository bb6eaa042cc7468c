import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '@gatehouse/wire'
import { decode, routes } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { inMemory as memoryUrl, openDatabase, openUpToDate } from '../../src/db/open.ts'
import type { Tables } from '../../src/db/schema.ts'
import type { ConnectionLimits } from '../../src/http/connections.ts'
import { type BuiltPages, loadBuiltPages } from '../../src/http/pages/built-pages.ts'
import { createMailbox, type Mailbox } from '../../src/mail/mailbox.ts'
import { createPoolHasher, type Hasher } from '../../src/passwords/hash-threads.ts'
import { type Claim, createPasswords, type Passwords, type Turn, thisMachine } from '../../src/passwords/passwords.ts'
import * as accounts from '../../src/users/users.store.ts'
import { makeDatabase } from './engine.ts'
import { nextAddress } from './next-address.ts'

export const ada = { username: 'ada@example.com', password: 'correct horse battery' }
export const admin = { username: 'admin@example.com', password: 'another long password' }

/** Argon2id at a very low cost. Tests that start real processes pay the real cost. */
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** Caches loaded pages: loading compresses the sign-in page and takes half of a server's start time. */
const loadedPages = new Map<string, Promise<BuiltPages>>()
const pagesFor = (
  { publicUrl: { path }, shownProviders, brand, passkeys, submitCodeWhenComplete }: Config,
  among: Options['languages'],
) => {
  const options = { passkeys: passkeys.is === 'On', submitCodeWhenComplete }
  const key = JSON.stringify([path, shownProviders, brand, options, among])
  const folder = join(import.meta.dirname, '../../../portal/dist')
  const pages = loadedPages.get(key) ?? loadBuiltPages(folder, path, shownProviders, brand, options, { among })
  loadedPages.set(key, pages)
  return pages
}

type Options = {
  env?: Record<string, string>
  slots?: number
  /** Cost of a hash; close to zero by default. */
  cost?: { memoryCost: number; timeCost: number; parallelism: number }
  /** Replaces Argon2id in tests with many thousand calls; also turns the log off. */
  hasher?: Hasher
  /** Wraps the server's database, to observe its statements. */
  watch?: (db: Kysely<Tables>) => Kysely<Tables>
  /** Runs right after each password check, before its result is used. */
  afterVerify?: () => Promise<void>
  /** How long slow clients may hold a connection. */
  connections?: ConnectionLimits
  /** A local port through which the server reaches PostgreSQL. */
  through?: number
  /** Gets every mail in place of the development mailbox, which writes files. */
  mailbox?: Mailbox
  /** On SQLite, keeps the database in memory, for tests with many thousand calls. */
  inMemory?: boolean
  /** Languages that users can choose. The pages are English in those without a translation. */
  languages?: BuiltPages['languages']
}

/** A complete server on a fresh database with its own clock. It is closed when the test ends. */
export const startServer = async ({
  env = {},
  slots = 2,
  cost = cheap,
  hasher,
  watch,
  afterVerify,
  connections,
  through,
  mailbox: givenMailbox,
  inMemory = false,
  languages,
}: Options = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const database = await makeDatabase(folder)
  const databaseEnv = through === undefined ? database.env : { GATEHOUSE_DATABASE_URL: throughPort(database.env, through) }
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECOND_FACTOR: 'off', ...databaseEnv, ...env })
  const isInMemory = inMemory && config.databaseUrl.startsWith('sqlite:')
  const { db, close } = await (isInMemory ? openDatabase(memoryUrl) : openUpToDate(config.databaseUrl))
  // Registered first, so it runs last and also after a failed start.
  onTestFinished(async () => {
    await close()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  // A long queue timeout, so a busy machine causes no 503s. The queue has its own tests.
  const passwords = await createPasswords(slots, 60_000, hasher ?? createPoolHasher(slots, cost))
  const clock = { at: Date.UTC(2026, 10, 20, 3), advance: (ms: number) => (clock.at += ms) }
  const logged: string[] = []
  const logger = pino({ level: hasher ? 'silent' : 'info' }, { write: (line: string) => void logged.push(line) })
  const pages = await pagesFor(config, languages)
  const { app, mailSender, pushNotifier, backgroundJobs, metrics, openDoorAlarm } = await createApp({
    config,
    db: watch ? watch(db) : db,
    passwords: afterVerify ? interrupted(passwords, afterVerify) : passwords,
    pages,
    now: () => clock.at,
    logger,
    isStopping: () => false,
    connections,
    mailbox: givenMailbox,
  })
  onTestFinished(() => app.close())

  const addUser = async ({ username, password } = ada): Promise<string> => {
    const userPassword = await passwords.inTurn(thisMachine, turn => turn.hash(password))
    const userId = await accounts.addAccount(db, { userIdent: username, userPassword, userTZLabel: 'UTC', now: clock.at })
    if (!userId) throw new Error(`${username} is there already`)
    return userId
  }

  const mailbox = givenMailbox ?? createMailbox(config.mailFolder, config.mailFrom)
  /** Sends everything in the outbox. @returns all mails, newest first */
  const deliver = async () => {
    await backgroundJobs.notifyOfLocks()
    await mailSender.round()
    return mailbox.list()
  }

  /**
   * A browser: keeps its cookies and sends the headers of a same-origin page. Without a fixed address, each request comes from a new one,
   * so the limits per address do not interfere.
   */
  const openBrowser = ({ address, userAgent = 'Test/1.0' }: { address?: string; userAgent?: string } = {}) => {
    const jar = new Map<string, string>()
    const send = async (method: 'GET' | 'POST', url: string, body?: unknown, headers: Record<string, string> = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await app.inject({
        method,
        url,
        remoteAddress: address ?? nextAddress(),
        headers: {
          'user-agent': userAgent,
          ...(cookie && { cookie }),
          ...(method === 'POST' && {
            'content-type': body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json',
            origin: config.publicUrl.origin,
          }),
          ...headers,
        },
        ...(body !== undefined && { payload: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body) }),
      })
      for (const { name, value, maxAge, expires } of response.cookies) {
        if (maxAge === 0 || (expires && expires.getTime() <= 0)) jar.delete(name)
        else jar.set(name, value)
      }
      return response
    }
    /** Submits a form like a browser without JavaScript. */
    const submit = (url: string, fields: Record<string, string>, headers = {}) => send('POST', url, new URLSearchParams(fields), headers)
    const call = async <Input, Answer>(route: Route<Input, Answer>, body: unknown): Promise<Answer> => {
      const response = await send(route.method, config.publicUrl.path + route.path, body)
      const decoded = decode(route.response, response.json())
      if (response.statusCode !== 200 || !decoded.ok) throw new Error(`${route.path}: ${response.statusCode} ${response.body}`)
      return decoded.value
    }
    const signIn = (user: { username: string; password: string } = ada) => call(routes.getAuthTokenWithError, { ...user, useragent: '' })
    /** Completes a sign-in. @returns the hand-over code it used */
    const enter = async (user = ada) => {
      const outcome = await signIn(user)
      if (outcome.tag !== 'AuthSuccessful') throw new Error(`signing in gave ${outcome.tag}`)
      await call(routes.plowlogin, outcome.contents)
      return outcome.contents
    }
    return { jar, send, get: (url: string, headers = {}) => send('GET', url, undefined, headers), submit, call, signIn, enter }
  }

  return {
    app,
    db,
    config,
    clock,
    passwords,
    mailSender,
    pushNotifier,
    backgroundJobs,
    metrics,
    openDoorAlarm,
    logged,
    folder,
    addUser,
    openBrowser,
    deliver,
  }
}

const throughPort = ({ GATEHOUSE_DATABASE_URL = '' }: Record<string, string>, port: number): string => {
  const url = new URL(GATEHOUSE_DATABASE_URL)
  url.port = String(port)
  return url.href
}

/** Wraps `passwords` to run a hook after each check. */
const interrupted = (passwords: Passwords, afterVerify: () => Promise<void>): Passwords => {
  const takeTurn = async (claim: Claim) => {
    const turn = await passwords.takeTurn(claim)
    const verify: Turn['verify'] = async (...args) => {
      const right = await turn.verify(...args)
      await afterVerify()
      return right
    }
    return { ...turn, verify }
  }
  const inTurn: Passwords['inTurn'] = async (claim, work) => {
    using turn = await takeTurn(claim)
    return await work(turn)
  }
  return { ...passwords, takeTurn, inTurn }
}

export type Browser = ReturnType<Awaited<ReturnType<typeof startServer>>['openBrowser']>
/** Whether the browser's session opens the account page. */
export const isSignedIn = async (browser: Browser) => (await browser.get('/account')).statusCode === 200
